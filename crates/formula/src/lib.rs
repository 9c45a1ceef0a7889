//! Formulas as text: parsed, dimension-checked, evaluated on any scalar
