//! Unsigned decimal numbers at the start of a text.

/// The number with which `text` starts, and its length in bytes: digits, `.5`, `5.`, `1e-3`. An `e` without digits
/// belongs to what follows (`3erg`). A number too large for f64 is returned as infinity.
pub fn number_prefix(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(0);
    let mut end = whole;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if whole + fraction == 0 {
            return None;
        }
        end += 1 + fraction;
    }
    if end == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = matches!(bytes.get(end + 1), Some(b'+' | b'-')) as usize;
        let power = digits(end + 1 + sign);
        if power > 0 {
            end += 1 + sign + power;
        }
    }
    text[..end].parse().ok().map(|x| (x, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_where_its_unit_starts() {
        assert_eq!(number_prefix("0.9um"), Some((0.9, 3)));
        assert_eq!(number_prefix("3erg"), Some((3.0, 1)));
        assert_eq!(number_prefix("3e4rad"), Some((3e4, 3)));
        assert_eq!(number_prefix("1e-3 m"), Some((1e-3, 4)));
        assert_eq!(number_prefix("2e+ 1"), Some((2.0, 1)));
        assert_eq!(number_prefix(".5"), Some((0.5, 2)));
        assert_eq!(number_prefix("5.x"), Some((5.0, 2)));
        assert_eq!(number_prefix("."), None);
        assert_eq!(number_prefix("-1"), None);
        assert_eq!(number_prefix("inf"), None);
        assert_eq!(number_prefix("1e999"), Some((f64::INFINITY, 5)));
    }
}
