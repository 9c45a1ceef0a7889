//! Names of columns in words. The name of a parameter or of a value in the summary stays as it is.

/// `pad.slip_velocity` becomes `slip velocity of pad`.
pub fn words(column: &str) -> String {
    const SPLIT: [&str; 4] = ["slip_velocity", "normal_force", "friction_force", "mode"];
    if let Some(rate) = column.strip_prefix("rate.") {
        // The rate of a pulled block is its velocity, the rates of others share the coordinates' names.
        return if rate.starts_with("velocity") { rate.into() } else { format!("rate of {rate}") };
    }
    if let Some((prefix, state)) = column.split_once("state.") {
        return of(format!("state {state}"), prefix);
    }
    for name in SPLIT {
        if let Some(prefix) = column.strip_suffix(name) {
            return of(name.replace('_', " "), prefix);
        }
    }
    match column {
        "t" => "time".into(),
        "friction" => "friction coefficient".into(),
        "power_density" | "relative_error" => column.replace('_', " "),
        "re" => "real parts".into(),
        "im" => "imaginary parts".into(),
        "friction_2" => "second friction coefficient".into(),
        "friction_size" => "size of the friction coefficient".into(),
        "friction_force_size" => "size of the friction force".into(),
        "slip_2" | "slip_velocity_2" | "friction_force_2" => {
            format!("second {}", column.trim_end_matches("_2").replace('_', " "))
        }
        other => other.into(),
    }
}

/// With the contact that a quantity belongs to.
pub fn of(name: String, prefix: &str) -> String {
    match prefix.trim_end_matches('.') {
        "" => name,
        contact => format!("{name} of {contact}"),
    }
}

/// The name of a contact for a legend.
pub fn contact(prefix: &str) -> String {
    let name = prefix.trim_end_matches('.');
    if name.is_empty() { "contact".into() } else { name.into() }
}
