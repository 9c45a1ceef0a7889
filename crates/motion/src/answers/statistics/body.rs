//! Statistics of a body's contacts: those of all points of a contact together.
use super::Settled;
use crate::observers::extrema::Quantity;
use stickslip_data::{Outcome, Value};
use stickslip_dynamics::coefficient;

impl Settled<'_> {
    /// Friction over normal force, normal force, approach, and the part of the area that sticks; of several contacts lists.
    pub(super) fn report_body(&self, length: f64, out: &mut Outcome) {
        let contacts: Vec<Vec<usize>> = (0..self.dynamics.model.contacts.len())
            .map(|c| (0..self.trace.points).filter(|p| self.dynamics.sites[*p].contact == c).collect())
            .collect();
        if contacts.is_empty() {
            return;
        }
        let each = |f: &dyn Fn(&[usize]) -> f64| match &contacts[..] {
            [one] => Value::Number(f(one)),
            all => Value::List(all.iter().map(|points| f(points)).collect()),
        };
        let stuck = |points: &[usize]| self.mean_over_area(points, &|p| self.stick_time(p) / length);
        out.set("stick_fraction", each(&stuck), "1");
        if self.dynamics.sites.iter().any(|site| site.opens || site.rigid.is_some()) {
            let open = |points: &[usize]| self.mean_over_area(points, &|p| self.open_time(p) / length);
            out.set("open_fraction", each(&open), "1");
        }
        let rows = self.rows_of_half();
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
        out.set("friction_max", each(&|p| largest(&mut rows.clone().map(|i| self.ratio(p, i)))), "1");
        out.set("friction_min", each(&|p| -largest(&mut rows.clone().map(|i| -self.ratio(p, i)))), "1");
        out.set("friction_mean", each(&|p| self.mean_of_rows(&|i| self.ratio(p, i))), "1");
        out.set("normal_force_max", each(&|p| largest(&mut rows.clone().map(|i| self.load(p, i)))), "N");
        if self.dynamics.sites.iter().all(|site| site.is_compliant() && site.normal.is_some()) {
            let approach = |p: &[usize]| largest(&mut p.iter().map(|p| self.range(Quantity::Approach(*p)).1));
            out.set("approach_max", each(&approach), "m");
        }
    }

    fn load(&self, points: &[usize], row: usize) -> f64 {
        points.iter().map(|p| self.trace.load(row, *p)).sum()
    }

    /// Friction over normal force of points together.
    fn ratio(&self, points: &[usize], row: usize) -> f64 {
        let friction: f64 = points.iter().map(|p| self.trace.friction(row, *p)).sum();
        let least = points.iter().map(|p| self.dynamics.sites[*p].least_load).sum();
        coefficient(friction, self.load(points, row), least)
    }

    /// Mean over time in the window, between rows on lines.
    fn mean_of_rows(&self, value: &dyn Fn(usize) -> f64) -> f64 {
        let rows = self.rows();
        let (mut sum, mut length) = (0.0, 0.0);
        for i in rows.start + 1..rows.end {
            let span = self.trace.span(i);
            sum += 0.5 * span * (value(i - 1) + value(i));
            length += span;
        }
        if length > 0.0 { sum / length } else { value(rows.start) }
    }

    fn mean_over_area(&self, points: &[usize], value: &dyn Fn(usize) -> f64) -> f64 {
        let area = |p: usize| {
            let site = &self.dynamics.sites[p];
            self.dynamics.model.contacts[site.contact].area_at(site.point)
        };
        let whole: f64 = points.iter().map(|p| area(*p)).sum();
        points.iter().map(|p| area(*p) * value(*p)).sum::<f64>() / whole
    }

    /// Period of the body on its springs along the slip of a point, as a whole.
    pub(super) fn natural_period_of_body(&self, point: usize) -> Option<f64> {
        let structure = &self.dynamics.model.structure;
        let body = structure.body.as_ref()?;
        let row = &self.dynamics.sites[point].tangent[0];
        let moves = |axis: usize| -> f64 {
            structure.groups.get(axis).map_or(0.0, |group| group.members.iter().map(|j| row[*j].abs()).sum())
        };
        let along = &structure.groups.get(usize::from(moves(1) > moves(0)))?.members;
        let n = self.dynamics.n;
        let k: f64 = along.iter().map(|i| along.iter().map(|j| structure.stiffness[i * n + j]).sum::<f64>()).sum();
        (k > 0.0).then(|| std::f64::consts::TAU * (body.total_mass / k).sqrt())
    }
}
