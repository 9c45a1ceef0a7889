//! How a figure becomes lines, letters and pixels.
pub mod axis;
pub mod colour;
pub mod downsample;
pub mod font;
pub mod layout;
pub mod legend;
pub mod panel;
pub mod raster;
pub mod scale;
pub mod scene;
pub mod svg;
pub mod ticks;
pub mod words;
