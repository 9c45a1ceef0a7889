//! A unit at work.
use crate::SCENARIO;
use crate::description::{Description, Role, start_outputs, token};
use std::path::Path;
use stickslip::prelude::Scenario;
use stickslip::stepping::{Stepper, outputs};

/// A unit at work.
#[derive(Clone)]
pub struct Instance {
    scenario: Scenario,
    description: Description,
    /// Values of all variables by their place.
    values: Vec<f64>,
    /// Parameters that were set since the last step.
    set: Vec<usize>,
    /// None until the motion begins.
    stepper: Option<Stepper>,
    time: f64,
}

impl Instance {
    /// Reads the resources of a unit.
    pub fn new(resources: &Path, expected: &str) -> Result<Instance, String> {
        let file = resources.join(SCENARIO);
        let text = std::fs::read_to_string(&file).map_err(|e| format!("`{}`: {e}", file.display()))?;
        if !expected.is_empty() && token(&text) != expected {
            return Err("the description belongs to another scenario or version: wrong instantiation token".into());
        }
        let scenario = Scenario::from_text("scenario", &text, &[]).map_err(|e| e.to_string())?;
        let description = Description::of(&scenario).map_err(|e| e.to_string())?;
        let values = description.variables.iter().map(|v| v.start).collect();
        Ok(Instance { scenario, description, values, set: vec![], stepper: None, time: 0.0 })
    }

    /// Back to before the start.
    pub fn reset(&mut self) {
        self.values = self.description.variables.iter().map(|v| v.start).collect();
        (self.set, self.stepper, self.time) = (vec![], None, 0.0);
    }

    /// The time at which the motion starts; it is counted from 0.
    pub fn start_at(&mut self, time: f64) -> Result<(), String> {
        if time != 0.0 { Err(format!("the motion starts at 0 s, not at {time} s")) } else { Ok(()) }
    }

    /// Begins the motion with the parameters as they are.
    pub fn begin(&mut self) -> Result<(), String> {
        let scenario = self.scenario.clone().with_settings(&self.settings()).map_err(|e| e.to_string())?;
        let mut stepper = Stepper::new(&scenario).map_err(|e| e.to_string())?;
        for (value, variable) in self.values.iter_mut().zip(start_outputs(&mut stepper).map_err(|e| e.to_string())?) {
            *value = variable.start;
        }
        self.stepper = Some(stepper);
        Ok(())
    }

    fn settings(&mut self) -> Vec<String> {
        let set = std::mem::take(&mut self.set);
        set.iter().map(|i| format!("{}={:?}", self.description.variables[*i].name, self.values[*i])).collect()
    }

    /// A number by its value reference.
    pub fn get(&mut self, reference: u32, code: bool) -> Result<f64, String> {
        let Some(i) = (reference as usize).checked_sub(1) else { return Ok(self.time) };
        let role = self.role(i)?;
        if (role == Role::Code) != code {
            return Err(format!("value reference {reference} has another type"));
        }
        if role != Role::Parameter && self.stepper.is_none() {
            let set = self.set.clone();
            self.begin()?;
            // The start may still be changed.
            (self.stepper, self.set) = (None, set);
        }
        Ok(self.values[i])
    }

    /// Sets a parameter.
    pub fn put(&mut self, reference: u32, x: f64) -> Result<(), String> {
        let i = (reference as usize).checked_sub(1).ok_or("the time is not set")?;
        if self.role(i)? != Role::Parameter {
            return Err(format!("`{}` is an output", self.description.variables[i].name));
        }
        if !x.is_finite() {
            return Err(format!("`{}` = {x}: expected a finite number", self.description.variables[i].name));
        }
        // What stays as it is jumps nowhere.
        if self.values[i] != x {
            self.values[i] = x;
            self.set.retain(|k| *k != i);
            self.set.push(i);
        }
        Ok(())
    }

    fn role(&self, i: usize) -> Result<Role, String> {
        let found = self.description.variables.get(i).map(|v| v.role);
        found.ok_or_else(|| format!("there is no value reference {}", i + 1))
    }

    /// Steps from `t` to `t + h`.
    pub fn step(&mut self, t: f64, h: f64) -> Result<(), String> {
        if self.stepper.is_none() {
            self.begin()?;
        }
        let settings = self.settings();
        let stepper = self.stepper.as_mut().ok_or("the motion has not begun")?;
        let part = stepper.do_step(t, h, &settings).map_err(|e| e.to_string())?;
        for (value, (.., x)) in self.values.iter_mut().zip(outputs(&part)) {
            *value = x;
        }
        self.time = stepper.now();
        Ok(())
    }
}
