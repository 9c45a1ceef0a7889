//! Derivatives of the equations in the unknowns by way of controllers.
use super::{Controls, Form};
use stickslip_laws::Cubic;
use stickslip_real::Real;
use stickslip_structures::{Acts, Signal, Structure};

impl Controls {
    /// Adds the derivatives of the outputs to those of the forces: n rows over all m unknowns. `left_out` columns stay.
    pub(crate) fn push_tangent(
        &self,
        structure: &Structure,
        m: usize,
        left_out: impl Fn(usize) -> bool,
        force: &mut [f64],
    ) {
        for (l, k, on) in self.outputs() {
            let Acts::Coordinate(i) = on else { continue };
            // What the past says does not change with the present.
            if self.late.apart(l, k).is_some() {
                continue;
            }
            for (column, x) in self.loops[l].outputs[k].y.iter().filter(|(column, _)| !left_out(*column)) {
                force[i * m + column] += structure.orientation * x;
            }
        }
    }

    /// Adds the derivatives of what the loops add to the load of a contact to a row over all unknowns.
    pub(crate) fn press_tangent(&self, contact: usize, share: f64, left_out: impl Fn(usize) -> bool, load: &mut [f64]) {
        for (l, k, _) in self.outputs().filter(|(.., on)| *on == Acts::Normal(contact)) {
            if self.late.apart(l, k).is_none() {
                let entries = self.loops[l].outputs[k].y.iter().filter(|(column, _)| !left_out(*column));
                entries.for_each(|(column, x)| load[*column] += share * x);
            }
        }
    }

    /// Fills the rows of the states; those of the accelerations are known, and begin at row `n`.
    pub(crate) fn rate_tangent(&self, n: usize, m: usize, jac: &mut [f64]) {
        for one in self.loops.iter().filter(|one| !one.is_sampled()) {
            for (i, form) in one.rates.iter().enumerate() {
                let row = (one.first + i) * m;
                for (column, x) in &form.y {
                    jac[row + column] += x;
                }
                for (j, x) in &form.dv {
                    for column in 0..m {
                        jac[row + column] += x * jac[(n + j) * m + column];
                    }
                }
            }
        }
    }

    /// Adds what a change of the unknowns makes of the forces.
    pub(crate) fn push_change(&self, structure: &Structure, along: &[f64], force: &mut [f64]) {
        for (l, k, on) in self.outputs() {
            if let (Acts::Coordinate(i), None) = (on, self.late.apart(l, k)) {
                let change: f64 = self.loops[l].outputs[k].y.iter().map(|(column, x)| x * along[*column]).sum();
                force[i] += structure.orientation * change;
            }
        }
    }

    /// Adds what a change of the time, under the same unknowns, makes of the forces.
    pub(crate) fn push_time(&self, structure: &Structure, t: f64, time: f64, force: &mut [f64]) {
        let second = |signal: &Signal| if signal.is_constant() { 0.0 } else { 2.0 * signal.expand(t).0[2] };
        for (l, k, on) in self.outputs() {
            let Acts::Coordinate(i) = on else { continue };
            let form = &self.loops[l].outputs[k];
            let mut rate = form.base[0] * self.base.rate(t) + form.base[1] * second(&self.base);
            for (place, factors) in &form.references {
                let signal = &self.references[*place];
                rate += factors[0] * signal.rate(t) + factors[1] * second(signal);
            }
            force[i] += structure.orientation * rate * time;
        }
    }

    /// Late outputs: the delay of each, what it acts on, and its derivatives in all m unknowns.
    pub(crate) fn late_tangents(&self, m: usize) -> Vec<(f64, Acts, Vec<f64>)> {
        let one = |(l, k, on): (usize, usize, Acts)| {
            let mut row = vec![0.0; m];
            self.loops[l].outputs[k].y.iter().for_each(|(column, x)| row[*column] = *x);
            Some((self.late.apart(l, k)?, on, row))
        };
        self.outputs().filter_map(one).collect()
    }

    /// Adds outputs as power series, and fills the rates of the states: `y` are the unknowns, `at` their first terms.
    pub(crate) fn expand(
        &self,
        structure: &Structure,
        (t, at): (f64, &[f64]),
        y: &[Cubic],
        forces: &mut [Cubic],
        dc: &mut [Cubic],
    ) {
        let series = |form: &Form| {
            let start = Cubic::lit(form.value(&self.instant(t, at, &[])).0);
            form.y.iter().fold(start, |sum, (i, x)| sum + (y[*i] - at[*i]) * *x)
        };
        for (l, k, on) in self.outputs() {
            if let Acts::Coordinate(i) = on {
                forces[i] = forces[i] + series(&self.loops[l].outputs[k]) * structure.orientation;
            }
        }
        for one in self.loops.iter().filter(|one| !one.is_sampled()) {
            for (i, form) in one.rates.iter().enumerate() {
                dc[one.first - self.first + i] = series(form);
            }
        }
    }

    /// The forms of the outputs as they are clipped now, and of the rates of all unknowns of controllers, for exact steps.
    pub fn forms(&self) -> (Vec<(Acts, &Form)>, Vec<Option<&Form>>) {
        let outputs = self.outputs().map(|(l, k, on)| (on, &self.loops[l].outputs[k])).collect();
        let rates = self
            .loops
            .iter()
            .flat_map(|one| (0..one.unknowns()).map(move |i| if one.is_sampled() { None } else { one.rates.get(i) }));
        (outputs, rates.collect())
    }
}
