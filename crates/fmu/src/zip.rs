//! An archive in the ZIP format, as units are packed.
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write;

/// Version 2.0: deflated files.
const VERSION: u16 = 20;
const DEFLATED: u16 = 8;
/// 1 January 1980, the first day that the format knows: the same scenario gives the same bytes.
const DAY: u16 = 0x21;

/// Files on their way into an archive.
#[derive(Default)]
pub struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    count: u16,
}

fn head(name: &str, content: &[u8], packed: usize) -> Vec<u8> {
    let mut out = vec![];
    for word in [VERSION, 0, DEFLATED, 0, DAY] {
        out.extend(word.to_le_bytes());
    }
    for word in [crc32fast::hash(content), packed as u32, content.len() as u32] {
        out.extend(word.to_le_bytes());
    }
    out.extend((name.len() as u16).to_le_bytes());
    out.extend(0u16.to_le_bytes());
    out
}

impl Zip {
    /// Adds a file.
    pub fn add(&mut self, name: &str, content: &[u8]) {
        let mut encoder = DeflateEncoder::new(vec![], Compression::default());
        // Memory takes all that is written.
        let _ = encoder.write_all(content);
        let packed = encoder.finish().unwrap_or_default();
        let (at, head) = (self.bytes.len() as u32, head(name, content, packed.len()));
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&head);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(packed);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(&head);
        // Comment, disk, attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(at.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.count += 1;
    }

    /// The bytes of the archive.
    pub fn finish(mut self) -> Vec<u8> {
        let at = self.bytes.len() as u32;
        self.bytes.extend(&self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        for _ in 0..2 {
            self.bytes.extend(self.count.to_le_bytes());
        }
        self.bytes.extend((self.directory.len() as u32).to_le_bytes());
        self.bytes.extend(at.to_le_bytes());
        self.bytes.extend(0u16.to_le_bytes());
        self.bytes
    }
}
