//! Figures and the HTML report, from a [`Dataset`] alone: anything here can be drawn again without running again.
//!
//! [`figures`] gives those figures that make sense for what is there, [`xy`] draws any two columns of a table, [`html`]
//! writes one page that opens offline, and [`write_report`] gives all of it as files for the folder of a run. [`index`]
//! is a page over several runs.
//!
//! ```
//! use stickslip_data::{Dataset, Outcome, Provenance, Table};
//!
//! let mut series = Table::new("series");
//! series.push("t", "s", vec![0.0, 1.0, 2.0]);
//! series.push("x", "m", vec![0.0, 1e-3, 0.0]);
//! series.push("rate.x", "m/s", vec![0.0, 1e-3, 0.0]);
//! let outcome = Outcome { tables: vec![series], ..Outcome::default() };
//! let dataset = Dataset::single(outcome, Provenance::default());
//! let figures = stickslip_report::figures(&dataset);
//! assert_eq!(figures[0].name, "series");
//! assert!(figures[0].svg().contains("x (mm)"));
//! ```

mod draw;
mod figures;
mod pages;
pub use crate::draw::scale::readable;
pub use crate::figures::parts::Figure;
pub use crate::figures::xy::{FigureError, Style, curves, xy};
pub use crate::pages::files::write_report;
pub use crate::pages::index::{Card, index};
pub use crate::pages::single::html;

use stickslip_data::Dataset;

/// The figures that make sense for what the dataset holds, the most telling first. No two have the same name.
pub fn figures(dataset: &Dataset) -> Vec<Figure> {
    let series = figures::series::series(dataset);
    let mut out = figures::comparison::figures(dataset);
    out.extend(figures::time::figures(&series));
    out.extend(figures::planes::figures(&series));
    out.extend(
        figures::modes::figure(&series).filter(|_| !series.iter().any(|s| figures::series::quasi_static(s.table))),
    );
    out.extend(figures::planes::paths(dataset));
    out.extend(figures::branches::figures(dataset));
    out.extend(figures::responses::figures(dataset));
    out.extend(figures::multipliers::figure(dataset));
    out.extend(figures::density::figures(dataset));
    out.extend(figures::map::figures(dataset));
    out.extend(figures::fit::figures(dataset));
    out.extend(figures::ledger::figure(dataset));
    for i in 1..out.len() {
        let earlier = out[..i].iter().filter(|f| f.name == out[i].name).count();
        if earlier > 0 {
            out[i].name = format!("{}-{}", out[i].name, i + 1);
        }
    }
    out
}
