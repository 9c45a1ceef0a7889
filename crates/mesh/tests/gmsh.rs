//! Gmsh files: what is written in each of the four forms is read back; files that are none are refused.
use stickslip_mesh::{Kind, Mesh, Rule, gmsh};

/// A form of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Text2,
    Binary2,
    Text4,
    Binary4,
    /// With the bytes of each number in the other order.
    Swapped4,
}

const FORMS: [Form; 5] = [Form::Text2, Form::Binary2, Form::Text4, Form::Binary4, Form::Swapped4];

/// Writes numbers as a form has them.
struct Writer {
    form: Form,
    bytes: Vec<u8>,
}

impl Writer {
    fn text(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
    }
    fn put(&mut self, text: String, mut bytes: Vec<u8>) {
        match self.form {
            Form::Text2 | Form::Text4 => self.text(&(text + " ")),
            Form::Binary2 | Form::Binary4 => self.bytes.extend(bytes),
            Form::Swapped4 => {
                bytes.reverse();
                self.bytes.extend(bytes);
            }
        }
    }
    fn int(&mut self, x: i32) {
        self.put(x.to_string(), x.to_le_bytes().to_vec());
    }
    fn size(&mut self, x: usize) {
        self.put(x.to_string(), (x as u64).to_le_bytes().to_vec());
    }
    fn number(&mut self, x: f64) {
        self.put(format!("{x:?}"), x.to_le_bytes().to_vec());
    }
    fn point(&mut self, [x, y]: [f64; 2]) {
        [x, y, 0.25].iter().for_each(|x| self.number(*x));
    }
    fn is_text(&self) -> bool {
        matches!(self.form, Form::Text2 | Form::Text4)
    }
}

/// Type of an element, and of its sides' lines.
fn types(kind: Kind) -> (i32, i32) {
    match kind {
        Kind::T3 => (2, 1),
        Kind::T6 => (9, 8),
        Kind::Q4 => (3, 1),
        Kind::Q8 => (16, 8),
        Kind::Q9 => (10, 8),
    }
}

/// A mesh of one material as a file: the groups of lines are 1, 2, .. by name, that of the surface is 7, its name "steel".
/// Tags of nodes begin at 100.
fn file(mesh: &Mesh, form: Form) -> Vec<u8> {
    let mut to = Writer { form, bytes: vec![] };
    let version = if matches!(form, Form::Text2 | Form::Binary2) { "2.2" } else { "4.1" };
    to.text(&format!("$MeshFormat\n{version} {} 8\n", u8::from(!to.is_text())));
    if !to.is_text() {
        to.int(1);
        to.text("\n");
    }
    to.text("$EndMeshFormat\n$PhysicalNames\n");
    to.text(&format!("{}\n", mesh.boundaries.len() + 1));
    for (k, name) in mesh.boundaries.keys().enumerate() {
        to.text(&format!("1 {} \"{name}\"\n", k + 1));
    }
    to.text("2 7 \"steel\"\n$EndPhysicalNames\n$Comments\nanything at all\n$EndComments\n");
    let lines: Vec<(i32, Vec<Vec<u32>>)> = mesh
        .boundaries
        .values()
        .enumerate()
        .map(|(k, sides)| {
            let nodes = |side: &stickslip_mesh::Side| {
                let (nodes, count) = mesh.elements[side.element as usize].side(side.side);
                nodes[..count].to_vec()
            };
            (k as i32 + 1, sides.iter().map(nodes).collect())
        })
        .collect();
    let (area, line) = types(mesh.elements[0].kind);
    let areas: Vec<Vec<u32>> = mesh.elements.iter().map(|e| e.nodes().to_vec()).collect();
    let blocks: Vec<(i32, i32, i32, &Vec<Vec<u32>>)> =
        lines.iter().map(|(group, cells)| (1, *group, line, cells)).chain([(2, 7, area, &areas)]).collect();
    let count: usize = blocks.iter().map(|b| b.3.len()).sum();
    let n = mesh.nodes.len();
    if version == "2.2" {
        to.text(&format!("$Nodes\n{n}\n"));
        for (k, at) in mesh.nodes.iter().enumerate() {
            to.int(k as i32 + 100);
            to.point(*at);
        }
        to.text(&format!("\n$EndNodes\n$Elements\n{count}\n"));
        for (_, group, number, cells) in blocks {
            for (k, cell) in cells.iter().enumerate() {
                match to.is_text() {
                    true => [k as i32, number, 2, group, group].iter().for_each(|x| to.int(*x)),
                    false => [number, 1, 2, k as i32, group, group].iter().for_each(|x| to.int(*x)),
                }
                cell.iter().for_each(|node| to.int(*node as i32 + 100));
            }
        }
        to.text("\n$EndElements\n");
        return to.bytes;
    }
    to.text("$Entities\n");
    [0, lines.len(), 1, 0].iter().for_each(|x| to.size(*x));
    for (dimension, tag) in lines.iter().map(|l| (1, l.0)).chain([(2, 7)]) {
        to.int(10 * tag);
        (0..6).for_each(|_| to.number(0.5));
        to.size(1);
        // The first curve's group is reversed.
        to.int(if tag == 1 { -tag } else { tag });
        to.size(dimension);
        (0..dimension).for_each(|_| to.int(3));
    }
    to.text("\n$EndEntities\n$Nodes\n");
    // The first two nodes are on a curve, with their parameter.
    [2, n, 100, n + 99].iter().for_each(|x| to.size(*x));
    for (dimension, from, end) in [(1, 0, 2), (2, 2, n)] {
        [dimension, 10, i32::from(dimension == 1)].iter().for_each(|x| to.int(*x));
        to.size(end - from);
        (from..end).for_each(|k| to.size(k + 100));
        for at in &mesh.nodes[from..end] {
            to.point(*at);
            if dimension == 1 {
                to.number(0.125);
            }
        }
    }
    to.text("\n$EndNodes\n$Elements\n");
    [blocks.len(), count, 0, count].iter().for_each(|x| to.size(*x));
    for (dimension, tag, number, cells) in blocks {
        [dimension, 10 * tag, number].iter().for_each(|x| to.int(*x));
        to.size(cells.len());
        for cell in cells {
            to.size(1);
            cell.iter().for_each(|node| to.size(*node as usize + 100));
        }
    }
    to.text("\n$EndElements\n");
    to.bytes
}

#[test]
fn a_mesh_is_read_back_from_each_form() {
    for kind in Kind::ALL {
        let mesh = Mesh::rectangle([40.0, 10.0], [4, 2], kind).unwrap();
        for form in FORMS {
            let found = gmsh::read(&file(&mesh, form), 1e-3).unwrap_or_else(|e| panic!("{kind:?} {form:?}: {e}"));
            assert_eq!((found.nodes.len(), found.elements.len()), (mesh.nodes.len(), mesh.elements.len()));
            assert_eq!((&found.materials[..], found.pieces()), (&["steel".to_string()][..], 1));
            assert!((found.area() - 4e-4).abs() < 1e-17);
            for (name, length) in [("left", 0.01), ("right", 0.01), ("bottom", 0.04), ("top", 0.04)] {
                let points = found.side_points(name, Rule::Nodal, 1.0).unwrap();
                let own = mesh.side_points(name, Rule::Nodal, 1.0).unwrap();
                assert_eq!(points.len(), own.len());
                assert!((points.iter().map(|p| p.area).sum::<f64>() - length).abs() < 1e-16);
                assert!(points.iter().zip(&own).all(|(a, b)| (1e3 * a.place[0] - b.place[0]).abs() < 1e-12));
            }
        }
    }
}

/// The text of a mesh of one square, with one line replaced.
fn changed(form: Form, from: &str, to: &str) -> String {
    let text = String::from_utf8(file(&Mesh::rectangle([1.0, 1.0], [1, 1], Kind::Q4).unwrap(), form)).unwrap();
    assert!(text.contains(from), "{text}");
    text.replacen(from, to, 1)
}

#[test]
fn wrong_files_are_refused_with_their_line() {
    for (form, from, to, expected) in [
        (Form::Text2, "$MeshFormat", "MeshFormat", "line 1: not a Gmsh file"),
        (Form::Text2, "2.2 0 8", "4.0 0 8", "version 4.0"),
        (Form::Text2, "2.2 0 8", "2.2 0 4", "numbers of 4 bytes"),
        (Form::Text2, "$Nodes\n4", "$Nodes\n4000000000000", "line 16: a count of 4000000000000"),
        (Form::Text2, "$Elements\n5", "$Elements\n18446744073709551615", "a count of 18446744073709551615"),
        (Form::Text2, "$PhysicalNames\n5", "$PhysicalNames\n999999999", "a count of 999999999"),
        (Form::Text2, "$Elements\n5", "$Elements\n4", "expected $EndElements"),
        (Form::Text2, "101 1.0", "100 1.0", "node 100 is given twice"),
        (Form::Text2, "101 1.0", "101 nan", "node 101 has a coordinate"),
        (Form::Text2, "101 1.0", "101 1;0", "`1;0` where a number is expected"),
        (Form::Text2, "0 3 2 7 7", "0 4 2 7 7", "three-dimensional"),
        (Form::Text2, "0 3 2 7 7", "0 36 2 7 7", "element type 36 is not known"),
        (Form::Text2, "0 3 2 7 7 100", "0 3 2 7 7 999", "node 999, which does not exist"),
        (Form::Text2, "0 3 2 7 7 100 101 103 102", "0 3 2 7 7 101 100 102 103", "reversed"),
        (Form::Text2, "103 1.0 1.0 0.25", "103 1.0 1.0 0.5", "not plane: z is from 0.25 to 0.5"),
        (Form::Text2, "$EndComments", "$End", "$EndComments is missing"),
        (Form::Text4, "$Entities\n0 4 1 0", "$Entities\n0 4 99999999999 0", "a count of 99999999999"),
        (Form::Text4, "$Nodes\n2 4", "$Nodes\n2 5", "1 of 5 nodes are missing"),
        (Form::Text4, "$Nodes\n2 4", "$Nodes\n2 3", "a block of 2 nodes, of which 1 are left"),
        (Form::Text4, "$Nodes\n2 4", "$Nodes\n2 123456789012", "a count of 123456789012"),
        (Form::Text4, "$Elements\n5 5", "$Elements\n5 99999999999", "a count of 99999999999"),
        (Form::Text4, "\n$Nodes", "\n$Knots", "$EndKnots is missing"),
    ] {
        let refused = gmsh::read(changed(form, from, to).as_bytes(), 1.0).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}; expected {expected}");
    }
    let whole = changed(Form::Text2, "$Nodes", "$Nodes");
    for unit in [0.0, -1.0, f64::NAN] {
        assert!(gmsh::read(whole.as_bytes(), unit).is_err());
    }
}

#[test]
fn a_file_cut_anywhere_or_with_a_wrong_byte_is_refused_or_read_but_never_a_panic() {
    let mesh = Mesh::rectangle([1.0, 1.0], [1, 1], Kind::Q4).unwrap();
    for form in FORMS {
        let whole = file(&mesh, form);
        // Nothing but the last line's end may be missing.
        for end in 0..whole.len() - 1 {
            assert!(gmsh::read(&whole[..end], 1.0).is_err(), "{form:?} {end}");
        }
        for at in 0..whole.len() {
            for byte in [0x00, 0x7f, 0xff, b'9'] {
                let mut wrong = whole.clone();
                wrong[at] = byte;
                let _ = gmsh::read(&wrong, 1.0);
            }
        }
    }
}

#[test]
fn lines_inside_are_no_boundary() {
    let mut mesh = Mesh::rectangle([2.0, 1.0], [2, 1], Kind::Q4).unwrap();
    mesh.boundaries.insert("joint".into(), vec![stickslip_mesh::Side { element: 0, side: 1 }]);
    let found = gmsh::read(&file(&mesh, Form::Text4), 1.0).unwrap();
    assert!(found.boundary("joint").unwrap_err().to_string().contains("inside"));
    assert_eq!(found.boundaries.len(), 4);
}
