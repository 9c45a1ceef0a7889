//! A figure: panels with layers, before anything is placed.

use crate::draw::axis::{Axis, Log};
use crate::draw::colour::Ink;
use crate::draw::layout;
use crate::draw::raster;
use crate::draw::scene::Dash;
use crate::draw::svg::{self, Place};
use crate::draw::words;

/// A figure of a dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Short name, fit for a file.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// A remark under the title.
    pub note: String,
    /// From top to bottom.
    pub(crate) panels: Vec<Panel>,
    /// Whether the panels have one x axis, under the last.
    pub(crate) shared: bool,
}

/// One pair of axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Panel {
    pub x: Axis,
    pub y: Axis,
    /// Height of the axes; the width is that of the figure.
    pub height: f64,
    pub layers: Vec<Layer>,
    pub keys: Vec<Key>,
    pub bar: Option<Bar>,
    /// Whether a length across is as long as one upwards: a path in the plane keeps its shape.
    pub equal: bool,
}

/// What is drawn between the axes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Layer {
    /// A curve.
    Curve(Curve),
    /// Ranges of x, behind everything.
    Shade { spans: Vec<(f64, f64)> },
    /// Rectangles in values of the axes.
    Boxes(Vec<Block>),
    /// Text beside a value.
    Label { x: f64, y: f64, text: String },
    /// A line through the whole panel.
    Rule(Rule),
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Curve {
    pub x: Vec<f64>,
    pub y: Vec<f64>,
    pub ink: Ink,
    pub dash: Dash,
    pub width: f64,
    /// Whether x never falls, as time.
    pub rising: bool,
    /// Dots at the points.
    pub dots: bool,
}

/// A line through the whole panel at one value of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rule {
    pub at: f64,
    /// Upright, at a value of x; else level, at a value of y.
    pub upright: bool,
    pub ink: Ink,
    /// What stands at its head, where it is upright.
    pub text: String,
}

/// A filled rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Block {
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub ink: Ink,
}

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    pub name: String,
    pub ink: Ink,
    /// A line of this kind; else a box.
    pub line: Option<Dash>,
}

/// A bar that explains colours.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bar {
    pub axis: Axis,
    pub range: (f64, f64),
}

/// Width of an ordinary curve.
pub(crate) const CURVE: f64 = 1.5;

impl Curve {
    /// A curve in time or along another x that never falls.
    pub fn rising(x: Vec<f64>, y: Vec<f64>, ink: Ink) -> Curve {
        Curve { x, y, ink, dash: Dash::Solid, width: CURVE, rising: true, dots: false }
    }

    /// A path in a plane.
    pub fn path(x: Vec<f64>, y: Vec<f64>, ink: Ink) -> Curve {
        Curve { rising: false, ..Curve::rising(x, y, ink) }
    }
}

impl Key {
    /// A line in the legend.
    pub fn line(name: impl Into<String>, ink: Ink, dash: Dash) -> Key {
        Key { name: name.into(), ink, line: Some(dash) }
    }

    /// A box in the legend.
    pub fn area(name: impl Into<String>, ink: Ink) -> Key {
        Key { name: name.into(), ink, line: None }
    }
}

impl Figure {
    /// This figure with another below it, on one x axis.
    pub fn over(mut self, below: Figure) -> Figure {
        self.panels.extend(below.panels);
        self.panels.iter_mut().for_each(|p| p.height *= 0.6);
        self.shared = true;
        self
    }

    /// This figure with another below it, each on an x axis of its own.
    pub fn and(mut self, below: Figure) -> Figure {
        self.panels.extend(below.panels);
        self.panels.iter_mut().for_each(|p| p.height *= 0.6);
        self.shared = false;
        self
    }

    pub(crate) fn new(name: impl Into<String>, title: impl Into<String>, panels: Vec<Panel>) -> Figure {
        let shared = panels.len() > 1;
        Figure { name: name.into(), title: title.into(), note: String::new(), panels, shared }
    }

    pub(crate) fn noted(mut self, note: impl Into<String>) -> Figure {
        self.note = note.into();
        self
    }

    /// With no logarithmic axis, whatever the data.
    pub fn linear(mut self) -> Figure {
        for panel in &mut self.panels {
            (panel.x.log, panel.y.log) = (Log::No, Log::No);
        }
        self
    }

    /// The figure as SVG, with its title, on white.
    pub fn svg(&self) -> String {
        svg::svg(&layout::scene(self, true), &self.title, Place::File)
    }

    /// The figure as PNG, so many pixels wide; 1440 is two pixels for each unit of the SVG.
    pub fn png(&self, width: u32) -> Vec<u8> {
        raster::png(&layout::scene(self, true), width)
    }

    /// The first panel as text for a terminal: so many columns and rows of characters between the axes.
    pub fn text(&self, columns: usize, rows: usize) -> String {
        self.panels.first().map_or(String::new(), |panel| words::panel(panel, columns, rows))
    }

    /// The figure inside a page: without title, with what the page's script needs.
    pub(crate) fn inline(&self) -> String {
        svg::svg(&layout::scene(self, false), &self.title, Place::Page(&self.name))
    }
}
