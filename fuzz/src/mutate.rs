//! Inputs by small and large changes to texts that are nearly in order.
use crate::corpus::{Corpus, FORMULAS, TABLES, UNITS, odd};
use crate::door::{Input, READERS, Reader};
use crate::random::Random;

/// Longest input by repetition, in bytes.
const LONGEST: usize = 1 << 20;

/// An input of the series.
pub fn input(corpus: &Corpus, random: &mut Random) -> Input {
    let reader = READERS[random.below(READERS.len())];
    let mut text = seed(reader, corpus, random);
    let most = if random.one_in(4) { 12 } else { 3 };
    let changes = 1 + random.below(most);
    for _ in 0..changes {
        change(&mut text, corpus, random);
    }
    Input { reader, text }
}

fn seed(reader: Reader, corpus: &Corpus, random: &mut Random) -> Vec<u8> {
    let text = match reader {
        Reader::Scenario => corpus.scenarios[random.below(corpus.scenarios.len())].as_str(),
        Reader::Formula => random.of(&FORMULAS),
        Reader::Unit => random.of(&UNITS),
        Reader::Csv => random.of(&TABLES),
        Reader::Setting => {
            let paths = ["structure.mass=", "drive.velocity=", "contact.friction.hold=", "analysis=", "start.rates.x="];
            let word = &corpus.words[random.below(corpus.words.len())];
            return format!("{}{word}", random.of(&paths)).into_bytes();
        }
    };
    text.as_bytes().to_vec()
}

/// One change.
fn change(text: &mut Vec<u8>, corpus: &Corpus, random: &mut Random) {
    let at = random.below(text.len() + 1);
    let end = (at + random.below(12)).min(text.len());
    let word = |random: &mut Random| match random.one_in(3) {
        true => random.of(odd()).as_bytes().to_vec(),
        false => corpus.words[random.below(corpus.words.len())].as_bytes().to_vec(),
    };
    match random.below(12) {
        0 => drop(text.splice(at..end, [])),
        1 => drop(text.splice(at..at, word(random))),
        2 => drop(text.splice(at..end, word(random))),
        3 if at < text.len() => text[at] ^= 1 << random.below(8),
        4 => text.truncate(at),
        5 => {
            let part = text[at..end].to_vec();
            drop(text.splice(at..at, part));
        }
        6 => repeat(text, at, end, random),
        7 => value(text, word(random), random),
        8 => lines(text, random),
        9 => {
            // A part of another scenario.
            let other = corpus.scenarios[random.below(corpus.scenarios.len())].as_bytes();
            let from = random.below(other.len());
            let to = (from + random.below(200)).min(other.len());
            drop(text.splice(at..at, other[from..to].iter().copied()));
        }
        _ => number(text, random),
    }
}

/// A part many times over: deep nesting, long names, many columns.
fn repeat(text: &mut Vec<u8>, at: usize, end: usize, random: &mut Random) {
    let part = match random.below(3) {
        0 => text[at..end].to_vec(),
        1 => random.of(odd()).as_bytes().to_vec(),
        _ => random.of(&["[", "{a=", "a.", "(", "-", "1,", ";", "sin(", "^2", "0.", " m", "\n1,2"]).as_bytes().to_vec(),
    };
    // Long ones are rare: they take their time.
    let most = if random.one_in(200) { LONGEST } else { 400 };
    let times = 1 + random.below(most / part.len().max(1) + 1);
    drop(text.splice(at..at, part.repeat(times)));
}

/// Another value after an equals sign.
fn value(text: &mut Vec<u8>, word: Vec<u8>, random: &mut Random) {
    let signs: Vec<usize> = (0..text.len()).filter(|i| text[*i] == b'=').collect();
    if signs.is_empty() {
        return;
    }
    let from = signs[random.below(signs.len())] + 1;
    let to = text[from..].iter().position(|b| b",\n}".contains(b)).map_or(text.len(), |n| from + n);
    drop(text.splice(from..to, word));
}

/// Another number in the place of one.
fn number(text: &mut Vec<u8>, random: &mut Random) {
    let digits: Vec<usize> = (0..text.len()).filter(|i| text[*i].is_ascii_digit()).collect();
    if digits.is_empty() {
        return;
    }
    let from = digits[random.below(digits.len())];
    let to = text[from..].iter().position(|b| !b.is_ascii_digit()).map_or(text.len(), |n| from + n);
    let with = ["0", "1", "-1", "2", "1e6", "1e9", "1e12", "1e300", "1e-300", "nan", "0.5", "3e7", "1e99999", "007"];
    drop(text.splice(from..to, random.of(&with).bytes()));
}

/// A line doubled, moved or dropped.
fn lines(text: &mut Vec<u8>, random: &mut Random) {
    let mut all: Vec<Vec<u8>> = text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    let (i, j) = (random.below(all.len()), random.below(all.len()));
    match random.below(3) {
        0 => all.swap(i, j),
        1 => drop(all.remove(i)),
        _ => all.insert(j, all[i].clone()),
    }
    *text = all.join(&b'\n');
}
