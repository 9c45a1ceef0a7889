//! Fields of a body as VTU files: displacement, velocity, stress, what its contacts carry, and the phases of modes.
use stickslip_data::vtu::{Field, Grid, pvd};
use stickslip_dynamics::Dynamics;
use stickslip_laws::Mode;

/// Phases of a mode in its series.
const PHASES: usize = 24;
/// Modes of larger meshes are written as real and imaginary parts alone: a series takes the room of its phases.
const MOST_NODES_OF_SERIES: usize = 20_000;

/// Why there are no fields.
type Failed = String;

/// The state of a body as a grid; `whole` are displacements of all unknowns where the coordinates are not all of them. The
/// contacts' forces are those of the last evaluation.
fn grid(dynamics: &Dynamics, y: &[f64], whole: &[f64], modes: &[Mode]) -> Result<Grid, Failed> {
    let body = dynamics.model.structure.body.as_ref().ok_or("this structure has no mesh")?;
    let n = dynamics.n;
    let text = |e: &dyn std::fmt::Display| e.to_string();
    let u = if whole.is_empty() { body.displacements(&y[..n])? } else { body.of_unknowns(whole) };
    let mut grid = body.mesh.grid();
    grid.on_nodes.push(body.mesh.vectors("displacement (m)", &u).map_err(|e| text(&e))?);
    if whole.is_empty() {
        let v = body.displacements(&y[n..2 * n])?;
        grid.on_nodes.push(body.mesh.vectors("velocity (m/s)", &v).map_err(|e| text(&e))?);
    }
    grid.on_nodes.extend(body.mesh.stress_fields(&body.section, &u).map_err(|e| text(&e))?);
    grid.on_nodes.extend(contacts(dynamics, modes, grid.nodes.len()));
    let materials = body.mesh.elements.iter().map(|e| f64::from(e.material)).collect();
    grid.on_cells.push(Field { name: "material".into(), components: 1, values: materials });
    Ok(grid)
}

/// Pressure and shear at the nodes of contacts, and what happens there: 0 no contact, 1 open, 2 slip, 3 stick. A node between
/// points has their mean by area.
fn contacts(dynamics: &Dynamics, modes: &[Mode], nodes: usize) -> [Field; 3] {
    let (mut sums, mut weights, mut zones) = (vec![[0.0; 2]; nodes], vec![0.0; nodes], vec![0.0f64; nodes]);
    for (i, (site, at)) in dynamics.sites.iter().zip(&dynamics.at).enumerate() {
        let contact = &dynamics.model.contacts[site.contact];
        let area = contact.area_at(site.point);
        let zone = match modes.get(i) {
            Some(Mode::Open) => 1.0,
            Some(Mode::Stick) => 3.0,
            _ => 2.0,
        };
        for (node, shape) in &contact.places[site.point].nodes {
            let (node, weight) = (*node as usize, shape.abs() * area);
            sums[node][0] += weight * at.n / area;
            sums[node][1] += weight * site.surface * at.f[0] / area;
            weights[node] += weight;
            zones[node] = zones[node].max(zone);
        }
    }
    let field = |name: &str, k: usize| {
        let mean = |(sum, weight): (&[f64; 2], &f64)| if *weight > 0.0 { sum[k] / weight } else { 0.0 };
        Field { name: name.into(), components: 1, values: sums.iter().zip(&weights).map(mean).collect() }
    };
    let zones = Field { name: "contact: 1 open, 2 slip, 3 stick".into(), components: 1, values: zones };
    [field("pressure (Pa)", 0), field("shear (Pa)", 1), zones]
}

/// The state of a body as a file of that name.
pub fn state_file(
    name: &str,
    dynamics: &Dynamics,
    y: &[f64],
    whole: &[f64],
    modes: &[Mode],
) -> Result<Vec<(String, String)>, Failed> {
    let text = grid(dynamics, y, whole, modes)?.vtu().map_err(|e| e.to_string())?;
    Ok(vec![(format!("fields/{name}.vtu"), text)])
}

/// A mode: its number, what it is called, and real and imaginary part on the coordinates, or on all unknowns.
pub struct ModeShape<'a> {
    /// Its name, with frequency and growth.
    pub name: String,
    /// Real and imaginary part of each coordinate, or of each unknown.
    pub shape: &'a [[f64; 2]],
}

/// Modes of a body: one file with all parts, and a series of the phases of the first. The largest displacement of each is one.
pub fn mode_files(dynamics: &Dynamics, modes: &[ModeShape]) -> Result<Vec<(String, String)>, Failed> {
    let body = dynamics.model.structure.body.as_ref().ok_or("this structure has no mesh")?;
    let mut all = body.mesh.grid();
    let mut files = vec![];
    for (k, mode) in modes.iter().enumerate() {
        let largest = mode.shape.iter().map(|x| x[0].hypot(x[1])).fold(0.0, f64::max);
        let scale = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        let part = |e: usize| -> Result<Vec<f64>, Failed> {
            let own: Vec<f64> = mode.shape.iter().map(|x| scale * x[e]).collect();
            if own.len() == body.numbering.len() { Ok(body.of_unknowns(&own)) } else { body.displacements(&own) }
        };
        let (real, imaginary) = (part(0)?, part(1)?);
        for (values, what) in [(&real, "real"), (&imaginary, "imaginary")] {
            let field = body.mesh.vectors(&format!("{}, {what}", mode.name), values).map_err(|e| e.to_string())?;
            all.on_nodes.push(field);
        }
        if k == 0 && body.mesh.nodes.len() <= MOST_NODES_OF_SERIES {
            let phases = body.mesh.mode_phases(&real, &imaginary, PHASES).map_err(|e| e.to_string())?;
            let name = |phase: usize| format!("mode-{phase:02}.vtu");
            let names: Vec<String> = (0..PHASES).map(name).collect();
            for (grid, name) in phases.iter().zip(&names) {
                files.push((format!("fields/{name}"), grid.vtu().map_err(|e| e.to_string())?));
            }
            let times = names.iter().enumerate().map(|(k, name)| (k as f64 / PHASES as f64, name.as_str()));
            files.push(("fields/mode.pvd".into(), pvd(times)));
        }
    }
    files.push(("fields/modes.vtu".into(), all.vtu().map_err(|e| e.to_string())?));
    Ok(files)
}
