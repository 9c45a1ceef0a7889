//! A place in a file, and the numbers that follow: words of a text, or bytes.
use super::{BadFile, Position};
use std::str::FromStr;

/// Reads a file from its beginning.
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    binary: bool,
    /// The bytes of a number come in the other order.
    swapped: bool,
}

impl<'a> Cursor<'a> {
    /// At the start of a file; its numbers are words until it is known to be binary.
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0, binary: false, swapped: false }
    }

    /// What is wrong here.
    pub fn bad(&self, reason: impl Into<String>) -> BadFile {
        let at = match self.binary {
            true => Position::Byte(self.at + 1),
            false => Position::Line(1 + self.bytes[..self.at].iter().filter(|b| **b == b'\n').count()),
        };
        BadFile { at: Some(at), reason: reason.into() }
    }

    /// Whether numbers are bytes.
    pub fn is_binary(&self) -> bool {
        self.binary
    }

    /// Refuses a count of things that take at least so many bytes each, more than the file has left.
    pub fn room(&self, count: u64, least: usize) -> Result<(), BadFile> {
        let left = self.bytes.len() - self.at;
        match count <= (left / least) as u64 {
            true => Ok(()),
            false => Err(self.bad(format!("a count of {count}, for which the file's last {left} bytes have no room"))),
        }
    }

    /// The name of the next section; None at the end of the file.
    pub fn section(&mut self) -> Result<Option<String>, BadFile> {
        self.skip_space();
        if self.at == self.bytes.len() {
            return Ok(None);
        }
        match self.word()?.strip_prefix('$') {
            Some(name) if !name.is_empty() && !name.starts_with("End") => Ok(Some(name.to_string())),
            _ => Err(self.bad("expected the start of a section, as $Nodes")),
        }
    }

    /// Goes past the end of a section: here, where the section was read as a whole; else wherever it ends.
    pub fn end_of(&mut self, section: &str, whole: bool) -> Result<(), BadFile> {
        let end = format!("$End{section}");
        if whole {
            self.skip_space();
            let found = self.bytes[self.at..].starts_with(end.as_bytes());
            if !found {
                return Err(self.bad(format!("expected {end}: the section has more than it says, or less")));
            }
            self.at += end.len();
            return Ok(());
        }
        let rest = &self.bytes[self.at..];
        let place = rest.windows(end.len()).position(|w| w == end.as_bytes());
        self.at += place.ok_or_else(|| self.bad(format!("{end} is missing")))? + end.len();
        Ok(())
    }

    /// From here on numbers are bytes: the file has the integer 1 to show their order.
    pub fn become_binary(&mut self) -> Result<(), BadFile> {
        self.end_of_line();
        self.binary = true;
        match self.take()? {
            one if i32::from_le_bytes(one) == 1 => Ok(()),
            one if i32::from_be_bytes(one) == 1 => {
                self.swapped = true;
                Ok(())
            }
            _ => Err(self.bad("the integer 1 that shows the order of bytes is missing")),
        }
    }

    /// Goes to the start of the next line.
    pub fn end_of_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |k| k + 1);
    }

    /// The next word.
    pub fn word(&mut self) -> Result<&'a str, BadFile> {
        self.skip_space();
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let word = match std::str::from_utf8(&rest[..length]) {
            Ok("") => return Err(self.bad("the file ends here")),
            Ok(word) => word,
            Err(_) => return Err(self.bad("not a text")),
        };
        self.at += length;
        Ok(word)
    }

    /// The next word as a number.
    pub fn word_as<T: FromStr>(&mut self, what: &str) -> Result<T, BadFile> {
        let word = self.word()?;
        word.parse().map_err(|_| {
            let shown: String = word.chars().take(40).collect();
            self.bad(format!("`{shown}` where {what} is expected"))
        })
    }

    /// A text in quotation marks.
    pub fn quoted(&mut self) -> Result<String, BadFile> {
        self.skip_space();
        let rest = &self.bytes[self.at..];
        let line = &rest[..rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())];
        let inner = line.strip_prefix(b"\"").and_then(|l| Some(&l[..l.iter().position(|b| *b == b'"')?]));
        let text = inner.and_then(|inner| std::str::from_utf8(inner).ok());
        let text = text.ok_or_else(|| self.bad("expected a name in quotation marks"))?;
        self.at += text.len() + 2;
        Ok(text.to_string())
    }

    /// An integer: four bytes in a binary file.
    pub fn int(&mut self) -> Result<i64, BadFile> {
        if !self.binary {
            return self.word_as("an integer");
        }
        let bytes = self.take()?;
        Ok(i64::from(if self.swapped { i32::from_be_bytes(bytes) } else { i32::from_le_bytes(bytes) }))
    }

    /// A count or a tag: eight bytes in a binary file.
    pub fn size(&mut self) -> Result<u64, BadFile> {
        if !self.binary {
            return self.word_as("a count or a tag");
        }
        let bytes = self.take()?;
        Ok(if self.swapped { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    /// A coordinate.
    pub fn number(&mut self) -> Result<f64, BadFile> {
        if !self.binary {
            return self.word_as("a number");
        }
        let bytes = self.take()?;
        Ok(if self.swapped { f64::from_be_bytes(bytes) } else { f64::from_le_bytes(bytes) })
    }

    /// Three coordinates.
    pub fn point(&mut self) -> Result<[f64; 3], BadFile> {
        Ok([self.number()?, self.number()?, self.number()?])
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], BadFile> {
        let bytes = self.bytes[self.at..].first_chunk::<N>().ok_or_else(|| self.bad("the file ends here"))?;
        self.at += N;
        Ok(*bytes)
    }

    fn skip_space(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(rest.len());
    }
}
