//! The files of the page, inside the program.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its path below the page.
    pub path: &'static str,
    /// Its media type.
    pub media: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

macro_rules! assets {
    ($($media:literal: $($path:literal)*;)*) => {
        /// All of them; the first is the page itself.
        pub const ASSETS: &[Asset] = &[$($(Asset {
            path: $path, media: $media, bytes: include_bytes!(concat!("../page/", $path)),
        },)*)*];
    };
}

assets! {
    "text/html; charset=utf-8": "index.html";
    "text/css; charset=utf-8": "style.css" "vendor/uplot.css";
    "text/javascript; charset=utf-8":
        "app.js" "answer.js" "canvas.js" "completion.js" "editor.js" "engine.js" "fragment.js" "map.js" "plots.js"
        "questions.js" "sliders.js" "sound.js" "toml.js" "worker.js" "vendor/codemirror.js" "vendor/uplot.js";
    "application/json": "catalogue.json" "scenarios.json" "schema.json";
    "image/svg+xml": "icon.svg";
    "text/plain; charset=utf-8": "vendor/LICENSES.txt";
}

/// The file at a path below the page.
pub fn asset(path: &str) -> Option<Asset> {
    let path = if path.is_empty() { ASSETS[0].path } else { path };
    ASSETS.iter().find(|a| a.path == path).copied()
}
