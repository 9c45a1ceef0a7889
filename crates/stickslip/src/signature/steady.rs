//! Friction in steady sliding over the speed, for laws that stick and remember.
use super::{COEFFICIENT, SPEEDS, STEP, Shown, Signature, list, two};
use stickslip_data::Table;
use stickslip_report::{readable, xy};

/// Friction that changes over the speeds by less than this part of its own value is the same at all of them.
const LEVEL: f64 = 1e-3;

impl Shown<'_> {
    /// Friction in steady sliding over the speed; none where it is the same at all speeds.
    pub(super) fn steady(&self) -> Result<Option<Table>, String> {
        let speeds: Vec<f64> = (1..=SPEEDS).map(|k| STEP * self.example.speed * k as f64 / SPEEDS as f64).collect();
        let keys = format!("inputs = {{ velocity = {speeds:?}, states = 'steady' }}");
        let friction = list(&self.run("evaluate", &keys, "")?, "friction")?;
        let (least, most) =
            friction.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), f| (a.min(*f), b.max(*f)));
        Ok((most - least > LEVEL * most.abs()).then(|| two(("slip_velocity", "m/s", speeds), friction)))
    }

    /// The curve of steady sliding, and below it static friction over the time at rest.
    pub(super) fn steady_and_rest(&self, steady: Table) -> Result<Signature, String> {
        let rest = self.rest()?;
        let panel = |table: &Table| {
            xy(table, &table.columns[0].name, COEFFICIENT).map(|figure| figure.linear()).map_err(|e| e.to_string())
        };
        let mut figure = panel(&steady)?.and(panel(&rest)?);
        figure.name = self.kind.name.into();
        figure.title =
            format!("{}: friction in steady sliding, and static friction over the time at rest", self.kind.name);
        figure.note = format!("under {}", readable(self.example.load, "N"));
        Ok(Signature { table: steady, figure })
    }
}
