//! Finds recursion, direct or through other functions of the module.

/// The maximum number of functions visited in the search for a path.
const LONGEST_SEARCH: usize = 64;

/// The call graph, by indices of functions.
pub(super) struct Calls {
    of: Vec<Vec<u32>>,
    /// The strongly connected component of each function.
    circles: Vec<u32>,
}

impl Calls {
    pub fn new(of: Vec<Vec<u32>>) -> Calls {
        let circles = circles(&of);
        Calls { of, circles }
    }

    /// Returns `true` if a call of `callee` in `caller` leads back to `caller`.
    pub fn leads_back(&self, caller: u32, callee: u32) -> bool {
        self.circles[caller as usize] == self.circles[callee as usize]
    }

    /// Returns the shortest list of functions from `from` to one that calls `to`; empty if `from` is `to`. Returns
    /// `None` if they are far apart.
    pub fn shortest_path(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        // Each function, with the index of its caller in this list.
        let mut seen: Vec<(u32, usize)> = vec![(from, 0)];
        let mut at = 0;
        while let Some(&(function, _)) = seen.get(at) {
            if function == to {
                return Some(path_to(&seen, at));
            }
            for &callee in &self.of[function as usize] {
                if seen.len() >= LONGEST_SEARCH {
                    break;
                }
                if callee == to {
                    let mut path = path_to(&seen, at);
                    path.push(function);
                    return Some(path);
                }
                if self.leads_back(to, callee) && seen.iter().all(|(it, _)| *it != callee) {
                    seen.push((callee, at));
                }
            }
            at += 1;
        }
        None
    }
}

/// Returns the path to an entry of a search, from its beginning.
fn path_to(seen: &[(u32, usize)], mut at: usize) -> Vec<u32> {
    let mut path = Vec::new();
    while at != 0 {
        at = seen[at].1;
        path.push(seen[at].0);
    }
    path.reverse();
    path
}

/// Returns the strongly connected component of each function (Tarjan's algorithm). Uses an explicit stack, since a
/// chain of calls may be as long as the file.
fn circles(calls: &[Vec<u32>]) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let mut found = vec![UNSEEN; calls.len()];
    let mut order = vec![UNSEEN; calls.len()];
    let mut lowest = order.clone();
    let (mut next, mut open) = (0, Vec::new());
    for root in 0..calls.len() as u32 {
        if order[root as usize] != UNSEEN {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((function, edge)) = path.last_mut() {
            let (at, this) = (*function as usize, *function);
            if order[at] == UNSEEN {
                (order[at], lowest[at]) = (next, next);
                next += 1;
                open.push(this);
            }
            if let Some(&callee) = calls[at].get(*edge) {
                *edge += 1;
                let callee = callee as usize;
                if order[callee] == UNSEEN {
                    path.push((callee as u32, 0));
                } else if found[callee] == UNSEEN {
                    lowest[at] = lowest[at].min(order[callee]);
                }
                continue;
            }
            path.pop();
            if let Some((caller, _)) = path.last() {
                let caller = *caller as usize;
                lowest[caller] = lowest[caller].min(lowest[at]);
            }
            if lowest[at] == order[at] {
                while let Some(member) = open.pop() {
                    found[member as usize] = this;
                    if member == this {
                        break;
                    }
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutually_recursive_functions_report_their_cycle() {
        // 0 -> 1 -> 2 -> 0, 2 -> 3 -> 4, 4 -> 4, 5
        let calls = Calls::new(vec![vec![1], vec![2], vec![0, 3], vec![4], vec![4], vec![]]);
        assert!(calls.leads_back(0, 1) && calls.leads_back(2, 0) && calls.leads_back(4, 4));
        assert!(!calls.leads_back(2, 3) && !calls.leads_back(3, 4));
        assert_eq!(calls.shortest_path(1, 0), Some(vec![1, 2]));
        assert_eq!(calls.shortest_path(4, 4), Some(vec![]));
        assert_eq!(calls.shortest_path(3, 0), None);
    }

    #[test]
    fn a_long_cycle_is_reported_without_its_path() {
        let n = 100_000;
        let calls = Calls::new((0..n).map(|at| vec![(at + 1) % n]).collect());
        assert!(calls.leads_back(0, 1) && calls.leads_back(1, n - 1));
        assert_eq!(calls.shortest_path(n - 1, 0), Some(vec![n - 1]));
        assert_eq!(calls.shortest_path(1, 0), None);
    }
}
