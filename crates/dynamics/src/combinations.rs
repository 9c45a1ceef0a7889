//! All ways to take one entry from each of several lists.

/// How many there are, at most the largest number.
pub fn count<T>(lists: &[impl AsRef<[T]>]) -> usize {
    lists.iter().try_fold(1usize, |all, list| all.checked_mul(list.as_ref().len())).unwrap_or(usize::MAX)
}

/// Combination number `k`: the entries of the first list follow each other fastest. No list is empty.
pub fn combination<T: Copy>(lists: &[impl AsRef<[T]>], k: usize) -> impl Iterator<Item = T> {
    let mut rest = k;
    lists.iter().map(move |list| {
        let list = list.as_ref();
        let one = list[rest % list.len()];
        rest /= list.len();
        one
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_comes_once() {
        let lists = [vec![1, 2], vec![3], vec![4, 5, 6]];
        let all: Vec<Vec<i32>> = (0..count(&lists)).map(|k| combination(&lists, k).collect()).collect();
        assert_eq!(all.len(), 6);
        assert_eq!(all[..3], [[1, 3, 4], [2, 3, 4], [1, 3, 5]]);
        assert!((1..6).all(|i| !all[..i].contains(&all[i])));
        assert_eq!(count::<i32>(&[] as &[Vec<i32>]), 1);
    }
}
