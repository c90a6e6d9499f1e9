//! Runs each case of `tests/cases/**/*.md` as a test: `cargo test -p tests --test cases -- hover`. With `UPDATE_EXPECT=1`,
//! writes what is answered into the files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use tests::cases::{Rewrites, of_folder, reader};

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let cases = match of_folder(&folder) {
        Ok(cases) => cases,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    let is_update = std::env::var_os("UPDATE_EXPECT").is_some_and(|it| it == "1");
    let changed: Arc<Mutex<BTreeMap<PathBuf, Rewrites>>> = Arc::default();
    let trials = cases.into_iter().map(|case| {
        let changed = Arc::clone(&changed);
        Trial::test(case.name.clone(), move || {
            let (rewrites, report) = case.run();
            let mut changed = changed.lock().expect("no test holds it");
            changed
                .entry(case.file.clone())
                .or_default()
                .extend(rewrites);
            if report.is_empty() {
                Ok(())
            } else {
                Err(Failed::from(report))
            }
        })
    });
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials.collect());
    let changed = std::mem::take(&mut *changed.lock().expect("all tests have ended"));
    for (file, mut rewrites) in changed
        .into_iter()
        .filter(|it| is_update && !it.1.is_empty())
    {
        rewrites.sort_by_key(|it| it.0.start);
        rewrites.dedup_by_key(|it| it.0.start);
        let text = fs::read_to_string(&file).expect("it was read before");
        fs::write(&file, reader::with_texts(&text, &rewrites)).expect("it can be written");
    }
    conclusion.exit_code()
}
