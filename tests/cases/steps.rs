//! What the blocks of a case mean: programs, each followed by what is expected of it.

use std::collections::BTreeMap;

use ide::Language;
use relax::release::Release;

use super::checks::{Check, kind};
use super::notes::{self, Note};
use super::program::{MARK, Program};
use super::reader::{Block, Case};

/// The place in a program for other programs.
const BODY: &str = "$body";

const NO_AROUND: &str = "no program is `around` it";

/// Programs around others, by their names.
type Arounds<'a> = BTreeMap<&'a str, String>;

/// Programs with what is expected of each.
#[derive(Clone, Debug)]
pub struct Step {
    pub programs: Vec<Program>,
    pub checks: Vec<Check>,
    pub block: Block,
    /// The text of the block without its notes.
    pub plain: String,
    /// What it says beside the lines; `None` if that does not matter.
    pub notes: Option<Vec<Note>>,
}

/// Returns the steps of each case of a file. An unknown word is an error, and so is a program without an expectation.
pub fn steps(cases: &[Case]) -> Result<Vec<(&str, Vec<Step>)>, String> {
    let (mut arounds, mut shared) = (Arounds::new(), None);
    let mut all = Vec::new();
    for case in cases {
        let mut steps: Vec<Step> = Vec::new();
        for block in &case.blocks {
            let failed = |why: String| block.error(why);
            let words: Vec<&str> = block.info.iter().map(String::as_str).collect();
            match words[..] {
                [_, name, ref args @ ..] if kind(name).is_some() => {
                    let check = Check::new(name, args, block).map_err(failed)?;
                    if steps.is_empty() {
                        steps.extend(shared.clone());
                    }
                    let step = steps.last_mut();
                    let step = step.ok_or_else(|| failed("no program is above it".to_owned()))?;
                    step.checks.push(check);
                }
                [
                    language @ ("python" | "tvm-relay"),
                    "shared",
                    ref options @ ..,
                ] => {
                    shared = Some(step(block, language, options, &arounds).map_err(failed)?);
                }
                ["python", around, ref options @ ..] if name_after("around", around).is_some() => {
                    let text = around_text(block, options, &arounds).map_err(failed)?;
                    arounds.insert(name_after("around", around).unwrap_or_default(), text);
                }
                [language @ ("python" | "tvm-relay"), ref options @ ..] => {
                    steps.push(step(block, language, options, &arounds).map_err(failed)?);
                }
                _ => return Err(failed(format!("`{}` is not known", words.join(" ")))),
            }
        }
        if let Some(idle) = steps.iter().find(|it| !it.expects()) {
            return Err(idle.block.error("nothing is expected of this program"));
        }
        if !steps.is_empty() {
            all.push((case.name.as_str(), steps));
        }
    }
    Ok(all)
}

/// Returns the name in `word=name`, which is empty in `word` alone.
fn name_after<'a>(word: &str, option: &'a str) -> Option<&'a str> {
    match option.strip_prefix(word)? {
        "" => Some(""),
        name => name.strip_prefix('='),
    }
}

impl Step {
    fn expects(&self) -> bool {
        self.notes.is_some() || !self.checks.is_empty()
    }
}

/// Returns the text around others, which may be inside of another itself.
fn around_text(block: &Block, options: &[&str], arounds: &Arounds<'_>) -> Result<String, String> {
    if block.text.matches(BODY).count() != 1 {
        return Err(format!("the program needs one `{BODY}`"));
    }
    let Some(option) = options.first() else {
        return Ok(block.text.clone());
    };
    let name = name_after("inside", option).ok_or_else(|| format!("`{option}` is not known"))?;
    Ok(inside(arounds.get(name).ok_or(NO_AROUND)?, &block.text))
}

fn step(
    block: &Block,
    language: &str,
    options: &[&str],
    arounds: &Arounds<'_>,
) -> Result<Step, String> {
    let language = match language {
        "tvm-relay" => Language::Relay,
        _ => Language::Python,
    };
    let (mut is_bare, mut is_clean, mut is_each, mut release) = (false, false, false, None);
    let mut outside = None;
    for option in options {
        match option.split_once('=') {
            None if *option == "bare" => is_bare = true,
            None if *option == "clean" => is_clean = true,
            None if *option == "each" => is_each = true,
            _ if name_after("inside", option).is_some() => {
                let name = name_after("inside", option).unwrap_or_default();
                outside = Some(arounds.get(name).ok_or(NO_AROUND)?.as_str());
            }
            Some(("release", name)) => {
                let known = Release::from_name(name);
                release = Some(known.ok_or_else(|| format!("no release is named `{name}`"))?);
            }
            _ => return Err(format!("`{option}` is not known")),
        }
    }
    let (plain, notes) = notes::read(&block.text)?;
    if is_clean && !notes.is_empty() {
        return Err("a `clean` program has no notes".to_owned());
    }
    let texts = if is_each {
        each(&plain)
    } else {
        vec![(0, plain.as_str())]
    };
    let mut programs = Vec::new();
    for (line, shown) in texts {
        let whole = outside.map_or_else(|| shown.to_owned(), |it| inside(it, shown));
        if whole.matches(MARK).count() > 2 {
            return Err(format!("more than two marks `{MARK}`"));
        }
        let mut program = Program::new(language, &whole, is_bare, release);
        program.line = line;
        if let Some((before, _)) = outside.and_then(|it| it.split_once(BODY)) {
            program.first += before.matches('\n').count();
            program.column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
            program.count = shown.lines().count();
        }
        programs.push(program);
    }
    Ok(Step {
        programs,
        checks: Vec::new(),
        block: block.clone(),
        plain,
        notes: (is_clean || !notes.is_empty()).then_some(notes),
    })
}

/// Splits a text into its paragraphs, or into lines if there is only one. Each has the number of its first line.
fn each(text: &str) -> Vec<(usize, &str)> {
    let mark = if text.contains("\n\n") { "\n\n" } else { "\n" };
    let (mut line, mut parts) = (0, Vec::new());
    for part in text.split_inclusive(mark) {
        if !part.trim().is_empty() {
            let shown = part.trim_end_matches('\n');
            parts.push((line, &part[..(shown.len() + 1).min(part.len())]));
        }
        line += part.matches('\n').count();
    }
    parts
}

/// Writes a text in place of `$body`; if that is a whole line, at its column.
fn inside(around: &str, body: &str) -> String {
    let mut text = String::new();
    for line in around.split_inclusive('\n') {
        match line.split_once(BODY) {
            Some((indent, "\n")) if indent.trim().is_empty() => {
                text.extend(body.split_inclusive('\n').flat_map(|it| [indent, it]));
            }
            _ => text.push_str(&line.replace(BODY, body.trim_end())),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{each, steps};
    use crate::cases::program::IMPORTS;
    use crate::cases::reader::read;

    fn error(text: &str) -> String {
        steps(&read(&format!("## A\n{text}")).unwrap()).unwrap_err()
    }

    #[test]
    fn what_cannot_be_checked_is_an_error() {
        let program = "```python\nx\n```\n";
        for (text, why) in [
            (
                program.to_owned(),
                "line 2: nothing is expected of this program",
            ),
            (
                format!("{program}{program}```text hover\n```\n"),
                "line 2: nothing is expected of this program",
            ),
            (
                "```text hover\n```\n".to_owned(),
                "line 2: no program is above it",
            ),
            (
                format!("{program}```text hovr\n```\n"),
                "line 5: `text hovr` is not known",
            ),
            (
                format!("{program}```text\nx\n```\n"),
                "line 5: `text` is not known",
            ),
            (format!("{program}```\nx\n```\n"), "line 5: `` is not known"),
            (
                format!("{program}```yaml hover\n```\n"),
                "line 5: `yaml` shows no answer",
            ),
            (
                format!("{program}```text hover y\n```\n"),
                "line 5: `hover` takes 0 to 0 words, but 1 are given",
            ),
            (
                format!("{program}```diff assist\n```\n"),
                "line 5: `assist` takes 1 to 1 words, but 0 are given",
            ),
            (
                "```python claen\n```\n".to_owned(),
                "line 2: `claen` is not known",
            ),
            (
                "```python release=1.0\n```\n".to_owned(),
                "line 2: no release is named `1.0`",
            ),
            (
                "```python inside\n```\n".to_owned(),
                "line 2: no program is `around` it",
            ),
            (
                "```python around\n```\n".to_owned(),
                "line 2: the program needs one `$body`",
            ),
            (
                "```python clean\n$0 $0 $0\n```\n".to_owned(),
                "line 2: more than two marks `$0`",
            ),
        ] {
            assert_eq!(error(&text), why, "{text}");
        }
    }

    fn texts(text: &str) -> Vec<String> {
        let cases = read(text).unwrap();
        let all = steps(&cases).unwrap();
        let programs = all.iter().flat_map(|it| &it.1[0].programs);
        programs.map(super::Program::text).collect()
    }

    #[test]
    fn a_program_is_written_inside_of_another() {
        let around = "# A\n```python around\nimport a\nif a:\n    $body\n```\n";
        let found = texts(&format!(
            "{around}## B\n```python inside clean\nb\nc\n```\n"
        ));
        assert_eq!(found, ["import a\nif a:\n    b\n    c\n"]);
        let named = around
            .replace("around", "around=if")
            .replace("# A", "# A\n```python around\n$body\n```");
        let found = texts(&format!(
            "{named}## B\n```python inside=if bare clean\nb\n```\n"
        ));
        assert_eq!(found, ["import a\nif a:\n    b\n"]);
        let nested = named + "```python around inside=if\n$body\nc\n```\n";
        let found = texts(&format!("{nested}## B\n```python inside clean\nb\n```\n"));
        assert_eq!(found, ["import a\nif a:\n    b\n    c\n"]);
    }

    #[test]
    fn sections_without_a_program_have_the_shared_one() {
        let shared = "# A\n```python shared\nimport a\n```\n## B\n```text hints\n```\n";
        let found = texts(&format!(
            "{shared}## C\n```python\nb\n```\n```text hints\n```\n"
        ));
        assert_eq!(found, ["import a\n".to_owned(), format!("{IMPORTS}b\n")]);
    }

    #[test]
    fn each_line_can_be_a_program() {
        let around = "# A\n```python around\nimport a\nf($body)\n```\n";
        let found = texts(&format!("{around}```python inside each clean\nb\nc\n```\n"));
        assert_eq!(found, ["import a\nf(b)\n", "import a\nf(c)\n"]);
        assert_eq!(each("a\nb\n\nc\n"), [(0, "a\nb\n"), (3, "c\n")]);
    }
}
