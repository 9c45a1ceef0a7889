//! Points that stand out of a profile alone: faults of the measurement rather than roughness.

/// How many robust standard deviations a point must lie off its neighbours. Of four million points of a Gaussian profile
/// none lies six off.
const FAR: f64 = 10.0;
/// Median of the size of a Gaussian number, in standard deviations.
const MEDIAN: f64 = 0.6745;

/// A point that its neighbours do not follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Spike {
    /// Its row, the first being 1.
    pub row: usize,
    /// Its height over the middle of the profile, m.
    pub height: f64,
    /// That height in robust standard deviations of the heights.
    pub sigmas: f64,
}

/// Spikes, the highest first, and the profile with each replaced by the mean of its neighbours.
pub fn spikes(z: &[f64]) -> (Vec<Spike>, Vec<f64>) {
    let off: Vec<f64> = z.windows(3).map(|w| w[1] - 0.5 * (w[0] + w[2])).collect();
    let middle = median(z.to_vec());
    let wide = spread(z, middle);
    let usual = spread(&off, 0.0);
    let size = |k: usize| off.get(k).map_or(0.0, |x| x.abs());
    let mut found = vec![];
    let mut mended = z.to_vec();
    for k in 0..off.len() {
        // A spike moves its neighbours off too, by half.
        let largest = size(k) >= size(k + 1) && (k == 0 || size(k) > size(k - 1));
        if usual > 0.0 && wide > 0.0 && largest && size(k) > FAR * usual {
            let height = z[k + 1] - middle;
            found.push(Spike { row: k + 2, height, sigmas: height / wide });
            mended[k + 1] = 0.5 * (mended[k] + z[k + 2]);
        }
    }
    found.sort_by(|a, b| b.height.abs().total_cmp(&a.height.abs()));
    (found, mended)
}

/// Standard deviation about a middle, from the median of the distances: a few points far out do not change it.
fn spread(list: &[f64], middle: f64) -> f64 {
    median(list.iter().map(|x| (x - middle).abs()).collect()) / MEDIAN
}

fn median(mut list: Vec<f64>) -> f64 {
    let half = list.len() / 2;
    *list.select_nth_unstable_by(half, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waves() -> Vec<f64> {
        (0..2000).map(|i| (0.05 * f64::from(i)).sin() + 0.3 * (0.31 * f64::from(i)).cos()).collect()
    }

    #[test]
    fn a_spike_is_found_by_its_row_and_taken_off() {
        let clean = waves();
        assert!(spikes(&clean).0.is_empty());
        let mut z = clean.clone();
        z[1233] += 50.0;
        z[40] -= 20.0;
        let (found, mended) = spikes(&z);
        assert_eq!(found.iter().map(|s| s.row).collect::<Vec<_>>(), [1234, 41]);
        assert!((found[0].height - 50.0).abs() < 1.5 && found[1].sigmas < -10.0, "{found:?}");
        assert!(mended.iter().zip(&clean).all(|(a, b)| (a - b).abs() < 0.05));
    }

    /// A step or a wide scratch is part of the surface.
    #[test]
    fn what_neighbours_follow_is_no_spike() {
        let mut z = waves();
        z[500..520].iter_mut().enumerate().for_each(|(i, z)| *z -= (0.157 * i as f64).sin());
        assert!(spikes(&z).0.is_empty());
        assert!(spikes(&[0.0; 20]).0.is_empty());
    }
}
