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

mod axis;
mod colour;
mod downsample;
mod figure;
mod files;
mod fit;
mod font;
mod index;
mod layout;
mod ledger;
mod legend;
mod map;
mod modes;
mod names;
mod page;
mod panel;
mod planes;
mod raster;
mod records;
mod scale;
mod scene;
mod series;
mod stability;
mod svg;
mod sweep;
mod text;
mod ticks;
mod time;
mod xy;

pub use figure::Figure;
pub use files::write_report;
pub use index::{Card, index};
pub use page::html;
pub use scale::readable;
pub use xy::{FigureError, xy};

use stickslip_data::Dataset;

/// The figures that make sense for what the dataset holds, the most telling first. No two have the same name.
pub fn figures(dataset: &Dataset) -> Vec<Figure> {
    let series = series::series(dataset);
    let mut out = time::figures(&series);
    out.extend(planes::figures(&series));
    out.extend(modes::figure(&series).filter(|_| !series.iter().any(|s| series::quasi_static(s.table))));
    out.extend(planes::paths(dataset));
    out.extend(map::figures(dataset));
    out.extend(fit::figures(dataset));
    out.extend(ledger::figure(dataset));
    for i in 1..out.len() {
        let earlier = out[..i].iter().filter(|f| f.name == out[i].name).count();
        if earlier > 0 {
            out[i].name = format!("{}-{}", out[i].name, i + 1);
        }
    }
    out
}
