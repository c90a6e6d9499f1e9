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

/// The name of a default pipeline, which runs one sequence.
const PIPELINE: &str = "_pipeline";

/// Passes that build and run PrimFuncs of their own: each build is dumped before them, as passes on PrimFuncs.
const BUILDING: &[&str] = &["FoldConstant"];

/// Passes on PrimFuncs.
const ON_PRIM_FUNCS: &[&str] = &["tir.", "tirx.", "s_tir."];

fn is_on_prim_funcs(pass: &str) -> bool {
    ON_PRIM_FUNCS.iter().any(|it| pass.starts_with(it))
}

/// Returns for each pass whether it belongs to a build inside of another pass, on a module of its own.
pub fn in_builds(passes: &[&str]) -> Vec<bool> {
    let mut inside = vec![false; passes.len()];
    for (at, pass) in passes.iter().enumerate() {
        if !BUILDING.contains(pass) {
            continue;
        }
        let is_built = |it: &usize| {
            let pass = passes[*it];
            is_on_prim_funcs(pass) || [SEQUENTIAL, PIPELINE].contains(&pass)
        };
        let builds = (0..at).rev().take_while(is_built);
        // A sequence before the first pass on PrimFuncs belongs to what came before.
        let first = builds.filter(|it| is_on_prim_funcs(passes[*it])).last();
        inside[first.unwrap_or(at)..at].fill(true);
    }
    inside
}

/// Returns the parent of each pass by nesting depth: the next pass with a smaller depth.
pub fn by_depth(depths: &[usize]) -> Vec<Option<usize>> {
    let parent = |at: usize| (at + 1..depths.len()).find(|it| depths[*it] < depths[at]);
    (0..depths.len()).map(parent).collect()
}

/// Returns the parent of each pass by its name.
pub fn parents(passes: &[&str]) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None; passes.len()];
    let in_builds = in_builds(passes);
    for (at, pass) in passes.iter().enumerate() {
        let open: Vec<usize> = (0..at).filter(|it| parents[*it].is_none()).collect();
        if *pass == SEQUENTIAL {
            // The members are all passes since the previous sequence.
            let since = open.iter().rev();
            let members = since
                .take_while(|it| ![SEQUENTIAL, PIPELINE].contains(&passes[**it]))
                .take_while(|it| in_builds[**it] == in_builds[at]);
            members.for_each(|it| parents[*it] = Some(at));
        } else if *pass == PIPELINE {
            let last = open.last().filter(|it| passes[**it] == SEQUENTIAL);
            if let Some(it) = last {
                parents[*it] = Some(at);
            }
        } else if BUILDING.contains(pass) {
            let builds = open.iter().rev().take_while(|it| in_builds[**it]);
            builds.for_each(|it| parents[*it] = Some(at));
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
    use super::{by_depth, in_builds, parents};

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

    #[test]
    fn builds_inside_of_a_pass_belong_to_it() {
        let build = [
            "tirx.BindTarget",
            "s_tir.LowerInitBlock",
            "sequential",
            "_pipeline",
        ];
        let mut passes = vec!["LegalizeOps", "sequential"];
        passes.extend(build);
        passes.extend(build);
        passes.extend(["FoldConstant", "FuseOps"]);
        let inside = [4, 4, 5, 10, 8, 8, 9, 10].map(Some);
        assert_eq!(parents(&passes)[2..10], inside);
        assert_eq!(parents(&passes)[..2], [Some(1), None]);
        assert_eq!(in_builds(&passes).iter().filter(|it| **it).count(), 8);
        assert!(!in_builds(&passes)[1]);
    }

    #[test]
    fn a_pipeline_holds_its_sequence() {
        let passes = ["A", "sequential", "_pipeline", "tirx.B"];
        assert_eq!(parents(&passes), [Some(1), Some(2), None, None]);
    }
}
