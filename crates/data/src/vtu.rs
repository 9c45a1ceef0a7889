//! Meshes with fields as ParaView and VisIt read them: VTU files, and a PVD file that names those of a series in time.
//!
//! Numbers stand in the file as they are in memory, in base64: no digit is lost, and a file is a text.
use std::fmt::Write;

/// The form of a cell, with its nodes in the order of VTK: corners, middles of the sides, the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A side of two nodes.
    Line,
    /// A side of three.
    QuadraticLine,
    /// A triangle of three nodes.
    Triangle,
    /// A triangle of six.
    QuadraticTriangle,
    /// A quadrilateral of four nodes.
    Quad,
    /// A quadrilateral of eight.
    QuadraticQuad,
    /// A quadrilateral of nine.
    BiquadraticQuad,
}

impl Cell {
    /// Its number in VTK, and its nodes.
    fn kind(self) -> (u8, usize) {
        match self {
            Cell::Line => (3, 2),
            Cell::Triangle => (5, 3),
            Cell::Quad => (9, 4),
            Cell::QuadraticLine => (21, 3),
            Cell::QuadraticTriangle => (22, 6),
            Cell::QuadraticQuad => (23, 8),
            Cell::BiquadraticQuad => (28, 9),
        }
    }
}

/// A field on the nodes or on the cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name, with its unit.
    pub name: String,
    /// Numbers at each place: 1, or 3 for a vector.
    pub components: usize,
    /// All numbers, place after place.
    pub values: Vec<f64>,
}

/// A mesh with fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// Places of the nodes, m.
    pub nodes: Vec<[f64; 3]>,
    /// Cells with their nodes.
    pub cells: Vec<(Cell, Vec<u32>)>,
    /// Fields on the nodes.
    pub on_nodes: Vec<Field>,
    /// Fields on the cells.
    pub on_cells: Vec<Field>,
}

/// Why a grid can't be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadGrid(pub String);

impl std::fmt::Display for BadGrid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadGrid {}

impl Grid {
    /// The text of a VTU file.
    pub fn vtu(&self) -> Result<String, BadGrid> {
        self.check()?;
        let mut out = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\">\n<UnstructuredGrid>\n",
        );
        let _ = writeln!(out, "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">", self.nodes.len(), self.cells.len());
        out.push_str("<Points>\n");
        array(&mut out, "Float64", "Points", 3, self.nodes.iter().flatten().flat_map(|x| x.to_le_bytes()));
        out.push_str("</Points>\n<Cells>\n");
        let nodes = self.cells.iter().flat_map(|(_, nodes)| nodes);
        array(&mut out, "Int64", "connectivity", 1, nodes.flat_map(|k| i64::from(*k).to_le_bytes()));
        let ends = self.cells.iter().scan(0i64, |end, (_, nodes)| {
            *end += nodes.len() as i64;
            Some(*end)
        });
        array(&mut out, "Int64", "offsets", 1, ends.flat_map(i64::to_le_bytes));
        array(&mut out, "UInt8", "types", 1, self.cells.iter().map(|(cell, _)| cell.kind().0));
        out.push_str("</Cells>\n");
        for (tag, fields) in [("PointData", &self.on_nodes), ("CellData", &self.on_cells)] {
            let _ = writeln!(out, "<{tag}>");
            for field in fields {
                let bytes = field.values.iter().flat_map(|x| x.to_le_bytes());
                array(&mut out, "Float64", &field.name, field.components, bytes);
            }
            let _ = writeln!(out, "</{tag}>");
        }
        out.push_str("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
        Ok(out)
    }

    fn check(&self) -> Result<(), BadGrid> {
        for (k, (cell, nodes)) in self.cells.iter().enumerate() {
            let (_, count) = cell.kind();
            if nodes.len() != count || nodes.iter().any(|n| *n as usize >= self.nodes.len()) {
                return Err(BadGrid(format!(
                    "cell {k} is a {cell:?} with the nodes {nodes:?} of {}",
                    self.nodes.len()
                )));
            }
        }
        for (fields, places) in [(&self.on_nodes, self.nodes.len()), (&self.on_cells, self.cells.len())] {
            if let Some(field) = fields.iter().find(|f| f.values.len() != places * f.components) {
                let (found, name) = (field.values.len(), &field.name);
                return Err(BadGrid(format!("the field `{name}` has {found} numbers at {places} places")));
            }
        }
        Ok(())
    }
}

/// The text of a PVD file: the time of each file of a series, and its name.
pub fn pvd<'a>(files: impl IntoIterator<Item = (f64, &'a str)>) -> String {
    let mut out =
        String::from("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n");
    for (t, file) in files {
        let _ = writeln!(out, "<DataSet timestep=\"{t}\" part=\"0\" file=\"{}\"/>", escaped(file));
    }
    out.push_str("</Collection>\n</VTKFile>\n");
    out
}

fn array(out: &mut String, kind: &str, name: &str, components: usize, bytes: impl Iterator<Item = u8>) {
    let _ = write!(
        out,
        "<DataArray type=\"{kind}\" Name=\"{}\" NumberOfComponents=\"{components}\" format=\"binary\">",
        escaped(name)
    );
    let data: Vec<u8> = bytes.collect();
    // Its length and the data are encoded as one.
    base64((data.len() as u64).to_le_bytes().into_iter().chain(data), out);
    out.push_str("</DataArray>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn base64(mut bytes: impl Iterator<Item = u8>, out: &mut String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    while let Some(first) = bytes.next() {
        let rest = [bytes.next(), bytes.next()];
        let all = [Some(first), rest[0], rest[1]].iter().fold(0u32, |all, b| all << 8 | u32::from(b.unwrap_or(0)));
        let known = 2 + rest.iter().flatten().count();
        for k in 0..4 {
            let digit = DIGITS[(all >> (18 - 6 * k) & 63) as usize];
            out.push(if k < known { char::from(digit) } else { '=' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Grid {
        Grid {
            nodes: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
            cells: vec![(Cell::Quad, vec![0, 1, 2, 3])],
            on_nodes: vec![Field { name: "pressure (Pa)".into(), components: 1, values: vec![1.0, 2.0, 3.0, 4.0] }],
            on_cells: vec![],
        }
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        for (text, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            let mut out = String::new();
            base64(text.bytes(), &mut out);
            assert_eq!(out, coded);
        }
    }

    #[test]
    fn a_file_holds_every_number_behind_its_length() {
        let text = square().vtu().unwrap();
        assert!(text.contains("NumberOfPoints=\"4\" NumberOfCells=\"1\""));
        // 32 bytes: their count, then 1.0, 2.0, 3.0, 4.0.
        let expected = "IAAAAAAAAAAAAAAAAADwPwAAAAAAAABAAAAAAAAACEAAAAAAAAAQQA==";
        assert!(text.contains(expected), "{text}");
        // One cell of type 9.
        assert!(text.contains(">AQAAAAAAAAAJ<"), "{text}");
    }

    #[test]
    fn a_grid_that_is_none_is_refused() {
        let mut grid = square();
        grid.cells[0].1[3] = 4;
        assert!(grid.vtu().unwrap_err().to_string().contains("cell 0"));
        let mut grid = square();
        grid.on_nodes[0].values.pop();
        assert!(grid.vtu().unwrap_err().to_string().contains("pressure"));
    }

    #[test]
    fn a_series_names_its_files_with_their_times() {
        let text = pvd([(0.0, "a.vtu"), (0.5, "b.vtu")]);
        assert!(text.contains("<DataSet timestep=\"0.5\" part=\"0\" file=\"b.vtu\"/>"), "{text}");
    }
}
