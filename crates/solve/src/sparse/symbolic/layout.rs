//! The fronts in a sequence: children before parents, the rows of each, and what waits in the stacks kept low.
use super::{Front, Graph, NONE, Symbolic, tree};
use crate::sparse::Pattern;

impl Symbolic {
    /// Lays out the fronts in a postorder, their rows sorted.
    pub(super) fn arrange(&mut self, graph: &Graph, all: &[tree::Supernode], symmetric: &Pattern) {
        let last = self.last.len();
        // Most room first: then the stacks stay low. (J. W. H. Liu, ACM Trans. Math. Software 12 (1986) 249.)
        let mut peak = vec![0usize; all.len()];
        let order = |k: usize, peak: &[usize]| {
            let mut children = all[k].children.clone();
            let room = |c: u32| all[c as usize].size[1].pow(2);
            children.sort_by_key(|c| (std::cmp::Reverse(peak[*c as usize].saturating_sub(room(*c))), *c));
            children
        };
        // Supernodes come with children before parents.
        for k in 0..all.len() {
            let mut held = 0;
            for child in order(k, &peak) {
                peak[k] = peak[k].max(held + peak[child as usize]);
                held += all[child as usize].size[1].pow(2);
            }
            peak[k] = peak[k].max(held + all[k].size[1].pow(2));
        }
        let roots = tree::roots(all);
        let mut stack: Vec<(u32, bool)> = roots.iter().rev().map(|k| (*k, false)).collect();
        let mut sequence = vec![];
        while let Some((k, ready)) = stack.pop() {
            if ready {
                sequence.push(k);
            } else {
                stack.push((k, true));
                stack.extend(order(k as usize, &peak).into_iter().rev().map(|c| (c, false)));
            }
        }
        let mut front_of = vec![NONE; all.len()];
        sequence.iter().enumerate().for_each(|(f, k)| front_of[*k as usize] = f as u32);
        let mut node_place = vec![0u32; graph.n()];
        for k in &sequence {
            for node in &all[*k as usize].nodes {
                node_place[*node as usize] = self.unknowns.len() as u32;
                self.unknowns.extend_from_slice(graph.members(*node as usize));
            }
        }
        let free = self.unknowns.len() as u32;
        self.unknowns.extend_from_slice(&self.last);
        // Which of the last unknowns each node reaches: through its own entries, and through those beneath it.
        let mut last_place = vec![NONE; self.n()];
        self.last.iter().enumerate().for_each(|(k, i)| last_place[*i as usize] = free + k as u32);
        let mut reached: Vec<Vec<u32>> = vec![vec![]; all.len()];
        let mut seen = vec![NONE; last];
        let (mut first, mut sorted) = (0, vec![]);
        for (f, k) in sequence.iter().enumerate() {
            let supernode = &all[*k as usize];
            let mut own = vec![];
            if last > 0 {
                let mut add = |place: u32| {
                    if place != NONE && seen[(place - free) as usize] != f as u32 {
                        seen[(place - free) as usize] = f as u32;
                        own.push(place);
                    }
                };
                for node in &supernode.nodes {
                    for i in graph.members(*node as usize) {
                        symmetric.row(*i as usize).iter().for_each(|j| add(last_place[*j as usize]));
                    }
                }
                for child in &supernode.children {
                    reached[*child as usize].iter().for_each(|place| add(*place));
                }
                own.sort_unstable();
            }
            sorted.clear();
            sorted.extend(supernode.rows.iter().map(|node| (node_place[*node as usize], *node)));
            sorted.sort_unstable();
            let begin = self.rows.len() as u32;
            for (place, node) in &sorted {
                self.rows.extend(*place..*place + graph.weight(*node as usize));
            }
            self.rows.extend_from_slice(&own);
            let pivots = supernode.size[0] as u32;
            self.fronts.push(Front {
                first,
                pivots,
                rows: [begin, self.rows.len() as u32],
                parent: NONE,
                panels: 0,
                sources: 0,
                stack: 0,
                left: 0,
            });
            reached[*k as usize] = own;
            for child in &supernode.children {
                self.fronts[front_of[*child as usize] as usize].parent = f as u32;
            }
            first += pivots;
        }
        if last > 0 {
            let root = self.fronts.len() as u32;
            let above = |front: &&mut Front| front.parent == NONE && front.rows[0] < front.rows[1];
            self.fronts.iter_mut().filter(above).for_each(|front| front.parent = root);
            let end = self.rows.len() as u32;
            self.fronts.push(Front {
                first,
                pivots: last as u32,
                rows: [end, end],
                parent: NONE,
                panels: 0,
                sources: 0,
                stack: 0,
                left: 0,
            });
        }
    }
}
