//! Colours. Curves have those of Okabe and Ito, which people who see few colours can tell apart.

/// What a thing is drawn with. A figure on its own has the colour on white; inside a page the class lets the page choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ink {
    /// Text and axes.
    Text,
    /// Less important text.
    Faint,
    /// Grid lines.
    Grid,
    /// Behind everything.
    Paper,
    /// Behind the curves while a contact sticks.
    Stick,
    /// The curve of that number; numbers go round.
    Curve(usize),
    /// As `Curve`, drawn pale: what is not the main thing.
    Pale(usize),
    /// Any other.
    Rgb([u8; 3]),
}

/// Okabe and Ito's colours, the ones hard to see on white last.
pub const CURVES: [[u8; 3]; 8] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0x33, 0x33, 0x33],
    [0xb8, 0xa8, 0x00],
];

/// Viridis, every eighth of the way.
const VIRIDIS: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2d, 0x7b],
    [0x3b, 0x52, 0x8b],
    [0x2c, 0x72, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x28, 0xae, 0x80],
    [0x5e, 0xc9, 0x62],
    [0xad, 0xdc, 0x30],
    [0xfd, 0xe7, 0x25],
];

impl Ink {
    /// The colour on white.
    pub fn rgb(self) -> [u8; 3] {
        match self {
            Ink::Text => [0x1f, 0x23, 0x28],
            Ink::Faint => [0x5c, 0x63, 0x6b],
            Ink::Grid => [0xe3, 0xe5, 0xe8],
            Ink::Paper => [0xff, 0xff, 0xff],
            Ink::Stick => [0xc9, 0xcd, 0xd4],
            Ink::Curve(n) => CURVES[n % CURVES.len()],
            Ink::Pale(n) => CURVES[n % CURVES.len()].map(|c| 255 - (255 - c) / 10 * 4),
            Ink::Rgb(c) => c,
        }
    }

    /// The colour as a page writes it.
    pub fn hex(self) -> String {
        let [r, g, b] = self.rgb();
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// The name by which a page can choose another colour.
    pub fn class(self) -> Option<String> {
        Some(match self {
            Ink::Text => "text".into(),
            Ink::Faint => "faint".into(),
            Ink::Grid => "grid".into(),
            Ink::Paper => "paper".into(),
            Ink::Stick => "stick".into(),
            Ink::Curve(n) => format!("c{}", n % CURVES.len()),
            Ink::Pale(n) => format!("p{}", n % CURVES.len()),
            Ink::Rgb(_) => return None,
        })
    }
}

/// The colour of a share between 0 and 1.
pub fn heat(share: f64) -> Ink {
    let place = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 } * (VIRIDIS.len() - 1) as f64;
    let i = (place as usize).min(VIRIDIS.len() - 2);
    let part = place - i as f64;
    let mix = |k: usize| (VIRIDIS[i][k] as f64 * (1.0 - part) + VIRIDIS[i + 1][k] as f64 * part).round() as u8;
    Ink::Rgb([mix(0), mix(1), mix(2)])
}

/// The colour of a mode or regime; other words take those of the curves in turn.
pub fn word(word: &str, turn: usize) -> Ink {
    Ink::Rgb(match word {
        "stick" | "stuck" => [0x8a, 0x8f, 0x98],
        "slip+" | "limit-cycle" => CURVES[0],
        "slip-" | "irregular" => CURVES[4],
        "open" | "separated" => [0xf0, 0xe4, 0x42],
        "stick-slip" => CURVES[1],
        "steady-sliding" => CURVES[5],
        "diverged" => CURVES[6],
        _ => CURVES[turn % CURVES.len()],
    })
}
