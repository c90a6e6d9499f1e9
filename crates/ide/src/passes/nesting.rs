//! Reconstructs which pass runs which. `DumpIR` writes a pass after the passes that it runs.

/// Passes of TVM that run a fixed sequence of other passes, with these in order. Some may be missing from the dumps,
/// since a pass that does not apply is not dumped.
const SEQUENCES: &[(&str, &[&str])] = &[
    (
        "CanonicalizeBindings",
        &["CanonicalizeTIRVariables", "CanonicalizeRelaxBindings"],
    ),
    (
        "ExpandTupleArguments",
        &[
            "ExpandTupleArgumentsInner",
            "CanonicalizeBindings",
            "DeadCodeElimination",
        ],
    ),
    (
        "RemoveUnusedOutputs",
        &[
            "RemoveUnusedOutputsInner",
            "CanonicalizeBindings",
            "DeadCodeElimination",
        ],
    ),
    (
        "FuseTIR",
        &[
            "ExpandTupleArguments",
            "RemoveUnusedParameters",
            "FuseTIRInner",
            "DeadCodeElimination",
        ],
    ),
    (
        "LiftTransformParams",
        &[
            "PartitionTransformParams",
            "LambdaLift",
            "LiftTransformParamsPostProc",
        ],
    ),
    (
        "DecomposeOpsForTraining",
        &["MutateOpsForTraining", "DecomposeOps"],
    ),
    ("SplitLayoutRewritePreproc", &["DeadCodeElimination"]),
    (
        "AttachAttrLayoutFreeBuffers",
        &["_AttachAttrLayoutFreeBuffers", "DeadCodeElimination"],
    ),
];

/// The name that TVM gives to a sequence without a name.
const SEQUENTIAL: &str = "sequential";

/// Returns the parent of each pass by nesting depth: the next pass with a smaller depth.
pub fn by_depth(depths: &[usize]) -> Vec<Option<usize>> {
    let parent = |at: usize| (at + 1..depths.len()).find(|it| depths[*it] < depths[at]);
    (0..depths.len()).map(parent).collect()
}

/// Returns the parent of each pass by its name.
pub fn parents(passes: &[&str]) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None; passes.len()];
    for (at, pass) in passes.iter().enumerate() {
        let open: Vec<usize> = (0..at).filter(|it| parents[*it].is_none()).collect();
        if *pass == SEQUENTIAL {
            // The members are all passes since the previous sequence.
            let since = open.iter().rev();
            let members = since.take_while(|it| passes[**it] != SEQUENTIAL);
            members.for_each(|it| parents[*it] = Some(at));
        } else if let Some((_, members)) = SEQUENCES.iter().find(|(name, _)| name == pass) {
            let mut left = members.iter().rev();
            for candidate in open.into_iter().rev() {
                if !left.any(|member| *member == passes[candidate]) {
                    break;
                }
                parents[candidate] = Some(at);
            }
        }
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::{by_depth, parents};

    #[test]
    fn a_sequence_holds_its_members_and_theirs() {
        let passes = [
            "FuseOps",
            "ExpandTupleArgumentsInner",
            "CanonicalizeTIRVariables",
            "CanonicalizeRelaxBindings",
            "CanonicalizeBindings",
            "DeadCodeElimination",
            "ExpandTupleArguments",
            "FuseTIRInner",
            "FuseTIR",
            "sequential",
        ];
        let all = [9, 6, 4, 4, 6, 6, 8, 8, 9].map(Some);
        assert_eq!(parents(&passes)[..9], all);
    }

    #[test]
    fn recorded_depths_say_which_pass_runs_which() {
        let parents = by_depth(&[0, 2, 2, 1, 1, 0, 0]);
        let expected = [None, Some(3), Some(3), Some(5), Some(5), None, None];
        assert_eq!(parents, expected);
    }

    #[test]
    fn a_sequence_takes_no_pass_that_is_not_its_member() {
        assert_eq!(
            parents(&["LegalizeOps", "CanonicalizeBindings"]),
            [None, None]
        );
    }

    #[test]
    fn a_second_pass_sequence_starts_after_the_first() {
        let passes = ["A", "sequential", "B", "sequential"];
        assert_eq!(parents(&passes), [Some(1), None, Some(3), None]);
    }
}
