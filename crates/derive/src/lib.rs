//! #[derive(Kind)]: a parameter is declared once, on its field
