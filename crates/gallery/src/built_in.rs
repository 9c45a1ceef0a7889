//! The gallery inside the program, so that it can be reproduced anywhere. A test compares the list with the folder.

/// A paper: its name, what is expected, and its figures with their scenarios.
type Paper = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

macro_rules! papers {
    ($($paper:literal: $($figure:literal)*;)*) => {
        /// All papers.
        pub const PAPERS: &[Paper] = &[$((
            $paper,
            include_str!(concat!("../../../gallery/", $paper, "/expected.toml")),
            &[$(($figure, include_str!(concat!("../../../gallery/", $paper, "/", $figure, ".toml")))),*],
        )),*];
    };
}

papers! {
    "berger": "fig-1" "fig-3" "fig-4" "fig-5" "fig-9" "fig-12" "fig-14" "fig-15" "fig-16" "fig-17" "fig-18" "fig-19" "fig-20" "fig-23" "fig-24" "fig-27" "fig-28" "fig-30" "fig-31" "table-3" "table-4";
    "cho-barber": "fig-2a" "fig-2b" "fig-3" "fig-4a" "fig-4b" "fig-5" "fig-6" "fig-7" "fig-8" "sec-4";
    "hashiguchi-ozaki": "fig-1" "fig-3" "fig-4" "fig-5" "fig-6" "fig-7";
    "lim-chen": "eq-17" "eq-26" "fig-2" "fig-3" "fig-4a" "fig-4b" "fig-5";
    "oden-martins": "fig-7" "fig-8" "fig-15" "fig-17" "fig-27" "fig-32-37" "fig-38" "fig-39" "fig-40" "fig-41-43" "fig-50" "fig-52-59" "fig-62" "fig-63" "fig-64" "fig-65" "fig-66" "fig-67" "fig-68" "fig-69" "fig-70" "fig-71" "fig-72" "fig-73" "fig-74" "fig-76" "fig-77" "fig-78-80" "fig-81-83" "sec-5.4" "table-1";
}
