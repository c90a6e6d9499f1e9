//! Sequences of small modules.

use super::{Sequence, Stage};
use crate::{Analysis, Config};

fn stage(label: &str, body: &str) -> Stage {
    let text = format!(
        "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4,), \"float32\")):\n{body}        return y\n"
    );
    read(label, &text)
}

fn sequence(stages: Vec<Stage>) -> Sequence {
    let names: Vec<&str> = stages.iter().map(|it| it.pass.as_str()).collect();
    let mut sequence = Sequence::of_passes(&names, &vec![None; names.len()]);
    let known: Vec<usize> = stages
        .into_iter()
        .flat_map(|it| sequence.push(it))
        .collect();
    assert!(known.into_iter().eq(0..sequence.stages.len()));
    sequence
}

fn read(label: &str, text: &str) -> Stage {
    let (analysis, file) = Analysis::from_single_file(text, Config::default());
    analysis
        .stage(file, label)
        .expect("nothing changes the file")
}

const ADD: &str = "        y = R.add(x, x)\n";
const RELU: &str = "        y = R.nn.relu(x)\n";

#[test]
fn a_pass_is_named_by_its_dump() {
    let names = ["003_FuseOps", "debug-phase2", "000_", "12"];
    let names = names.map(|label| stage(label, ADD).pass);
    assert_eq!(names, ["FuseOps", "debug-phase2", "000_", "12"]);
}

#[test]
fn a_step_tells_what_its_pass_changed() {
    let stages = [("0_A", ADD), ("1_B", ADD), ("2_C", RELU)];
    let sequence = sequence(stages.map(|(label, body)| stage(label, body)).into());
    let idle = [0, 1, 2].map(|at| sequence.is_idle(at));
    assert_eq!(idle, [false, true, false]);
    assert_eq!(sequence.summary(2), "main: 1 add → nn.relu");
    assert_eq!(sequence.first_ill_formed(), None);
}

#[test]
fn a_dump_of_a_part_of_the_module_is_passed_over() {
    let part = read("1_Part", "@I.ir_module\nclass Module:\n    pass\n");
    let sequence = sequence(vec![stage("0_A", ADD), part, stage("2_B", ADD)]);
    assert!(sequence.steps[1].is_partial);
    assert_eq!(sequence.steps[2].before, Some(0));
    assert!(sequence.is_idle(2));
}

#[test]
fn the_first_ill_formed_stage_is_found() {
    let broken = "        y = R.add(x, nowhere)\n";
    let stages = [("0_A", ADD), ("1_B", broken), ("2_C", broken)];
    let sequence = sequence(stages.map(|(label, body)| stage(label, body)).into());
    assert_eq!(sequence.first_ill_formed(), Some(1));
    assert_eq!(sequence.before(1).map(|it| it.pass.as_str()), Some("A"));
}

#[test]
fn a_sequence_is_compared_with_the_stage_before_it() {
    let stages = [
        ("0_A", ADD),
        ("1_CanonicalizeTIRVariables", RELU),
        ("2_CanonicalizeRelaxBindings", RELU),
        ("3_CanonicalizeBindings", RELU),
    ];
    let sequence = sequence(stages.map(|(label, body)| stage(label, body)).into());
    assert_eq!(sequence.inner_passes(Some(3)).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(sequence.steps[3].before, Some(0));
    assert_eq!(sequence.summary(3), "main: 1 add → nn.relu");
}
