//! `compare`: the same question under other friction laws.
use crate::input::Input;
use crate::run::{Shown, run_scenario};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use stickslip::scenario::Comparison;

/// What is compared.
#[derive(Clone, Args)]
pub struct Asked {
    /// Friction laws, matched to the scenario's own: --laws coulomb,lugre,rate-state.
    #[arg(long, value_name = "LAW,..", value_delimiter = ',', required = true)]
    laws: Vec<String>,
    /// Speeds of steady sliding at which they are matched: --speeds "1 mm/s,1 cm/s". A tenth of the drive's speed and that
    /// speed by default.
    #[arg(long, value_name = "SPEED,..", value_delimiter = ',')]
    speeds: Vec<String>,
    /// Time at rest after which the peak of the friction is matched; 1 s by default.
    #[arg(long, value_name = "TIME", requires = "speeds")]
    hold: Option<String>,
    /// Stiffness in stick of the laws that have one.
    #[arg(long, value_name = "STIFFNESS", requires = "speeds")]
    stiffness: Option<String>,
    /// Results to compare: --collect regime,amplitude_pp.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    collect: Vec<String>,
}

/// Compares laws under the analysis of a scenario.
pub fn compare(input: &Input, asked: &Asked, out: Option<PathBuf>, shown: Shown) -> ExitCode {
    let Asked { laws, speeds, hold, stiffness, collect } = asked.clone();
    let asked = Comparison { laws, speeds, hold, stiffness, collect };
    let read = input.read().and_then(|scenario| scenario.comparing(&asked));
    run_scenario(input, read, out, shown)
}
