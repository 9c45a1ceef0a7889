//! Masses on planes with random springs: models for tests of contact conditions.

/// Numbers that are the same in every run: a linear congruence.
pub struct Random(pub u64);

impl Random {
    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Between two numbers.
    pub fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.unit()
    }

    /// A positive definite matrix: A A' and something on the diagonal.
    pub fn stiffness(&mut self, n: usize) -> Vec<Vec<f64>> {
        let a: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| self.between(-1.0, 1.0)).collect()).collect();
        let entry = |i: usize, j: usize| -> f64 {
            (0..n).map(|k| a[i][k] * a[j][k]).sum::<f64>() + if i == j { 0.1 } else { 0.0 }
        };
        (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
    }
}

/// Masses on planes: coordinates x0, y0, x1, y1, ..., a contact for each pair.
pub struct Masses {
    /// Row after row.
    pub stiffness: Vec<Vec<f64>>,
    /// Friction of each contact.
    pub mu: Vec<f64>,
}

impl Masses {
    /// With friction up to `most`.
    pub fn random(random: &mut Random, contacts: usize, most: f64) -> Masses {
        let mu = (0..contacts).map(|_| random.between(0.0, most)).collect();
        Masses { stiffness: random.stiffness(2 * contacts), mu }
    }

    /// The scenario under a force, with the rest of its tables.
    pub fn text(&self, force: &str, rest: &str) -> String {
        let n = 2 * self.mu.len();
        let unit = |k: usize| format!("{:?}", (0..n).map(|j| f64::from(u8::from(j == k))).collect::<Vec<_>>());
        let mass: Vec<String> = (0..n).map(unit).collect();
        let names: Vec<String> = (0..self.mu.len()).flat_map(|k| [format!("'x{k}'"), format!("'y{k}'")]).collect();
        let contact = |k: usize| {
            format!(
                "[[contact]]\nname = 'c{k}'\ntangent = {}\nnormal_direction = {}\nnormal = {{ law = 'rigid' }}\n\
                 friction = {{ law = 'coulomb', mu = {} }}\n",
                unit(2 * k),
                unit(2 * k + 1),
                self.mu[k]
            )
        };
        format!(
            "[structure]\nkind = 'lumped'\nmass = [{}]\nstiffness = {:?}\ncoordinates = [{}]\n{}[drive]\n\
             kind = 'force'\nforce = {force}\n{rest}",
            mass.join(", "),
            self.stiffness,
            names.join(", "),
            (0..self.mu.len()).map(contact).collect::<String>()
        )
    }

    /// K u - N p + T f, row by row: the force that balances it.
    pub fn balance(&self, u: &[f64], p: &[f64], f: &[f64]) -> Vec<f64> {
        let pull = |i: usize| self.stiffness[i].iter().zip(u).map(|(k, u)| k * u).sum::<f64>();
        (0..u.len()).map(|i| pull(i) + if i % 2 == 0 { f[i / 2] } else { -p[i / 2] }).collect()
    }
}
