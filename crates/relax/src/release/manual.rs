//! Generates `docs/releases.md`, the differences between TVM's releases, from the tables.

use crate::release::{Release, Releases};
use std::fmt::Write;

use expect_test::expect_file;

use super::meanings::MEANINGS;
use super::renames::TABLES;
use super::{OutOfRange, SPELLINGS, Spelling, spellings};

const INTRODUCTION: &str = "# Releases of TVM\n\n\
    TVMScript changes from one release of TVM to the next. This page lists the changes that `relax-lsp` knows. \
    `relax-lsp migrate` rewrites a file for another release ([migrate.md](migrate.md)).\n\n\
    `relax-lsp` infers the releases that a file can be written for from the names and keywords in it. To choose one \
    release, use the setting `relax.tvm`, the option `--tvm 0.25`, or `tvm` in `[tool.relax-lsp]` of `pyproject.toml`.\n\n\
    | Release | Name in settings | Dialect |\n|---|---|---|\n";

const TABLES_EXPLAINED: &str = "\nThe dialect is how a release writes the type of a value: `rfc` as `Tensor[(n, 4), \"float32\"]`, `struct-info` as \
    `R.Tensor((\"n\", 4), \"float32\")` with `out_sinfo=`, and `type` as the same with `out_ty=`.\n\n\
    In the tables, *Since* is the first release that has a spelling and *Until* is the last one. An empty cell means \
    that there is no such limit. *Other releases* shows what to write in the other releases; `accepted` means that \
    they accept the spelling too, `ignored` that they accept it without any effect. *Source* is the pull request that \
    made the change.\n";

/// Links the pull requests of a source: `#14132`, `tlc-pack/relax#76`.
fn linked(source: &str) -> String {
    let words = source.split(' ').map(|word| {
        let Some((repository, number)) = word.split_once('#') else {
            return word.to_owned();
        };
        let repository = if repository.is_empty() {
            "apache/tvm"
        } else {
            repository
        };
        format!("[{word}](https://github.com/{repository}/pull/{number})")
    });
    words.collect::<Vec<String>>().join(" ")
}

fn release(it: Option<Release>) -> &'static str {
    it.map_or("", Release::name)
}

fn other_releases(row: &Spelling) -> String {
    let mut notes = match (row.releases == Releases::ALL, row.out_of_range) {
        (true, _) | (false, OutOfRange::Refused | OutOfRange::Reported) => Vec::new(),
        (false, OutOfRange::Ignored) => vec!["ignored".to_owned()],
        (false, OutOfRange::Accepted) => vec!["accepted".to_owned()],
    };
    if !row.instead.is_empty() {
        notes.push(format!("`{}`", row.instead));
    }
    notes.join("; ")
}

#[test]
fn changed_spellings_name_their_source() {
    let starts = ["#", "RFC ", "tlc-pack/relax#"];
    let is_source = |it: &str| starts.iter().any(|start| it.starts_with(start));
    let with_border = spellings().filter(|it| it.releases != Releases::ALL);
    let without: Vec<_> = with_border.filter(|it| !is_source(it.source)).collect();
    assert!(without.is_empty(), "{without:#?}");
}

#[test]
fn releases_md_is_what_the_tables_say() {
    let mut text = String::from(INTRODUCTION);
    for release in Release::ALL {
        let (title, name) = (release.title(), release.name());
        let _ = writeln!(
            text,
            "| {title} | `{name}` | {} |",
            release.dialect().name()
        );
    }
    text.push_str(TABLES_EXPLAINED);
    for (title, rows) in SPELLINGS {
        let _ = write!(
            text,
            "\n## {title}\n\n| Spelling | Meaning | Since | Until | Other releases | Source |\n|---|---|---|---|---|---|\n"
        );
        for row in *rows {
            let (since, until) = (release(row.releases.first()), release(row.releases.last()));
            let (others, source) = (other_releases(row), linked(row.source));
            let cells = [row.meaning, since, until, &others, &source].join(" | ");
            let _ = writeln!(text, "| `{}` | {cells} |", row.shown);
        }
    }
    text.push_str(
        "\n## Operators whose meaning changed\n\n\
        The same call means something else before and after the release in *Since*. `relax-lsp` checks a file with the \
        meaning in its release.\n\n\
        | Operators | Since | Before | Now | Source |\n|---|---|---|---|---|\n",
    );
    for row in MEANINGS {
        let operators: Vec<String> = row.operators.iter().map(|it| format!("`R.{it}`")).collect();
        let operators = operators.join(", ");
        let cells = [
            &operators,
            row.since.name(),
            row.before,
            row.now,
            &linked(row.source),
        ];
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text.push_str(
        "\n## TVM's Python API\n\n\
        `relax-lsp migrate` renames these where the imports of the file show what a name stands for. It lists the other \
        places with file and line.\n",
    );
    for (title, rows) in TABLES {
        let _ = write!(
            text,
            "\n### {title}\n\n| Since | Before | Now | Source |\n|---|---|---|---|\n"
        );
        for row in *rows {
            let (since, source) = (row.since.name(), linked(row.source));
            let _ = writeln!(
                text,
                "| {since} | `{}` | `{}` | {source} |",
                row.old, row.new
            );
        }
    }
    expect_file!["../../../../docs/releases.md"].assert_eq(&text);
}
