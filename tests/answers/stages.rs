//! Tests that reading dumps in sequence, with shared data, gives the same result as reading each one alone.

use std::path::{Path, PathBuf};

use ide::Config;
use ide::difference::Difference;
use ide::passes::{Stage, StageReader};

fn dumps(model: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/passes")
        .join(model);
    let files = std::fs::read_dir(folder).expect("the fixture is there");
    let mut files: Vec<PathBuf> = files.map(|it| it.expect("it is readable").path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "py"));
    files.sort();
    files
}

fn read(reader: &mut StageReader, path: &Path) -> Stage {
    let text = std::fs::read_to_string(path).expect("it is readable");
    reader.read(text.into(), Config::default(), "000_Pass")
}

#[test]
fn a_dump_is_the_same_whichever_was_read_before_it() {
    for model in ["mlp", "convnet"] {
        let mut reader = StageReader::default();
        let mut last: Option<(Stage, Stage)> = None;
        // Also in reverse order: functions appear, disappear and return.
        let dumps = dumps(model);
        for path in dumps.iter().chain(dumps.iter().rev()) {
            let shared = read(&mut reader, path);
            let alone = read(&mut StageReader::default(), path);
            let name = path.display();
            assert_eq!(shared.errors, alone.errors, "{name}");
            assert_eq!(shared.figures, alone.figures, "{name}");
            let plans = [&shared, &alone].map(|it| &it.plans);
            assert_eq!(plans[0], plans[1], "{name}");
            let found = Difference::of(&alone.snapshot, &shared.snapshot);
            assert!(found.is_empty(), "{name}: {found:#?}");
            if let Some((shared_before, alone_before)) = &last {
                let of_shared = Difference::of(&shared_before.snapshot, &shared.snapshot);
                let of_alone = Difference::of(&alone_before.snapshot, &alone.snapshot);
                assert_eq!(of_shared, of_alone, "{name}");
            }
            last = Some((shared, alone));
        }
    }
}
