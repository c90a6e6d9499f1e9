//! Reads a Markdown file: a section with fenced blocks is a case. The pages of diagnostics have one fixed outline, which
//! `ide::diagnostics::Page` splits; cases have any outline, and know the lines of their blocks.

use std::collections::BTreeSet;
use std::ops::Range;

/// A section with fenced blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The headings above it, as in `a_section::a_section_of_it`. The title of the file is only among them if it is alone.
    pub name: String,
    pub blocks: Vec<Block>,
}

/// A fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The words after the opening fence.
    pub info: Vec<String>,
    /// The text between the fences, whose lines all end.
    pub text: String,
    /// The lines of the block with its fences, counted from 0.
    pub lines: Range<usize>,
}

impl Block {
    /// Returns an error that names the block's line.
    pub fn error(&self, why: impl std::fmt::Display) -> String {
        format!("line {}: {why}", self.lines.start + 1)
    }
}

/// Returns the cases of a file, or what is wrong with its outline.
pub fn read(text: &str) -> Result<Vec<Case>, String> {
    let mut cases: Vec<Case> = Vec::new();
    let mut headings: Vec<(usize, String)> = Vec::new();
    let mut is_new = true;
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let failed = |why: &str| format!("line {}: {why}", at + 1);
        if let Some((depth, title)) = heading(line) {
            headings.retain(|it| it.0 < depth);
            headings.push((depth, slug(title)));
            is_new = true;
        } else if let Some(info) = line.strip_prefix("```") {
            let fence = 3 + info.len() - info.trim_start_matches('`').len();
            let mut block = String::new();
            let end = loop {
                let Some((at, line)) = lines.next() else {
                    return Err(failed("this block has no end"));
                };
                if is_end(line, fence) {
                    break at + 1;
                }
                block.extend([line, "\n"]);
            };
            if is_new {
                let name = name(&headings).ok_or_else(|| failed("a block needs a heading"))?;
                cases.push(Case {
                    name,
                    blocks: Vec::new(),
                });
                is_new = false;
            }
            let words = info.trim_start_matches('`').split_whitespace();
            let case = cases.last_mut().expect("one was added");
            case.blocks.push(Block {
                info: words.map(str::to_owned).collect(),
                text: block,
                lines: at..end,
            });
        } else if ["```", "~~~"]
            .iter()
            .any(|it| line.trim_start().starts_with(it))
        {
            return Err(failed(
                "a fence is three backticks or more at the start of a line",
            ));
        }
    }
    let mut names = BTreeSet::new();
    match cases.iter().find(|it| !names.insert(&it.name)) {
        Some(twice) => Err(format!("two cases have the name {}", twice.name)),
        None if cases.is_empty() => Err("the file has no case".to_owned()),
        None => Ok(cases),
    }
}

/// Returns a file with other texts in some of its blocks. A fence grows if the text has one.
pub fn with_texts(file: &str, texts: &[(Range<usize>, String)]) -> String {
    let lines: Vec<&str> = file.split_inclusive('\n').collect();
    let (mut written, mut done) = (String::new(), 0);
    for (range, text) in texts {
        written.extend(lines[done..range.start].iter().copied());
        let info = lines[range.start].trim_start_matches('`');
        let inner = text
            .lines()
            .map(|it| it.len() - it.trim_start_matches('`').len());
        let fence = "`".repeat(inner.max().unwrap_or(0).max(2) + 1);
        written.extend([&fence, info, text, &fence, "\n"]);
        done = range.end;
    }
    written.extend(lines[done..].iter().copied());
    written
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let depth = line.len() - title.len();
    let title = title.strip_prefix(' ').filter(|_| depth > 0)?;
    Some((depth, title))
}

fn is_end(line: &str, fence: usize) -> bool {
    let line = line.trim_end();
    line.len() >= fence && line.bytes().all(|it| it == b'`')
}

fn name(headings: &[(usize, String)]) -> Option<String> {
    let title = headings.iter().take_while(|it| it.0 == 1).count();
    let named = match &headings[title..] {
        [] => headings,
        below => below,
    };
    let named: Vec<&str> = named.iter().map(|it| it.1.as_str()).collect();
    (!named.is_empty()).then(|| named.join("::"))
}

/// Writes a heading as tests are named.
fn slug(title: &str) -> String {
    let words = title.split(|it: char| !it.is_alphanumeric());
    let words = words.filter(|it| !it.is_empty());
    words.collect::<Vec<_>>().join("_").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{read, with_texts};

    fn names(text: &str) -> Result<Vec<String>, String> {
        let cases = read(text)?;
        Ok(cases.into_iter().map(|it| it.name).collect())
    }

    #[test]
    fn a_section_with_blocks_is_a_case_named_by_its_headings() {
        let text = "# File\n\nWhy.\n\n## `R.add` adds\n\n### Twice\n\n```python\n# no heading\n```\n\n```text hover\n```\n## Other\n```a\n```\n";
        assert_eq!(names(text).unwrap(), ["r_add_adds::twice", "other"]);
        let cases = read(text).unwrap();
        assert_eq!(cases[0].blocks[0].text, "# no heading\n");
        assert_eq!(cases[0].blocks[1].info, ["text", "hover"]);
        assert_eq!(cases[0].blocks[1].lines, 12..14);
    }

    #[test]
    fn a_longer_fence_contains_a_shorter_one() {
        let cases = read("## A\n````markdown hover\n```python\nx\n```\n````\n").unwrap();
        assert_eq!(cases[0].blocks[0].text, "```python\nx\n```\n");
    }

    #[test]
    fn a_broken_outline_is_an_error() {
        for (text, why) in [
            ("## A\n```python\nx\n", "line 2: this block has no end"),
            ("```python\n```\n", "line 1: a block needs a heading"),
            (
                "## A\n  ```python\n  ```\n",
                "line 2: a fence is three backticks or more at the start of a line",
            ),
            (
                "## A\n~~~python\n~~~\n",
                "line 2: a fence is three backticks or more at the start of a line",
            ),
            (
                "## A\n```a\n```\n## a\n```a\n```\n",
                "two cases have the name a",
            ),
            ("## A\n\nOnly prose.\n", "the file has no case"),
        ] {
            assert_eq!(names(text).unwrap_err(), why, "{text}");
        }
    }

    #[test]
    fn an_update_changes_only_the_texts_of_blocks() {
        let text = "## A\n```python\nx\n```\n\n```text b c\nold\n```\nlast\n";
        let block = read(text).unwrap()[0].blocks[1].lines.clone();
        assert_eq!(
            with_texts(text, &[(block, "```\nnew\n```\n".to_owned())]),
            "## A\n```python\nx\n```\n\n````text b c\n```\nnew\n```\n````\nlast\n"
        );
    }
}
