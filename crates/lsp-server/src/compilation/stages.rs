//! Reads the modules of dumps. Many passes change nothing or a single function, so each distinct text is read once,
//! and each unchanged function in consecutive texts is analysed once.

pub mod text;

use ide::Config;
use ide::passes::{Sequence, Stage, StageReader, pass_name};
use relax::Release;
use rustc_hash::FxHashMap;

use super::dumps::Dump;
use super::files::Files;
use crate::tasks;

/// Returns the sequence of the dumps' passes, without their stages.
pub fn planned(dumps: &[Dump]) -> Sequence {
    let labels: Vec<String> = dumps.iter().map(Dump::label).collect();
    let passes: Vec<&str> = labels.iter().map(|it| pass_name(it)).collect();
    let depths: Vec<Option<usize>> = dumps.iter().map(|it| it.depth).collect();
    Sequence::of_passes(&passes, &depths)
}

/// Reads the dumps. Calls `tell` for each step in order, as soon as it is known.
pub fn read(
    dumps: &[Dump],
    files: &Files,
    tell: &mut dyn FnMut(&Sequence, usize),
) -> anyhow::Result<Sequence> {
    // For each dump, the first dump with the same text.
    let mut known: FxHashMap<(&str, Option<Release>), usize> = FxHashMap::default();
    let first: Vec<usize> = dumps
        .iter()
        .enumerate()
        .map(|(at, it)| *known.entry((&*it.text, it.release)).or_insert(at))
        .collect();
    let distinct: Vec<usize> = (0..dumps.len()).filter(|at| first[*at] == *at).collect();
    let mut sequence = planned(dumps);
    let mut stages: FxHashMap<usize, Stage> = FxHashMap::default();
    let read = |part: &[usize], send: &mut dyn FnMut(anyhow::Result<(usize, Stage)>) -> bool| {
        // Consecutive dumps are alike.
        let mut reader = StageReader::default();
        for &at in part {
            let stage = files.go_on().map(|()| (at, stage(&mut reader, &dumps[at])));
            let is_over = stage.is_err();
            if !send(stage) || is_over {
                return;
            }
        }
    };
    tasks::in_parts(&distinct, read, |stage| {
        let (at, stage) = stage?;
        stages.insert(at, stage);
        while let Some(of) = first.get(sequence.stages.len())
            && let Some(stage) = stages.get(of)
        {
            let stage = stage.named(&dumps[sequence.stages.len()].label());
            for at in sequence.push(stage) {
                tell(&sequence, at);
            }
        }
        Ok(())
    })?;
    Ok(sequence)
}

fn stage(reader: &mut StageReader, dump: &Dump) -> Stage {
    let config = Config {
        target: dump.release,
    };
    reader.read(dump.text.clone(), config, &dump.label())
}
