//! `# relax: ignore[CODE]` comments (in Relay `// relax: ignore[CODE]`): silence the diagnostics of a line. A comment
//! that silences nothing is reported.
//!
//! A comment after code applies to its own line. A comment on its own line applies to the next line of code. Without
//! codes, it silences everything except syntax errors.

mod actions;

use hir::{Database, IGNORE, Source, SourceFile};
use relax::nearest_name::{did_you_mean, nearest_str};
use relax::{Code, Diagnostic};
use rustc_hash::FxHashMap;
use text_size::{TextRange, TextSize};

use crate::lines::line_at;

/// Never silenced: diagnostics caused by a syntax error are hidden anyway.
const ALWAYS_REPORTED: Code = Code::SyntaxError;

/// Removes the diagnostics that comments silence from `found`, and reports comments that silence nothing.
pub fn apply(source: &Source, mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if source.text.ignores().is_empty() {
        return found;
    }
    let mut ignores = Ignores::of(source);
    found.retain(|diagnostic| !ignores.silence(diagnostic));
    found.extend(ignores.unused(&source.text));
    found.sort_by_key(|it| (it.range.start(), it.range.end(), it.code));
    found
}

/// Returns the reports of comments in `range` that silence nothing.
pub fn unused(db: &Database, file: SourceFile, range: TextRange) -> Vec<Diagnostic> {
    let places = file.source(db).text.ignores();
    if !places.iter().any(|at| range.contains_inclusive(*at)) {
        return Vec::new();
    }
    let mut all = crate::diagnostics::reported(db, file);
    all.retain(|it| it.code == Code::UnusedIgnore && it.range.intersect(range).is_some());
    all
}

/// One ignore comment.
struct Ignore {
    /// The range from `#` to the end of the codes.
    range: TextRange,
    /// Each code with its range, and whether it silenced anything. A comment without codes has one entry without a
    /// range.
    codes: Vec<(Option<TextRange>, bool)>,
}

/// The ignore comments of a file.
#[derive(Default)]
struct Ignores {
    comments: Vec<Ignore>,
    /// The lines that the comments apply to, in order.
    lines: Vec<TextRange>,
    /// Maps the start of a line and a code (`None` for all codes) to the index of the comment and of the code in it.
    by_line: FxHashMap<(TextSize, Option<Code>), (usize, usize)>,
}

impl Ignores {
    fn of(source: &Source) -> Ignores {
        let mut ignores = Ignores::default();
        let mut below = None;
        let mut last: Option<(TextRange, TextRange)> = None;
        // Go backwards: consecutive comments apply to the same line, which the last of them finds.
        for at in source.text.ignores().iter().rev() {
            let known = last.filter(|(comment, _)| comment.contains(*at));
            let comment =
                known.map_or_else(|| source.comment_at(*at), |(comment, _)| Some(comment));
            let read = comment.and_then(|it| Some((it, read(source, it, *at)?)));
            let Some((comment, (range, entries))) = read else {
                continue;
            };
            let line = match known {
                Some((_, line)) => line,
                None => line_of_code(source, comment, &mut below),
            };
            last = Some((comment, line));
            let number = ignores.comments.len();
            for (index, entry) in entries.iter().enumerate() {
                let code = match &entry.named {
                    Named::All => None,
                    Named::One(code) => Some(*code),
                    Named::Unknown => continue,
                };
                ignores
                    .by_line
                    .insert((line.start(), code), (number, index));
            }
            let codes = entries.iter().map(|it| (it.range, false)).collect();
            ignores.comments.push(Ignore { range, codes });
            ignores.lines.push(line);
        }
        ignores.lines.sort_by_key(|line| line.start());
        ignores
    }

    /// Returns `true` if a comment silences a diagnostic, on the line where it begins or on the line where it ends.
    fn silence(&mut self, diagnostic: &Diagnostic) -> bool {
        if diagnostic.code == ALWAYS_REPORTED {
            return false;
        }
        let mut silenced = false;
        for place in [diagnostic.range.start(), diagnostic.range.end()] {
            let line = self.lines.partition_point(|line| line.end() < place);
            let Some(line) = self.lines.get(line).filter(|it| it.start() <= place) else {
                continue;
            };
            let named = self.by_line.get(&(line.start(), Some(diagnostic.code)));
            let named = named.or_else(|| self.by_line.get(&(line.start(), None)));
            if let Some(&(comment, index)) = named {
                self.comments[comment].codes[index].1 = true;
                silenced = true;
            }
        }
        silenced
    }

    fn unused(&self, text: &str) -> Vec<Diagnostic> {
        let reports = self.comments.iter().flat_map(|comment| {
            let used = comment.codes.iter().any(|(_, used)| *used);
            let unused = comment.codes.iter().filter(|(_, used)| !used);
            let report = move |&(code, _): &(Option<TextRange>, bool)| {
                // If no code is left, report the whole comment.
                let range = code.filter(|_| used).unwrap_or(comment.range);
                Diagnostic::new(Code::UnusedIgnore, range, message(text, code))
            };
            unused.map(report).take(if used { usize::MAX } else { 1 })
        });
        reports.collect()
    }
}

fn message(text: &str, code: Option<TextRange>) -> String {
    let Some(code) = code else {
        return "this comment ignores nothing: no diagnostic is reported here".to_owned();
    };
    let name = &text[code];
    let mut names = Code::ALL.iter().map(|code| code.name());
    if names.clone().any(|it| it == name) {
        return format!("this comment ignores `{name}`, which is not reported here");
    }
    let near = did_you_mean(nearest_str(name, &mut names));
    format!("no diagnostic has the code `{name}`{near}")
}

/// One code of a comment. A comment without codes has one entry for all codes.
struct Entry {
    range: Option<TextRange>,
    named: Named,
}

enum Named {
    All,
    One(Code),
    Unknown,
}

/// Returns the range of a comment that contains [`IGNORE`] at an offset, and its codes.
fn read(source: &Source, comment: TextRange, at: TextSize) -> Option<(TextRange, Vec<Entry>)> {
    let text: &str = &source.text;
    let sign = source.language.comment();
    let before = &text[TextRange::new(comment.start(), at)];
    let first = before.rfind(sign)?;
    if !before[first + sign.len()..].trim().is_empty() {
        return None;
    }
    let start = comment.start() + TextSize::new(first as u32);
    let end = at + TextSize::of(IGNORE);
    let behind = &text[TextRange::new(end, comment.end())];
    if behind.starts_with(|c: char| c.is_alphanumeric() || "_-".contains(c)) {
        return None;
    }
    let Some(listed) = behind.trim_start().strip_prefix('[') else {
        let all = Entry {
            range: None,
            named: Named::All,
        };
        return Some((TextRange::new(start, end), vec![all]));
    };
    let listed = listed.split(sign).next()?;
    let listed = &listed[..listed.find(']')?];
    let place = |part: &str| {
        let at = part.as_ptr() as usize - text.as_ptr() as usize;
        TextRange::at(TextSize::new(at as u32), TextSize::of(part))
    };
    let codes = listed.split(',').map(str::trim).map(|name| {
        let code = Code::ALL.iter().find(|it| it.name() == name);
        Entry {
            range: Some(place(name)),
            named: code.map_or(Named::Unknown, |it| Named::One(*it)),
        }
    });
    let end = place(listed).end() + TextSize::of(']');
    Some((TextRange::new(start, end), codes.collect()))
}

/// Returns the line that a comment applies to. `below` is the previous comment on its own line, with its line.
fn line_of_code(
    source: &Source,
    comment: TextRange,
    below: &mut Option<(TextRange, TextRange)>,
) -> TextRange {
    let text: &str = &source.text;
    let own = line_at(text, comment.start());
    if !text[TextRange::new(own.start(), comment.start())]
        .trim()
        .is_empty()
    {
        return own;
    }
    let mut line = own;
    let found = loop {
        let next = usize::from(line.end()) + 1;
        if next >= text.len() {
            break own;
        }
        line = line_at(text, TextSize::new(next as u32));
        if let Some((_, found)) = below.filter(|(comment, _)| *comment == line) {
            break found;
        }
        let code = text[line].trim_start();
        if !code.is_empty() && !code.starts_with(source.language.comment()) {
            break line;
        }
    };
    *below = Some((own, found));
    found
}

#[cfg(test)]
mod tests;
