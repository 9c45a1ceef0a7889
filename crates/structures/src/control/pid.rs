//! A controller with a proportional, an integral and a derivative part.
use super::{Channel, Control, ControlState, Measured, Plant};
use crate::{Ask, Keys, Refused, Signal};

pub const NAME: &str = "pid";
pub const ABOUT: &str = "A force from the error, its integral and its rate.

e = reference - of,   u = P e + I int e dt + D e'   on `on`
With `filter` the derivative passes 1/(filter s + 1). `derivative_on = \"measurement\"` differentiates -of in place of e.
`saturation` clips u, and the integral stops while u is clipped and e drives it further.
Sampled at k T: I_k = I_(k-1) + T e_k, derivative and filter by backward differences, u held until the next sample.";

pub fn read(keys: &mut dyn Keys, plant: &Plant) -> Result<Control, Refused> {
    let (of, on) = super::names::ends(keys, plant)?;
    let reference = keys.signal(Ask::new("reference", plant.unit(of), "What it should be"))?;
    let unit = |seconds: i32| plant.gain_unit(on, of, seconds);
    let gain = |keys: &mut dyn Keys, key: &str, seconds: i32, about: &str| -> Result<f64, Refused> {
        keys.number(Ask::new(key, &unit(seconds), about).or(0.0))
    };
    let proportional = gain(keys, "proportional", 0, "Force over error")?;
    let integral = gain(keys, "integral", -1, "Force over the integral of the error")?;
    let derivative = gain(keys, "derivative", 1, "Force over the rate of the error")?;
    let filter =
        keys.number(Ask::new("filter", "s", "Time of the first-order filter of the derivative").or(0.0).min(0.0))?;
    let about = "What is differentiated: the error, or the measured quantity alone";
    let on_measurement = keys.choice("derivative_on", &["error", "measurement"], false, about)? == 1;
    if derivative != 0.0 && filter == 0.0 && matches!(of, Measured::Rate(_)) {
        let text =
            "the derivative of a rate needs a filter: it is an acceleration, which depends on the force".to_string();
        return Err(keys
            .refuse("derivative", "control::not-proper", text)
            .hint("give `filter`, such as filter = \"1 ms\""));
    }
    let mut control = Control { on: vec![on], ..Control::default() };
    control.channels.push(Channel { measured: of, reference: reference.clone() });
    if derivative != 0.0 {
        let reference = if on_measurement { Signal::ZERO } else { reference };
        control.channels.push(Channel { measured: of, reference });
    }
    let channels = control.channels.len();
    let row = |place: usize, x: f64| (0..channels).map(|k| if k == place { x } else { 0.0 }).collect::<Vec<f64>>();
    (control.d, control.e) = (row(0, proportional), row(1, 0.0));
    if integral != 0.0 {
        control.integral = Some(control.states.len());
        let unit = format!("{} s", plant.unit(of));
        control.states.push(ControlState { name: "integral", unit, follows: None });
        control.b.extend(row(0, 1.0));
        control.c.push(integral);
    }
    if derivative != 0.0 && filter > 0.0 {
        control.states.push(ControlState { name: "filter", unit: plant.unit(of).into(), follows: Some(1) });
        control.b.extend(row(1, 1.0 / filter));
        control.c.push(-derivative / filter);
        control.d[1] += derivative / filter;
    } else if derivative != 0.0 {
        control.e[1] = derivative;
    }
    let count = control.states.len();
    control.a = vec![0.0; count * count];
    if let Some(last) = control.states.last().filter(|state| state.follows.is_some()).map(|_| count - 1) {
        control.a[last * count + last] = -1.0 / filter;
    }
    Ok(control)
}
