//! A scene as PNG.

use crate::draw::colour::Ink;
use crate::draw::font;
use crate::draw::scene::{Anchor, Area, Mark, Point, Scene};
use tiny_skia::{
    FillRule, LineCap, LineJoin, Mask, Paint, PathBuilder, Pixmap, PremultipliedColorU8, Rect, Stroke, StrokeDash,
    Transform,
};

/// A strong text is drawn with an outline of this many ems, and its letters as much further apart.
const BOLD: f64 = 0.04;
/// Largest picture: what the rasteriser can count.
const LARGEST: f64 = 8000.0;

/// The PNG of a scene, so many pixels wide. One that would become too large is made smaller.
pub fn png(scene: &Scene, width: u32) -> Vec<u8> {
    let largest = LARGEST / scene.width.max(scene.height).max(1.0);
    let k = (width.max(1) as f64 / scene.width.max(1.0)).min(largest);
    let size = |length: f64| (length * k).round().clamp(1.0, LARGEST) as u32;
    let mut sheet = Sheet {
        pixels: Pixmap::new(size(scene.width), size(scene.height)).expect("neither empty nor huge"),
        to: Transform::from_scale(k as f32, k as f32),
        mask: None,
    };
    for mark in &scene.marks {
        sheet.draw(mark);
    }
    encoded(&sheet.pixels)
}

/// The PNG of a picture, one pixel each.
pub fn picture(columns: usize, pixels: &[Option<[u8; 3]>]) -> Vec<u8> {
    let rows = pixels.len() / columns.max(1);
    let mut map = Pixmap::new(columns.max(1) as u32, rows.max(1) as u32).expect("neither empty nor huge");
    for (to, from) in map.pixels_mut().iter_mut().zip(pixels) {
        *to = match from {
            Some([r, g, b]) => PremultipliedColorU8::from_rgba(*r, *g, *b, 255).unwrap_or(*to),
            None => PremultipliedColorU8::TRANSPARENT,
        };
    }
    encoded(&map)
}

/// The file of a picture. An encoder made for PNG: zlib's usual effort took most of the time of a short run, to save a third of
/// the size.
fn encoded(map: &Pixmap) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(map.data().len());
    // What is not see-through is stored as it is.
    match map.data().chunks_exact(4).all(|rgba| rgba[3] == u8::MAX) {
        true => bytes.extend_from_slice(map.data()),
        false => bytes.extend(
            map.pixels().iter().map(|p| p.demultiply()).flat_map(|c| [c.red(), c.green(), c.blue(), c.alpha()]),
        ),
    }
    let mut file = vec![];
    let mut encoder = png::Encoder::new(&mut file, map.width(), map.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&bytes));
    written.expect("pixels in memory can be encoded");
    file
}

struct Sheet {
    pixels: Pixmap,
    to: Transform,
    mask: Option<Mask>,
}

impl Sheet {
    fn draw(&mut self, mark: &Mark) {
        match mark {
            Mark::Line { points, ink, width, dash } => {
                let dash = dash.pattern().map(|p| p.map(|l| (l * width) as f32).to_vec());
                let stroke = Stroke {
                    width: *width as f32,
                    line_cap: LineCap::Butt,
                    line_join: LineJoin::Round,
                    dash: dash.and_then(|d| StrokeDash::new(d, 0.0)),
                    ..Stroke::default()
                };
                self.line(points, *ink, &stroke);
            }
            Mark::Dots { points, ink, radius } => {
                let mut pen = PathBuilder::new();
                for p in points.iter().filter(|p| finite(p)) {
                    pen.push_circle(p[0] as f32, p[1] as f32, *radius as f32);
                }
                if let Some(path) = pen.finish() {
                    let (to, mask) = (self.to, self.mask.as_ref());
                    self.pixels.fill_path(&path, &paint(*ink, 1.0), FillRule::Winding, to, mask);
                }
            }
            Mark::Fill { area, ink, opacity } => self.fill(area, *ink, *opacity),
            Mark::Picture { area, columns, pixels } => {
                let rows = pixels.len() / (*columns).max(1);
                let (w, h) = (area.w / *columns as f64, area.h / rows as f64);
                for (i, pixel) in pixels.iter().enumerate() {
                    let (column, row) = (i % columns, i / columns);
                    let one = Area { x: area.x + column as f64 * w, y: area.y + row as f64 * h, w, h };
                    if let Some(colour) = pixel {
                        self.fill(&one, Ink::Rgb(*colour), 1.0);
                    }
                }
            }
            Mark::Text { at, text, size, anchor, turned, bold, ink } => {
                let shift = match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => -0.5,
                    Anchor::End => -1.0,
                } * font::width(text, *size);
                let turn = if *turned { Transform::from_rotate(-90.0) } else { Transform::identity() };
                let to = self.to.pre_translate(at[0] as f32, at[1] as f32).pre_concat(turn);
                let to = to.pre_translate(shift as f32, 0.0);
                if let Some(path) = font::outline(text, *size, if *bold { BOLD * size } else { 0.0 }) {
                    self.pixels.fill_path(&path, &paint(*ink, 1.0), FillRule::Winding, to, None);
                    if *bold {
                        let stroke = Stroke { width: (BOLD * size) as f32, ..Stroke::default() };
                        self.pixels.stroke_path(&path, &paint(*ink, 1.0), &stroke, to, None);
                    }
                }
            }
            Mark::Begin { area, .. } => self.mask = self.mask(area),
            Mark::End => self.mask = None,
            Mark::Axes | Mark::EndAxes => {}
        }
    }

    fn line(&mut self, points: &[Point], ink: Ink, stroke: &Stroke) {
        let mut pen = PathBuilder::new();
        let mut drawing = false;
        for p in points {
            if finite(p) {
                let [x, y] = p.map(|c| c.clamp(-1e5, 1e5) as f32);
                if drawing { pen.line_to(x, y) } else { pen.move_to(x, y) }
            }
            drawing = finite(p);
        }
        if let Some(path) = pen.finish() {
            self.pixels.stroke_path(&path, &paint(ink, 1.0), stroke, self.to, self.mask.as_ref());
        }
    }

    fn fill(&mut self, area: &Area, ink: Ink, opacity: f64) {
        let [x, y, w, h] = [area.x, area.y, area.w, area.h].map(|c| c.clamp(-1e5, 1e5) as f32);
        if let Some(rect) = Rect::from_xywh(x, y, w, h) {
            // Neighbours meet without a seam.
            let paint = Paint { anti_alias: false, ..paint(ink, opacity) };
            self.pixels.fill_rect(rect, &paint, self.to, self.mask.as_ref());
        }
    }

    fn mask(&self, area: &Area) -> Option<Mask> {
        let mut mask = Mask::new(self.pixels.width(), self.pixels.height())?;
        let rect = Rect::from_xywh(area.x as f32, area.y as f32, area.w as f32, area.h as f32)?;
        mask.fill_path(&PathBuilder::from_rect(rect), FillRule::Winding, true, self.to);
        Some(mask)
    }
}

fn finite(p: &Point) -> bool {
    p[0].is_finite() && p[1].is_finite()
}

fn paint(ink: Ink, opacity: f64) -> Paint<'static> {
    let [r, g, b] = ink.rgb();
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, (opacity.clamp(0.0, 1.0) * 255.0).round() as u8);
    paint
}
