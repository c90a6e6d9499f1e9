//! Reads the modules of dumps. Many passes change nothing or a single function, so each distinct text is read once,
//! and each unchanged function in consecutive texts is analysed once.

use std::sync::mpsc;

use ide::Config;
use ide::passes::{Sequence, Stage, StageReader, pass_name};
use relax::Release;
use rustc_hash::FxHashMap;

use super::dumps::Dump;
use super::files::Files;
use crate::memory::STACK;

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
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build()?;
    // For each dump, the first dump with the same text.
    let mut known: FxHashMap<(&str, Option<Release>), usize> = FxHashMap::default();
    let first: Vec<usize> = dumps
        .iter()
        .enumerate()
        .map(|(at, it)| *known.entry((&*it.text, it.release)).or_insert(at))
        .collect();
    let distinct: Vec<usize> = (0..dumps.len()).filter(|at| first[*at] == *at).collect();
    // Each thread reads consecutive dumps.
    let run = distinct.len().div_ceil(pool.current_num_threads()).max(1);
    let mut sequence = planned(dumps);
    pool.in_place_scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for run in distinct.chunks(run) {
            let sender = sender.clone();
            scope.spawn(move |_| {
                let mut reader = StageReader::default();
                for &at in run {
                    let stage = files.go_on().map(|()| stage(&mut reader, &dumps[at]));
                    // The receiver is dropped when a stage could not be read.
                    let is_over = stage.is_err();
                    if sender.send(stage.map(|it| (at, it))).is_err() || is_over {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut stages: FxHashMap<usize, Stage> = FxHashMap::default();
        for stage in receiver {
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
        }
        Ok(sequence)
    })
}

fn stage(reader: &mut StageReader, dump: &Dump) -> Stage {
    let config = Config {
        target: dump.release,
    };
    reader.read(dump.text.clone(), config, &dump.label())
}
