//! Generates `docs/releases.md`, the differences between TVM's releases, from the tables.

use crate::release::{Release, Releases};
use std::fmt::Write;

use expect_test::expect_file;

use super::meanings::MEANINGS;
use super::renames::TABLES;
use super::{Elsewhere, SPELLINGS, Spelling, spellings};

const INTRODUCTION: &str = "# Releases of TVM\n\n\
    TVMScript changes with TVM. `relax-lsp` reads every release below with one grammar. Which one a file is written for \
    shows in its spellings, or is set (`relax.tvm`).\n\n\
    | Release | Name in settings | StructInfo |\n|---|---|---|\n";

fn release(it: Option<Release>) -> &'static str {
    it.map_or("", Release::name)
}

fn elsewhere(row: &Spelling) -> String {
    let mut notes = match (row.releases == Releases::ALL, row.elsewhere) {
        (true, _) | (false, Elsewhere::Refused | Elsewhere::Reported) => Vec::new(),
        (false, Elsewhere::Ignored) => vec!["ignored".to_owned()],
        (false, Elsewhere::Accepted) => vec!["accepted".to_owned()],
    };
    if !row.instead.is_empty() {
        notes.push(format!("`{}`", row.instead));
    }
    notes.join("; ")
}

#[test]
fn a_spelling_that_not_every_release_has_names_the_change_that_brought_it() {
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
    for (title, rows) in SPELLINGS {
        let _ = write!(
            text,
            "\n## {title}\n\n| Spelling | Meaning | Since | Until | Elsewhere | Source |\n|---|---|---|---|---|---|\n"
        );
        for row in *rows {
            let (since, until) = (release(row.releases.first()), release(row.releases.last()));
            let cells = [row.meaning, since, until, &elsewhere(row), row.source].join(" | ");
            let _ = writeln!(text, "| `{}` | {cells} |", row.shown);
        }
    }
    text.push_str(
        "\n## Operators that changed their meaning\n\n\
        A file is checked by the meaning of its release. The sources are pull requests of apache/tvm.\n\n\
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
            row.source,
        ];
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text.push_str(
        "\n## The Python around\n\n\
        `relax-lsp migrate` writes these where an import makes them certain, and lists the others.\n",
    );
    for (title, rows) in TABLES {
        let _ = write!(
            text,
            "\n### {title}\n\n| Since | Before | Now | Source |\n|---|---|---|---|\n"
        );
        for row in *rows {
            let (since, source) = (row.since.name(), row.source);
            let _ = writeln!(
                text,
                "| {since} | `{}` | `{}` | {source} |",
                row.old, row.new
            );
        }
    }
    expect_file!["../../../../docs/releases.md"].assert_eq(&text);
}
