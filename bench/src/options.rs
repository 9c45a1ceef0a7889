//! What is asked on the command line.
pub const USAGE: &str =
    "usage: bench/run [w1] [w1e] [w2] [w4] [n1] [f2] [f3] [--quick] [--every N] [--known] [--case N] [--rtol R] [--detail] [--alone]
  w1        one stiff rate-and-state run, three of them
  w1e       1,000 of them
  w2        10,000 stick-slip periods of a block on a belt
  w4        one velocity step, the forward model of a fit, with derivatives
  n1        a block and a chain of 100 in steps of fixed length
  f2        a sparse nonsymmetric system of a meshed body, on four meshes
  f3        20 eigenvalues of such a body on a belt
  --quick   a look in a minute: fewer cases, fewer repetitions
  --every N take every N-th pair of w1e
  --known   take only the pairs of w1e that have a reference
  --case N  take only the N-th case of w1, w1e (1: one by one, 2: in lanes, 3: at equal error), w2, n1, f2 or f3
  --rtol R  take only this tolerance of ours in w1 and w1e
  --detail  also print the work of the slowest pairs of w1e
  --alone   leave the peers out";

#[derive(Clone, Copy, PartialEq)]
pub enum Work {
    Single,
    Ensemble,
    Belt,
    Steps,
    VelocityStep,
    System,
    Spectrum,
}

pub struct Options {
    pub works: Vec<Work>,
    pub quick: bool,
    pub every: usize,
    pub known: bool,
    pub rtol: Option<f64>,
    /// From 1.
    case: Option<usize>,
    pub detail: bool,
    /// The Python that has the peers.
    pub python: Option<String>,
    /// The system's own Python, for peers that come with the system.
    pub system_python: Option<String>,
}

impl Options {
    pub fn parse(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            works: vec![],
            quick: false,
            every: 0,
            known: false,
            rtol: None,
            case: None,
            detail: false,
            python: None,
            system_python: None,
        };
        let mut alone = false;
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or(format!("`{arg}` needs a value"));
            match arg.as_str() {
                "w1" => options.works.push(Work::Single),
                "w1e" => options.works.push(Work::Ensemble),
                "w2" => options.works.push(Work::Belt),
                "w4" => options.works.push(Work::VelocityStep),
                "n1" => options.works.push(Work::Steps),
                "f2" => options.works.push(Work::System),
                "f3" => options.works.push(Work::Spectrum),
                "--quick" => options.quick = true,
                "--known" => options.known = true,
                "--rtol" => {
                    let text = value()?;
                    options.rtol = Some(text.parse().map_err(|_| format!("`--rtol {text}`?"))?);
                }
                "--detail" => options.detail = true,
                "--alone" => alone = true,
                "--python" => options.python = Some(value()?),
                "--system-python" => options.system_python = Some(value()?),
                "--case" => {
                    let text = value()?;
                    options.case = Some(text.parse().map_err(|_| format!("`--case {text}`?"))?);
                }
                "--every" => {
                    let text = value()?;
                    options.every = text.parse().ok().filter(|n| *n > 0).ok_or(format!("`--every {text}`?"))?;
                }
                _ => return Err(format!("unknown: `{arg}`")),
            }
        }
        if options.works.is_empty() {
            use Work::*;
            options.works = vec![Single, Ensemble, Belt, Steps, VelocityStep, System, Spectrum];
        }
        if options.every == 0 {
            // 51 goes through both axes of the grid, and only through pairs that have a reference.
            options.every = if options.quick { 51 } else { 1 };
        }
        if alone {
            (options.python, options.system_python) = (None, None);
        }
        Ok(options)
    }

    /// Whether case `k`, from 0, is asked for.
    pub fn takes(&self, k: usize) -> bool {
        self.case.is_none_or(|case| case == k + 1)
    }
}
