//! The known name nearest to a misspelt one.

/// Longer names are not compared: the table of distances grows with their product.
const LONGEST: usize = 64;

/// The candidate nearest to `name` by edits (insert, delete, replace, swap neighbours), if it is near enough to be
/// meant. A difference in case alone counts half. Of equally near ones the first.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: Vec<char> = name.chars().take(LONGEST + 1).collect();
    if name.len() > LONGEST {
        return None;
    }
    // One edit in three letters, and never so many that nothing of the name is left.
    let allowed = (2 * (name.len() / 3).max(1)).min((2 * name.len()).saturating_sub(1));
    let mut best = None;
    for candidate in candidates {
        let cost = half_edits(&name, &candidate.chars().take(LONGEST + 1).collect::<Vec<_>>());
        if cost <= allowed && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Edit distance in halves.
fn half_edits(a: &[char], b: &[char]) -> usize {
    let replace = |x: char, y: char| match x == y {
        true => 0,
        false if x.to_lowercase().eq(y.to_lowercase()) => 1,
        false => 2,
    };
    let mut older = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).map(|j| 2 * j).collect();
    for i in 1..=a.len() {
        let mut row = vec![2 * i; b.len() + 1];
        for j in 1..=b.len() {
            row[j] = (last[j - 1] + replace(a[i - 1], b[j - 1])).min(last[j] + 2).min(row[j - 1] + 2);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(older[j - 2] + 2);
            }
        }
        older = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["mu_k", "mu_s", "v_s", "stiffness"];
        assert_eq!(nearest("mu_S", names), Some("mu_s"));
        assert_eq!(nearest("stifness", names), Some("stiffness"));
        assert_eq!(nearest("v_ss", names), Some("v_s"));
        assert_eq!(nearest("s_v", ["v_s", "sinh"]), None);
        assert_eq!(nearest("q", ["m"]), None);
        assert_eq!(nearest("", ["m"]), None);
        assert_eq!(nearest(&"m".repeat(1000), ["m"]), None);
    }
}
