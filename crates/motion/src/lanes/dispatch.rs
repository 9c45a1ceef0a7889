//! What is compiled for each size of system and each instruction set, chosen at run time.
use stickslip_laws::Laned;

/// Something that is compiled for `N` coordinates and `M` unknowns, with vectors of `V`.
pub trait Job {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<V: Laned, const N: usize, const M: usize>(self) -> Self::Output;
}

/// Nothing: whether a job would be done.
pub struct Whether;

impl Job for Whether {
    type Output = ();
    fn run<V: Laned, const N: usize, const M: usize>(self) {}
}

/// Does a job for a system of so many coordinates and unknowns with the widest vectors of this machine; None where it has no
/// vectors of a known kind, or the size is not built.
pub fn built<J: Job>(size: (usize, usize), job: J) -> Option<J::Output> {
    #[cfg(target_arch = "x86_64")]
    {
        use stickslip_real::lanes::{Avx2, Avx512, Vector};
        if Avx512::available() {
            return sized::<Avx512, J>(size, job);
        } else if Avx2::available() {
            return sized::<Avx2, J>(size, job);
        }
    }
    let _ = (size, job);
    None
}

/// Does a job with vectors of `V`. These are all sizes that are built.
pub fn sized<V: Laned, J: Job>(size: (usize, usize), job: J) -> Option<J::Output> {
    Some(match size {
        (1, 3) => job.run::<V, 1, 3>(),
        (1, 4) => job.run::<V, 1, 4>(),
        (2, 6) => job.run::<V, 2, 6>(),
        _ => return None,
    })
}
