//! Inputs of absurd size and depth: answered at once, in little memory.
use stickslip_fuzz::door::{self, Input, Reader, SOUND, Verdict};

const BUSY: std::time::Duration = std::time::Duration::from_secs(20);

fn answered(what: &str, reader: Reader, text: impl Into<Vec<u8>>) {
    let verdict = door::verdict(&Input { reader, text: text.into() });
    // Tests share a machine that may be busy: what takes so long there is slow anywhere.
    let answered = matches!(verdict, Verdict::Answered) || matches!(verdict, Verdict::Slow(time) if time < BUSY);
    assert!(answered, "{what}: {verdict:?}");
}

/// A scenario that is answered at once, with a refusal.
fn refused(what: &str, text: String) {
    let scenario = stickslip::prelude::Scenario::from_text("s.toml", &text, &[]);
    assert!(scenario.and_then(|s| s.prepare().map(drop)).is_err(), "{what} was accepted:\n{text}");
    answered(what, Reader::Scenario, text);
}

fn analysis(text: &str) -> String {
    SOUND.replace("kind = \"transient\"\nduration = 5\n", text)
}

#[test]
fn sizes_beyond_all_reason_are_refused_before_they_are_made() {
    let axis = |points: &str| {
        analysis(&format!(
            "kind = \"map\"\naxes = [{{ parameter = \"structure.mass\", from = 1, to = 2, points = {points} }}]\neach = {{ kind = \"transient\", duration = 1 }}\n"
        ))
    };
    answered("points of an axis", Reader::Scenario, axis("1e7"));
    for points in ["1e12", "1e300", "-1", "0.5", "nan"] {
        refused("points of an axis", axis(points));
    }
    let along = |points: &str| {
        analysis(&format!(
            "kind = \"stability\"\nalong = {{ parameter = \"structure.mass\", from = 1, to = 2, points = {points} }}\n"
        ))
    };
    refused("points of a path", along("1e12"));
    let transient = |duration: &str| analysis(&format!("kind = \"transient\"\nduration = {duration}\n"));
    // A long time may pass in few steps: the run itself ends at its most steps.
    for duration in ["1e300", "{ loads = 1e300 }", "5\nmax_steps = 1e300"] {
        answered("duration", Reader::Scenario, transient(duration));
    }
    for duration in ["{ cycles = 1e300 }", "5\nstep = 1e-300"] {
        refused("duration", transient(duration));
    }
    let point = "structure = { kind = \"point\" }\ncontact = { normal = { law = \"constant\", force = 1 }, friction = { law = \"coulomb\", mu = 1 } }\nanalysis = { kind = \"hysteresis\" }\n";
    for count in ["1e9", "1e18"] {
        let cycle = format!("{{ cycle = {{ amplitude = 1, frequency = 1, count = {count} }} }}");
        refused("cycles of a program", format!("{point}drive = {{ kind = \"program\", steps = [{cycle}] }}\n"));
    }
    let mut cases = SOUND.to_string();
    (0..3000).for_each(|i| cases.push_str(&format!("[[case]]\nname = \"c{i}\"\n")));
    answered("cases", Reader::Scenario, cases);
    let n = 200;
    let row = vec!["1"; n].join(", ");
    let matrix = vec![format!("[{row}]"); n].join(", ");
    let lumped = format!("[structure]\nkind = \"lumped\"\nmass = [{matrix}]\nstiffness = [{matrix}]\n");
    answered("a matrix", Reader::Scenario, lumped + "[analysis]\nkind = \"transient\"\nduration = 1\n");
}

#[test]
fn deep_texts_do_not_overflow_the_stack() {
    for depth in [100, 10_000, 200_000] {
        for (open, close) in [("[", "]"), ("{ a = ", " }"), ("{ sum = [", "] }")] {
            let text = format!("{SOUND}\nx = {}1{}\n", open.repeat(depth), close.repeat(depth));
            answered("nested values", Reader::Scenario, text);
            answered("a nested setting", Reader::Setting, format!("drive.velocity={}", open.repeat(depth)));
        }
        answered("a dotted key", Reader::Scenario, format!("{}a = 1\n", "a.".repeat(depth)));
        answered("a dotted table", Reader::Scenario, format!("[{}a]\nb = 1\n", "a.".repeat(depth)));
        answered("a dotted setting", Reader::Setting, format!("{}a=1", "a.".repeat(depth)));
        for part in ["(", "-", "sin(", "2^", "1+", "min(1,", "1*(", "1 m/(", "-(-"] {
            answered("a nested formula", Reader::Formula, part.repeat(depth) + "1");
            answered("a closed formula", Reader::Formula, part.repeat(depth) + "1" + &")".repeat(depth));
        }
        for part in ["(", "m/(", "m^(", "m ", "1/", "m^2^"] {
            answered("a nested unit", Reader::Unit, format!("1 {}m", part.repeat(depth)));
        }
    }
}

#[test]
fn long_texts_are_read_or_refused_in_little_time() {
    let million = 1_000_000;
    answered("a formula of a million characters", Reader::Formula, "1+".repeat(million / 2) + "1");
    answered("a name of a million characters", Reader::Formula, "x".repeat(million));
    answered("a number of a million digits", Reader::Formula, "9".repeat(million));
    answered("a unit of a million characters", Reader::Unit, format!("1 {}", "m".repeat(million)));
    answered("a million spaces", Reader::Unit, " ".repeat(million));
    answered("a long key", Reader::Scenario, format!("{} = 1\n{SOUND}", "k".repeat(million)));
    answered("a long title", Reader::Scenario, format!("title = \"{}\"\n{SOUND}", "é".repeat(million / 2)));
    answered("a long kind", Reader::Scenario, SOUND.replace("spring-block", &"s".repeat(million)));
    answered("many keys", Reader::Scenario, (0..20_000).map(|i| format!("k{i} = 1\n")).collect::<String>() + SOUND);
    for exponent in ["1e999999999", "1e-999999999", "1e99999999999999999999"] {
        answered("an exponent", Reader::Unit, format!("{exponent} m"));
        answered("an exponent", Reader::Formula, exponent);
        answered("an exponent", Reader::Scenario, SOUND.replace("mass = 1", &format!("mass = {exponent}")));
    }
    for power in ["m^1e300", "m^99999999", "m^-0.0001", "km^1e5", "m^(1/0)", "m^(1e308*10)"] {
        answered("a power", Reader::Unit, format!("1 {power}"));
        answered("a power", Reader::Formula, format!("1 {power}"));
    }
}

#[test]
fn tables_of_any_shape_are_read_or_refused() {
    let million = 1_000_000;
    answered("a million columns", Reader::Csv, "1,".repeat(million) + "1\n");
    answered("a million named columns", Reader::Csv, "v [m/s],".repeat(million / 4) + "v\n1\n");
    answered("a million empty columns", Reader::Csv, ",".repeat(million));
    answered("a million blanks", Reader::Csv, " ".repeat(million));
    answered("many rows", Reader::Csv, (0..100_000).map(|i| format!("{i},1\n")).collect::<String>());
    answered("one long number", Reader::Csv, "1".repeat(million) + ",2\n");
    answered("bytes", Reader::Csv, (0..=255u8).cycle().take(10_000).collect::<Vec<u8>>());
    answered("nothing", Reader::Csv, "");
}
