//! What comments in a program expect of their line: `# error: code`, `# warning: code: message`, `# hint: 5 code` with the
//! column, `# revealed: type`, and in the line of a header `# parameters: name: type`. A comment on a line of its own speaks
//! of the next line with code. A program with such comments has no other errors and warnings; hints count if one is named.

use hir::facts::VarKind;
use hir::{file_items, file_release, function_facts};
use ide::{Language, Severity};
use text_size::TextRange;

use super::program::Program;

const KINDS: &[&str] = &["error", "warning", "hint", "revealed", "parameters"];

/// Words that begin other comments.
const OTHERS: &[&str] = &["fmt", "noqa", "relax", "type"];

/// How long a line with its comment is at most, if the comment is written here.
const LONGEST: usize = 120;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The line in the text without comments, counted from 0.
    pub line: usize,
    kind: &'static str,
    text: String,
}

/// Takes the comments out of a text.
pub fn read(text: &str) -> Result<(String, Vec<Note>), String> {
    let (mut plain, mut notes, mut line) = (String::new(), Vec::new(), 0);
    let mut above = 0;
    for written in text.split_inclusive('\n') {
        let (code, found) = split(written)?;
        notes.extend(
            found
                .into_iter()
                .map(|(kind, text)| Note { line, kind, text }),
        );
        if notes.len() > above && code.trim().is_empty() {
            continue;
        }
        above = notes.len();
        line += 1;
        plain.push_str(code);
        plain.push_str(if code.ends_with('\n') { "" } else { "\n" });
    }
    match notes.last() {
        Some(last) if last.line == line => Err(format!("no line follows `# {}`", last.kind)),
        _ => {
            notes.sort();
            Ok((plain, notes))
        }
    }
}

/// The kind and the text of a note.
type Comment = (&'static str, String);

/// Returns the code of a line, and its comments.
fn split(line: &str) -> Result<(&str, Vec<Comment>), String> {
    let mut found = Vec::new();
    let mut code = line;
    for (at, _) in line.match_indices("# ") {
        let Some((word, text)) = line[at + 2..].split_once(": ") else {
            continue;
        };
        if let Some(kind) = KINDS.iter().find(|it| **it == word) {
            if found.is_empty() {
                code = line[..at].trim_end();
            }
            let starts = KINDS
                .iter()
                .filter_map(|it| text.find(&format!("# {it}: ")));
            let end = starts.min().unwrap_or(text.len());
            found.push((*kind, text[..end].trim_end().to_owned()));
        } else if found.is_empty()
            && !OTHERS.contains(&word)
            && word.bytes().all(|it| it.is_ascii_lowercase())
        {
            return Err(format!("`# {word}:` is not known"));
        }
    }
    Ok((code, found))
}

/// Writes the comments into a text.
pub fn with_notes(plain: &str, notes: &[Note]) -> String {
    let mut text = String::new();
    for (at, line) in plain.lines().enumerate() {
        let of_line: Vec<&Note> = notes.iter().filter(|it| it.line == at).collect();
        let comment = |note: &Note| format!("# {}: {}", note.kind, note.text);
        match of_line[..] {
            [] => text.push_str(line),
            [note] if line.len() + comment(note).len() + 2 <= LONGEST => {
                text.extend([line, "  ", &comment(note)]);
            }
            _ => {
                let indent = &line[..line.len() - line.trim_start().len()];
                text.extend(
                    of_line
                        .into_iter()
                        .map(|it| format!("{indent}{}\n", comment(it))),
                );
                text.push_str(line);
            }
        }
        text.push('\n');
    }
    text
}

impl Note {
    fn is_of_type(&self) -> bool {
        matches!(self.kind, "revealed" | "parameters")
    }

    /// Whether this says what `actual` does, perhaps without its column and message.
    fn allows(&self, actual: &Note) -> bool {
        let mut forms = vec![actual.text.clone()];
        if let Some((column, rest)) = actual.text.split_once(' ')
            && !self.is_of_type()
        {
            let code = rest.split(':').next().unwrap_or(rest);
            forms.extend([rest.to_owned(), code.to_owned(), format!("{column} {code}")]);
        }
        (self.line, self.kind) == (actual.line, actual.kind) && forms.contains(&self.text)
    }
}

/// Returns the notes that should be there: those of `expected` that are right, and what else is found.
pub fn corrected(expected: &[Note], actual: Vec<Note>) -> Vec<Note> {
    let with_columns = expected
        .iter()
        .any(|it| it.text.starts_with(|it: char| it.is_ascii_digit()));
    let mut left: Vec<&Note> = expected.iter().collect();
    let wants = |kind: &str| expected.iter().any(|it| it.kind == kind);
    let lines = |kind: &str| -> Vec<usize> {
        expected
            .iter()
            .filter(|it| it.kind == kind)
            .map(|it| it.line)
            .collect()
    };
    let (revealed, parameters) = (lines("revealed"), lines("parameters"));
    let counts = |it: &Note| match it.kind {
        "revealed" => revealed.contains(&it.line),
        "parameters" => parameters.contains(&it.line),
        "hint" => wants("hint"),
        _ => true,
    };
    let actual = actual.into_iter().filter(counts);
    let notes = actual.map(|it| {
        let found = left.iter().position(|note| note.allows(&it));
        match found {
            Some(at) => left.remove(at).clone(),
            None if with_columns || it.is_of_type() => it,
            None => Note {
                text: it
                    .text
                    .split_once(' ')
                    .map_or_else(String::new, |text| text.1.to_owned()),
                ..it
            },
        }
    });
    let mut notes: Vec<Note> = notes.collect();
    notes.sort();
    notes
}

/// Returns all notes about a program. Those outside of what the case shows are an error.
pub fn found(program: &Program) -> Result<Vec<Note>, String> {
    let opened = program.open();
    let mut notes = Vec::new();
    let lines = program.shown_lines();
    for it in opened.analysis.diagnostics(opened.file).unwrap() {
        let at = opened.lines.line_col(it.range.start());
        let kind = match it.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        let line = at.line as usize;
        if lines.contains(&line) {
            let (line, column) = (
                line - lines.start,
                (at.col as usize + 1).saturating_sub(program.column),
            );
            let line = program.line + line;
            let text = format!("{column} {}: {}", it.code, it.message);
            notes.push(Note { line, kind, text });
        } else if kind != "hint" {
            return Err(format!(
                "{} on line {} around: {}",
                it.code,
                line + 1,
                it.message
            ));
        }
    }
    let types = types(program)
        .into_iter()
        .filter(|it| lines.contains(&it.line));
    notes.extend(types.map(|note| Note {
        line: note.line - lines.start + program.line,
        ..note
    }));
    notes.sort_by_key(|it| it.line);
    Ok(notes)
}

/// Returns what each line with bindings or a header binds: the type of its only variable, or each with its name, or the
/// result of a function, and its parameters.
fn types(program: &Program) -> Vec<Note> {
    if program.language != Language::Python {
        return Vec::new();
    }
    let opened = program.open();
    let (db, file) = opened.analysis.hir(opened.file).expect("the file is there");
    let dialect = file_release(db, file).dialect();
    let (mut notes, mut bound) = (Vec::new(), Vec::new());
    for &function in &file_items(db, file).functions {
        let facts = function_facts(db, function);
        let start = function.offset(db);
        let line = |range: TextRange| {
            let at = opened.lines.line_col((range + start).start());
            at.line as usize
        };
        for fact in &facts.functions {
            let line = line(fact.name_range);
            let text = format!("-> {}", fact.ret.display(dialect));
            notes.push(Note {
                line,
                kind: "revealed",
                text,
            });
            let params = fact.params.iter().map(|&it| facts.var(it));
            let params =
                params.map(|it| format!("{}: {}", it.name, it.struct_info.display(dialect)));
            let text = params.collect::<Vec<_>>().join(", ");
            notes.push(Note {
                line,
                kind: "parameters",
                text,
            });
        }
        let vars = facts.vars().filter(|it| it.kind != VarKind::Param);
        bound.extend(vars.map(|it| {
            (
                line(it.name_range),
                it.name,
                it.struct_info.display(dialect).to_string(),
            )
        }));
    }
    for (line, name, shown) in &bound {
        let is_alone = bound.iter().filter(|it| it.0 == *line).count() == 1;
        let text = if is_alone {
            shown.clone()
        } else {
            format!("{name}: {shown}")
        };
        notes.push(Note {
            line: *line,
            kind: "revealed",
            text,
        });
    }
    notes
}

#[cfg(test)]
mod tests {
    use ide::Language;

    use super::{corrected, found, read, with_notes};
    use crate::cases::program::Program;

    /// Returns the text with the notes that it should have.
    fn noted(text: &str) -> String {
        let (plain, expected) = read(text).unwrap();
        let actual = found(&Program::new(Language::Python, &plain, false, None)).unwrap();
        with_notes(&plain, &corrected(&expected, actual))
    }

    const RIGHT: &str = r#"@R.function
def f(x: R.Tensor(("n", 4), "float32")):  # revealed: -> ?
    y = R.exp(x)  # revealed: R.Tensor((n, 4), dtype="float32")
    # error: 15 undefined-name: `z` is not defined
    # revealed: ?
    w = R.add(z, x)
    v = R.exp(x)  # hint: unused-binding
    R.exp(u)  # error: undefined-name
    return R.add(y, w)
"#;

    #[test]
    fn right_notes_stay_as_detailed_as_they_are() {
        assert_eq!(noted(RIGHT), RIGHT);
    }

    #[test]
    fn wrong_missing_and_superfluous_notes_are_corrected() {
        for (right, wrong) in [
            ("  # error: undefined-name\n", "\n"),
            (
                "  # error: undefined-name\n",
                "  # warning: undefined-name\n",
            ),
            (
                "(\"n\", 4), \"float32\")):",
                "(\"n\", 4), \"float32\")):  # error: undefined-name",
            ),
            ("error: 15", "error: 16"),
            (
                "y = R.exp(x)  # revealed: R.Tensor((n, 4)",
                "y = R.exp(x)  # revealed: R.Tensor((n, 5)",
            ),
        ] {
            let text = RIGHT.replacen(right, wrong, 1);
            assert_ne!(noted(&text), text, "{wrong}");
        }
    }
}
