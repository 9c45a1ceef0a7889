//! `run --shard`: a part of a map, for machines that share nothing but a disk.
pub mod merge;

use crate::Input;
use crate::output::{data, failed, say, wrong};
use crate::progress::Bar;
use crate::run::{REPORT, Shown, told, verdict};
use crate::{stop, table};
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use stickslip::data::{DataError, Dataset, Outcome, Records, check_folder, write_dataset_in_place};
use stickslip::prelude::*;
use stickslip::scenario::{Prepared, provenance};
use stickslip::store::manifest;

/// Part `number` of `count`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shard {
    number: usize,
    count: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((number, count)) if (1..=count).contains(&number) => Ok(Shard { number, count }),
            _ => Err("expected i/n with i from 1 to n, such as 3/64".into()),
        }
    }
}

impl Shard {
    /// The points of this part, of so many.
    pub fn points(self, of: usize) -> Range<usize> {
        let end = |i: usize| (of as u128 * i as u128 / self.count as u128) as usize;
        end(self.number - 1)..end(self.number)
    }
}

/// Runs a part of a map. What an earlier run of the same part has done is not computed again.
pub fn run(input: &Input, out: Option<PathBuf>, shard: Shard, shown: Shown) -> ExitCode {
    let read = Scenario::from_file(&input.scenario, &input.sets).and_then(|s| Ok((s.prepare()?, s)));
    let (cases, scenario) = match read {
        Ok(read) => read,
        Err(e) => return wrong(e),
    };
    if cases.iter().any(|case| !case.analysis.records()) {
        let why = format!("`{}` is no map: it has no points to share out", input.scenario.display());
        return wrong(format_args!("error[cli::no-map]: {why}\nhint: run it without --shard"));
    }
    let folder = out.unwrap_or_else(|| {
        let name = format!("{}.{}-of-{}.out", scenario.name(), shard.number, shard.count);
        scenario.output_folder().with_file_name(name)
    });
    if let Err(e) = check_folder(&folder) {
        return wrong(told(&e));
    }
    let manifest = manifest(&input.scenario, &input.sets, &cases);
    let records = Records::resume(&folder, &manifest)
        .and_then(|found| found.map_or_else(|| Records::begin(&folder, &manifest), Ok));
    let records = match records {
        Ok(records) => records,
        Err(e) => return wrong(told(&e)),
    };
    if let Some(threads) = shown.threads {
        // Fails only where threads are at work already, and there are none.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
    let dataset = work(&scenario, &cases, &records, (shard, shown));
    // The records stay: they are what `merge` reads.
    let files = match written(&dataset, &folder) {
        Ok(files) => files,
        Err(e) => {
            say(told(&e));
            return failed();
        }
    };
    let text = if shown.json { format!("{:#}\n", dataset.summary(&files)) } else { table::summary(&dataset) };
    if let Err(code) = data(&text) {
        return code;
    }
    if !shown.quiet {
        let Shard { number, count } = shard;
        say(format_args!(
            "part {number} of {count} in {}; all parts: stickslip merge PART.. --out DIR",
            folder.display()
        ));
    }
    verdict(&dataset)
}

fn work(scenario: &Scenario, cases: &[Prepared], records: &Records, (shard, shown): (Shard, Shown)) -> Dataset {
    let bar = Bar::new(shown.quiet);
    let mut dataset = Dataset { title: scenario.title().map(String::from), ..Dataset::default() };
    for (i, case) in cases.iter().enumerate() {
        let tick = |part: f64| bar.tick((i as f64 + part) / cases.len() as f64);
        let [count, _] = case.analysis.grid();
        let points = Some(shard.points(count));
        let (progress, stop) = (Some(&tick as &(dyn Fn(f64) + Sync)), stop::on_interrupt());
        let context = Context { progress, stop, recorder: Some(records), points, ..Context::default() };
        let outcome: Outcome = scenario.run_case(cases, i, &context);
        dataset.cases.push((case.name.clone(), outcome));
    }
    dataset.provenance = provenance(cases);
    dataset
}

/// The results of a part, without a report: that is drawn of the whole.
fn written(dataset: &Dataset, folder: &std::path::Path) -> Result<Vec<String>, DataError> {
    let files = write_dataset_in_place(dataset, folder, &[])?;
    Ok(files.into_iter().filter(|name| name != REPORT).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_counted_from_1_and_leave_no_point_out() {
        for (count, of) in [(1, 7), (3, 7), (7, 7), (9, 7), (64, 100_000_000)] {
            let shards: Vec<Shard> = (1..=count).map(|i| format!("{i}/{count}").parse().unwrap()).collect();
            let ends: Vec<Range<usize>> = shards.iter().map(|s| s.points(of)).collect();
            assert_eq!((ends[0].start, ends[count - 1].end), (0, of));
            assert!(ends.windows(2).all(|pair| pair[0].end == pair[1].start));
        }
        for wrong in ["0/3", "4/3", "1", "a/b", "1/0", "-1/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
