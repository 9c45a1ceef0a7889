//! What a figure consists of once it is laid out: a few kinds of marks on a sheet, y downwards.

use crate::draw::colour::Ink;

/// A point of the sheet.
pub type Point = [f64; 2];

/// A rectangle of the sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

/// How a line is interrupted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Dash {
    /// Not at all.
    #[default]
    Solid,
    /// Dashes.
    Dashed,
    /// Dots.
    Dotted,
}

impl Dash {
    /// Lengths of marks and gaps, for a line one unit wide.
    pub fn pattern(self) -> Option<[f64; 2]> {
        match self {
            Dash::Solid => None,
            Dash::Dashed => Some([4.0, 2.5]),
            Dash::Dotted => Some([1.2, 1.8]),
        }
    }
}

/// Which part of a text stands at its point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// One mark.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points; one that is not finite interrupts it.
    Line { points: Vec<Point>, ink: Ink, width: f64, dash: Dash },
    /// Discs.
    Dots { points: Vec<Point>, ink: Ink, radius: f64 },
    /// A filled rectangle.
    Fill { area: Area, ink: Ink, opacity: f64 },
    /// A picture, row by row from the top; transparent where there is none.
    Picture { area: Area, columns: usize, pixels: Vec<Option<[u8; 3]>> },
    /// A text; `turned` reads upwards.
    Text { at: Point, text: String, size: f64, anchor: Anchor, turned: bool, bold: bool, ink: Ink },
    /// What follows, up to `End`, is cut to a panel.
    Begin { area: Area, about: Vec<(&'static str, String)> },
    /// The end of a panel.
    End,
    /// What follows, up to `EndAxes`, are the grid and tick labels of the next panel, which a page may draw again.
    Axes,
    /// The end of these.
    EndAxes,
}

/// A laid-out figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// Marks in the order of drawing.
    pub marks: Vec<Mark>,
}
