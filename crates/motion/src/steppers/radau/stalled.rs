//! A motion that gets no further: what lies ahead is no number, and steps become too short to change anything.
use super::Adaptive;

/// A step that changes nothing by more than this part of its size gets nowhere.
const NOWHERE: f64 = 1e-13;
/// So many of them, each after longer ones failed, with none between that leads on, end the run.
const MOST_STALLED: u32 = 100;

impl Adaptive {
    /// Notes the last trial, which is to be taken; whether so many have led nowhere that none will lead on.
    pub(super) fn is_stalled(&mut self, longer_failed: bool) -> bool {
        // A step that leads nowhere and was not cut short, as at rest, says nothing.
        if longer_failed || self.stalled > 0 {
            self.stalled = if self.gets_nowhere() { self.stalled + u32::from(longer_failed) } else { 0 };
        }
        self.stalled > MOST_STALLED
    }

    fn gets_nowhere(&mut self) -> bool {
        self.radau.stage(self.radau.nodes().len() - 1, &self.x, &mut self.stage);
        let sizes = self.scale.iter().map(|size| NOWHERE * size);
        self.x.iter().zip(&self.stage).zip(sizes).all(|((x, end), size)| (end - x).abs() <= size.max(NOWHERE * x.abs()))
    }
}
