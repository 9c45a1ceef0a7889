//! Matrices from files: both formats read back, wrong files refused.
use stickslip_mesh::matrix_file::read;

/// 2 -1 0 / -1 3 0.5 / 0 0.5 4
const FULL: [f64; 9] = [2.0, -1.0, 0.0, -1.0, 3.0, 0.5, 0.0, 0.5, 4.0];

fn npy(kind: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn each_form_gives_the_same_matrix() {
    let texts = [
        "%%MatrixMarket matrix coordinate real symmetric\n% of a chain\n3 3 5\n1 1 2\n2 1 -1\n2 2 3\n3 2 0.5\n3 3 4e0\n",
        "%%matrixmarket MATRIX Coordinate Real General\n\n3 3 8\n1 1 1\n1 1 1\n1 2 -1\n2 1 -1\n2 2 3\n2 3 .5\n3 2 .5\n3 3 4\n",
        "%%MatrixMarket matrix array real general\n3 3\n2\n-1\n0\n-1\n3\n0.5\n0\n0.5\n4\n",
        "%%MatrixMarket matrix array real symmetric\n3 3\n2 -1 0\n3 0.5\n4\n",
    ];
    let le: Vec<u8> = FULL.iter().flat_map(|x| x.to_le_bytes()).collect();
    let be: Vec<u8> = FULL.iter().flat_map(|x| x.to_be_bytes()).collect();
    let single: Vec<u8> = FULL.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect();
    let files = texts.iter().map(|t| t.as_bytes().to_vec()).chain([
        npy("<f8", "False", "(3, 3)", &le),
        npy(">f8", "True", "(3, 3)", &be),
        npy("<f4", "False", "(3,3)", &single),
    ]);
    for file in files {
        assert_eq!(read(&file).unwrap().full(), FULL);
    }
    let skew = read(b"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n").unwrap();
    assert_eq!(skew.full(), [0.0, -3.0, 3.0, 0.0]);
}

#[test]
fn wrong_files_are_refused_before_any_memory_is_taken() {
    let head = "%%MatrixMarket matrix coordinate real general\n";
    for (text, expected) in [
        ("1 2 3".to_string(), "neither"),
        (format!("{head}3 4 1\n1 1 1\n"), "3 rows and 4 columns"),
        (format!("{head}999999999999 999999999999 1\n1 1 1\n"), "at most"),
        (format!("{head}3 3 999999999999\n1 1 1\n"), "no room"),
        (format!("{head}3 3 2\n1 1 1\n"), "1 of 2 entries are missing"),
        (format!("{head}3 3 1\n4 1 1\n"), "line 3: row 4"),
        (format!("{head}3 3 1\n1 1 nan\n"), "not a finite number"),
        (format!("{head}3 3 1\n1 1 x\n"), "line 3: expected"),
        ("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n".into(), "complex"),
        ("%%MatrixMarket matrix array real general\n1000000 1000000\n1\n".into(), "no room"),
        ("%%MatrixMarket matrix array real general\n2 2\n1 2 3\n".into(), "numbers are missing"),
    ] {
        let refused = read(text.as_bytes()).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}; expected {expected}");
    }
    for (file, expected) in [
        (npy("<f8", "False", "(3, 3)", &[0; 8]), "8 bytes of numbers where 72"),
        (npy("<f8", "False", "(4000000, 4000000)", &[0; 8]), "bytes of numbers where"),
        (npy("<c16", "False", "(1, 1)", &[0; 16]), "`<c16`"),
        (npy("<f8", "False", "(9,)", &[0; 72]), "two dimensions"),
    ] {
        let refused = read(&file).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}; expected {expected}");
        for end in 0..file.len() {
            let _ = read(&file[..end]);
        }
    }
}
