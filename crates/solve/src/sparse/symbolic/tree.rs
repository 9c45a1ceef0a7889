//! Elimination tree and supernodes, merged where one larger front costs less than two.
use super::Graph;

/// Pivots that are eliminated together, in one dense front.
#[derive(Clone, Debug, Default)]
pub struct Supernode {
    /// Its nodes.
    pub nodes: Vec<u32>,
    /// Nodes that are changed by it and eliminated later.
    pub rows: Vec<u32>,
    /// Those beneath it in the tree.
    pub children: Vec<u32>,
    /// Whether its pivots are another's now.
    merged: bool,
    /// Unknowns of `nodes` and of `rows`.
    pub size: [usize; 2],
}

const NONE: u32 = u32::MAX;

/// Parents in the elimination tree. (J. W. H. Liu, ACM Trans. Math. Software 12 (1986) 127.)
fn parents(graph: &Graph, order: &[u32], place: &[u32]) -> Vec<u32> {
    let n = order.len();
    let (mut parent, mut ancestor) = (vec![NONE; n], vec![NONE; n]);
    for k in 0..n as u32 {
        for j in graph.neighbours(order[k as usize] as usize) {
            let mut i = place[*j as usize];
            while i < k {
                let next = ancestor[i as usize];
                ancestor[i as usize] = k;
                if next == NONE {
                    parent[i as usize] = k;
                    break;
                }
                i = next;
            }
        }
    }
    parent
}

/// The places of a forest with children before their parents, and subtrees in one piece.
fn postorder(parent: &[u32]) -> Vec<u32> {
    let n = parent.len();
    let (mut first, mut next) = (vec![NONE; n], vec![NONE; n]);
    let mut roots = vec![];
    for k in (0..n).rev() {
        match parent[k] {
            NONE => roots.push(k as u32),
            p => (next[k], first[p as usize]) = (first[p as usize], k as u32),
        }
    }
    let (mut order, mut stack) = (Vec::with_capacity(n), vec![]);
    for root in roots.into_iter().rev() {
        stack.push(root);
        while let Some(k) = stack.last().copied() {
            match first[k as usize] {
                NONE => {
                    order.push(k);
                    stack.pop();
                }
                child => {
                    first[k as usize] = next[child as usize];
                    stack.push(child);
                }
            }
        }
    }
    order
}

/// The supernodes of an order of elimination, children before parents; `order` becomes a postorder.
pub fn supernodes(graph: &Graph, order: &mut Vec<u32>) -> Vec<Supernode> {
    let n = order.len();
    let mut place = vec![0u32; n];
    let number = |order: &[u32], place: &mut [u32]| {
        order.iter().enumerate().for_each(|(k, node)| place[*node as usize] = k as u32);
    };
    number(order, &mut place);
    let parent = parents(graph, order, &place);
    let post = postorder(&parent);
    let mut renumbered = vec![0u32; n];
    post.iter().enumerate().for_each(|(new, old)| renumbered[*old as usize] = new as u32);
    let moved = |k: u32| if k == NONE { NONE } else { renumbered[k as usize] };
    let parent: Vec<u32> = post.iter().map(|old| moved(parent[*old as usize])).collect();
    *order = post.iter().map(|old| order[*old as usize]).collect();
    number(order, &mut place);

    let mut children = vec![0u32; n];
    parent.iter().filter(|p| **p != NONE).for_each(|p| children[*p as usize] += 1);
    // Rows are places in `order` until the end; `mark` says which supernode has a row.
    let (mut all, mut mark): (Vec<Supernode>, Vec<u32>) = (vec![], vec![NONE; n]);
    let mut beneath: Vec<Vec<u32>> = vec![vec![]; n];
    let later = |k: usize| {
        graph.neighbours(order[k] as usize).iter().map(|j| place[*j as usize]).filter(move |j| *j as usize > k)
    };
    let mut k = 0;
    while k < n {
        let own = all.len() as u32;
        let mut rows: Vec<u32> = vec![];
        let mut add = |j: u32| {
            if mark[j as usize] != own {
                mark[j as usize] = own;
                rows.push(j);
            }
        };
        let below = std::mem::take(&mut beneath[k]);
        for child in &below {
            let child: &Supernode = &all[*child as usize];
            child.rows.iter().filter(|j| **j as usize > k).for_each(|j| add(*j));
        }
        later(k).for_each(&mut add);
        // The next node joins where its rows are the same ones.
        let mut end = k + 1;
        while end < n
            && parent[end - 1] == end as u32
            && children[end] == 1
            && later(end).all(|j| mark[j as usize] == own)
        {
            end += 1;
        }
        rows.retain(|j| *j as usize >= end);
        if parent[end - 1] != NONE {
            beneath[parent[end - 1] as usize].push(own);
        }
        all.push(Supernode { nodes: order[k..end].to_vec(), rows, children: below, ..Supernode::default() });
        k = end;
    }
    for supernode in &mut all {
        supernode.rows.iter_mut().for_each(|j| *j = order[*j as usize]);
        let weigh = |nodes: &[u32]| nodes.iter().map(|i| graph.weight(*i as usize) as usize).sum();
        supernode.size = [weigh(&supernode.nodes), weigh(&supernode.rows)];
    }
    all
}

/// Nanoseconds that a front takes, about: of a start, of each entry that is moved, and of each operation.
fn cost([pivots, rows]: [usize; 2]) -> f64 {
    const START: f64 = 1500.0;
    const ENTRY: f64 = 1.0;
    const OPERATION: f64 = 0.05;
    const PIVOT: f64 = 60.0;
    let (k, r) = (pivots as f64, rows as f64);
    START
        + PIVOT * k
        + ENTRY * (k * k + 2.0 * k * r + 1.5 * r * r)
        + OPERATION * (2.0 / 3.0 * k * k * k + 2.0 * k * r * (k + r))
}

/// Merges children into their parents where that is cheaper. (I. S. Duff and J. K. Reid, ACM Trans. Math. Software 9
/// (1983) 302 merge by the number of pivots; this does it by time.)
pub fn merge(all: &mut [Supernode]) {
    for p in 0..all.len() {
        let mut children = std::mem::take(&mut all[p].children);
        children.sort_by_key(|c| (all[*c as usize].size[1], *c));
        // The largest first: they fit best.
        children.reverse();
        let mut own = all[p].size;
        let mut left = vec![];
        for child in children {
            let c = child as usize;
            let joined = [own[0] + all[c].size[0], own[1]];
            if cost(joined) < cost(own) + cost(all[c].size) {
                own = joined;
                all[c].merged = true;
                let nodes = std::mem::take(&mut all[c].nodes);
                all[p].nodes.extend(nodes);
                left.extend(std::mem::take(&mut all[c].children));
                all[c].rows = vec![];
            } else {
                left.push(child);
            }
        }
        all[p].size = own;
        all[p].children = left;
    }
}

/// The roots of the forest: those that are no one's children.
pub fn roots(all: &[Supernode]) -> Vec<u32> {
    let mut is_child = vec![false; all.len()];
    all.iter().flat_map(|s| &s.children).for_each(|c| is_child[*c as usize] = true);
    (0..all.len() as u32).filter(|k| !is_child[*k as usize] && !all[*k as usize].merged).collect()
}
