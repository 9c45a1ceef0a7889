//! File names from titles: `K = 100 N/cm` becomes `k-100-n-cm`.

use std::collections::HashSet;

/// Longest slug, far below what file systems allow, so that a suffix still fits.
const LONGEST: usize = 80;

/// Names that Windows keeps for devices, with any ending.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Gives file-system-safe names, no two alike.
#[derive(Default)]
pub(crate) struct Slugs {
    taken: HashSet<String>,
}

impl Slugs {
    /// With names that are taken from the start.
    pub(crate) fn without(taken: &[&str]) -> Slugs {
        Slugs { taken: taken.iter().map(|s| s.to_string()).collect() }
    }

    /// A new name for `title`.
    pub(crate) fn give(&mut self, title: &str) -> String {
        let base = slug(title);
        let mut name = base.clone();
        let mut n = 1;
        while !self.taken.insert(name.clone()) {
            n += 1;
            name = format!("{base}-{n}");
        }
        name
    }
}

/// Lower case, because some file systems cannot tell `K` from `k`; letters, digits, `_`, and single `-` and `.`
/// inside. Anything else separates.
fn slug(title: &str) -> String {
    let mut out = String::new();
    for c in title.chars() {
        let c = c.to_ascii_lowercase();
        if c.is_ascii_alphanumeric() || c == '_' {
            out.push(c);
        } else if c == '.' && out.ends_with(|c: char| c.is_ascii_digit()) {
            out.push('.');
        } else if !out.is_empty() && !out.ends_with(['-', '.']) {
            out.push('-');
        }
        if out.len() >= LONGEST {
            break;
        }
    }
    let out = out.trim_matches(['-', '.']).to_owned();
    let stem = out.split('.').next().unwrap_or_default();
    let port = (stem.len() == 4) && (stem.starts_with("com") || stem.starts_with("lpt"));
    match out.is_empty() {
        true => "unnamed".to_owned(),
        false if port || DEVICES.contains(&stem) => format!("{out}_"),
        false => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn slugs_read_like_the_title() {
        for (title, expected) in [
            ("K = 100 N/cm", "k-100-n-cm"),
            ("mu = 0.25", "mu-0.25"),
            ("..", "unnamed"),
            ("../../etc", "etc"),
            ("\u{3bc} \u{2264} 1", "1"),
            ("", "unnamed"),
            ("NUL", "nul_"),
            ("amplitude_pp", "amplitude_pp"),
        ] {
            assert_eq!(slug(title), expected, "{title}");
        }
    }

    #[test]
    fn equal_titles_get_different_names() {
        let mut slugs = Slugs::without(&["events"]);
        let names: Vec<_> = ["a b", "A-B", "a-b-2", "a b", "events"].iter().map(|t| slugs.give(t)).collect();
        assert_eq!(names, ["a-b", "a-b-2", "a-b-2-2", "a-b-3", "events-2"]);
    }

    proptest! {
        #[test]
        fn slugs_are_safe(title in ".*") {
            let name = slug(&title);
            prop_assert!(!name.is_empty() && name.len() <= LONGEST + 1);
            prop_assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.".contains(&b)));
            prop_assert!(!name.starts_with(['.', '-']) && !name.ends_with('.') && !name.contains(".."));
        }
    }
}
