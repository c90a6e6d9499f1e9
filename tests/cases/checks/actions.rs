//! Fixes, assists and renames. A fix removes its diagnostic and adds none; an assist leaves a correct program correct. Both
//! do the same with other names for `R`, `T` and `I`, with the line ends of Windows, and in every dialect.

use ide::{Diagnostic, Resolve, Severity, Sure};
use text_size::{TextRange, TextSize};

use super::Answer;
use crate::cases::dialects::{self, Spelling};
use crate::cases::program::{Opened, Program};
use crate::cases::variants::{by_other_names, with_crlf};

/// Mistakes that do not exist in the RFC: it has no purity, allows unused values, and requires no annotations.
const UNKNOWN_TO_RFC: &[&str] = &[
    "dataflow-var-in-type",
    "impure-call-in-pure-function",
    "missing-annotation",
    "unbound-value",
];

/// Actions that do not exist in the RFC. It has no decorators on local functions, no `ndim`, no access to functions
/// through their module, no import of `relax`, no frames; and missing inputs follow from the shape of the result.
const NOT_IN_RFC: &[&str] = &[
    "decorate",
    "remove-ndim",
    "through-module",
    "add-inputs",
    "add-import",
    "if-to-frames",
];

/// Mistakes and actions that are about the dialect.
const OF_DIALECT: &[&str] = &["other-dialect", "ignored-argument", "change-spelling"];

pub fn fix(program: &Program, words: &[String]) -> Result<Answer, String> {
    let (code, id) = (words[0].as_str(), words[1].as_str());
    let fixed = |program: &Program| fixed(program, code, id);
    let text = fixed(program)?;
    if !OF_DIALECT.contains(&code) {
        elsewhere(program, &text, UNKNOWN_TO_RFC.contains(&code), id, fixed)?;
    }
    Ok(Answer::File(text, Vec::new()))
}

pub fn assist(program: &Program, id: &[String]) -> Result<Answer, String> {
    let id = id[0].as_str();
    let assisted = |program: &Program| assisted(program, id);
    let text = assisted(program)?;
    if !OF_DIALECT.contains(&id) {
        elsewhere(program, &text, false, id, assisted)?;
    }
    Ok(Answer::File(text, Vec::new()))
}

/// Applies an action to the same program in other spellings.
fn elsewhere(
    program: &Program,
    text: &str,
    unknown_to_rfc: bool,
    id: &str,
    apply: impl Fn(&Program) -> Result<String, String>,
) -> Result<(), String> {
    let same = |what: &str, marked: String, expected: Option<String>| {
        let there = apply(&program.with(marked)).map_err(|why| format!("{what}: {why}"))?;
        match expected {
            Some(expected) if expected != there => Err(format!("{what}: the result is\n{there}")),
            _ => Ok(()),
        }
    };
    let marked = &program.marked;
    same(
        "with other line ends",
        with_crlf(marked),
        Some(with_crlf(text)),
    )?;
    if program.language == ide::Language::Relay {
        return Ok(());
    }
    same(
        "with other names",
        by_other_names(marked),
        Some(by_other_names(text)),
    )?;
    for (spelling, marked) in dialects::others(marked) {
        if spelling == Spelling::Rfc && (unknown_to_rfc || NOT_IN_RFC.contains(&id)) {
            continue;
        }
        let expected = (spelling == Spelling::Type).then(|| dialects::in_type(text));
        same(&format!("{spelling:?}"), marked, expected)?;
    }
    Ok(())
}

fn diagnostics(opened: &Opened) -> Vec<Diagnostic> {
    opened.analysis.diagnostics(opened.file).unwrap()
}

/// Returns the fixes of the first diagnostic of a code.
fn fixes_of(opened: &Opened, code: &str) -> Result<Vec<ide::CodeAction>, String> {
    let all = diagnostics(opened);
    let wrong = all.iter().find(|it| it.code == code);
    let wrong = wrong.ok_or_else(|| format!("no {code} among {all:#?}"))?;
    let named = [(code.to_owned(), wrong.range)];
    let nowhere = TextRange::empty(TextSize::new(0));
    Ok(opened.analysis.fixes(opened.file, nowhere, &named).unwrap())
}

/// Lists the fixes of the first diagnostic of a code.
pub fn fixes(program: &Program, code: &[String]) -> Result<Answer, String> {
    let fixes = fixes_of(&program.open(), &code[0])?;
    Ok(titles(&fixes))
}

fn titles(actions: &[ide::CodeAction]) -> Answer {
    let lines = actions
        .iter()
        .map(|it| format!("{}: {}\n", it.id, it.title));
    Answer::Text(lines.collect())
}

fn fixed(program: &Program, code: &str, id: &str) -> Result<String, String> {
    let opened = program.open();
    let fixes = fixes_of(&opened, code)?;
    let known: Vec<_> = fixes.iter().map(|fix| fix.id).collect();
    let fix = fixes.iter().find(|fix| fix.id == id);
    let fix = fix.ok_or_else(|| format!("no {id} among {known:?}"))?;
    let fixed = fix.edit.as_ref().unwrap().apply(&opened.text);
    let (before, after) = (
        diagnostics(&opened),
        diagnostics(&program.with(&*fixed).open()),
    );
    let count = |all: &[Diagnostic], code: &str| all.iter().filter(|it| it.code == code).count();
    if count(&after, code) >= count(&before, code) {
        return Err(format!("{code} is still there:\n{fixed}\n{after:#?}"));
    }
    // A repaired line may now have hints.
    let mut loud = after.iter().filter(|it| it.severity != Severity::Hint);
    match loud.find(|it| count(&after, it.code) > count(&before, it.code)) {
        Some(new) => Err(format!("{id} brings {new:#?}\n{fixed}")),
        None => Ok(fixed),
    }
}

fn assisted(program: &Program, id: &str) -> Result<String, String> {
    let opened = program.open();
    let correct = |opened: &Opened| {
        let mut found = diagnostics(opened);
        found.retain(|it| it.severity != Severity::Hint);
        let text = &opened.text;
        if found.is_empty() {
            Ok(())
        } else {
            Err(format!("{found:#?}\n{text}"))
        }
    };
    correct(&opened)?;
    let resolve = Resolve::Only(id.to_owned());
    let found = opened
        .analysis
        .assists(opened.file, opened.selection()?, &resolve)
        .unwrap();
    let ids: Vec<_> = found.iter().map(|it| it.id).collect();
    let assist = found.iter().find(|it| it.id == id);
    let assist = assist.ok_or_else(|| format!("no {id} among {ids:?}"))?;
    let text = assist
        .edit
        .as_ref()
        .expect("it was asked for")
        .apply(&opened.text);
    if !OF_DIALECT.contains(&id) {
        correct(&program.with(&*text).open())?;
    }
    Ok(text)
}

/// Lists the assists at the cursor or of the selection.
pub fn assists(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let found = opened
        .analysis
        .assists(opened.file, opened.selection()?, &Resolve::None)
        .unwrap();
    if found.iter().any(|it| it.edit.is_some()) {
        return Err("an edit was computed without being asked for".to_owned());
    }
    Ok(titles(&found))
}

/// Applies all fixes at once. Again, nothing is left to fix.
pub fn fix_all(program: &Program, sure: &[String]) -> Result<Answer, String> {
    let sure = match sure.first().map(String::as_str) {
        None => Sure::Certain,
        Some("likely") => Sure::Likely,
        Some(other) => return Err(format!("`{other}` is not known")),
    };
    let ask = |opened: &Opened| opened.analysis.fix_all(opened.file, sure).unwrap();
    changed(program, ask, true)
}

/// Applies the fixes of all diagnostics of a code, if there are several.
pub fn fix_everywhere(program: &Program, code: &[String]) -> Result<Answer, String> {
    let ask = |opened: &Opened| {
        let all = opened
            .analysis
            .fix_everywhere(opened.file, &code[0], &Resolve::All);
        all.unwrap()
    };
    changed(program, ask, false)
}

fn changed(
    program: &Program,
    ask: impl Fn(&Opened) -> Option<ide::CodeAction>,
    once: bool,
) -> Result<Answer, String> {
    let opened = program.open();
    let apply = |action: ide::CodeAction| action.edit.unwrap().apply(&opened.text);
    let text = ask(&opened).map_or_else(|| opened.text.clone(), apply);
    let again = ask(&program.with(&*text).open());
    match again.filter(|_| once) {
        Some(left) => Err(format!("a second time there is {left:#?}\n{text}")),
        None => Ok(Answer::File(text, Vec::new())),
    }
}

/// Silences each diagnostic in turn.
pub fn silence(program: &Program, _: &[String]) -> Result<Answer, String> {
    let mut opened = program.open();
    loop {
        let found = diagnostics(&opened);
        let named = found.iter().map(|it| (it.code.to_owned(), it.range));
        let named: Vec<_> = named.collect();
        let actions = opened.analysis.ignore_actions(opened.file, &named);
        let Some(edit) = actions.unwrap().into_iter().find_map(|it| it.edit) else {
            return Ok(Answer::File(opened.text, Vec::new()));
        };
        opened = program.with(edit.apply(&opened.text)).open();
    }
}

/// Renames what the cursor is on, or says why it cannot.
pub fn rename(program: &Program, name: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let position = opened.position()?;
    let refused = |why: String| Ok(Answer::Text(format!("refused: {why}")));
    let target = match opened.analysis.prepare_rename(position).unwrap() {
        Ok(target) => target,
        Err(why) => return refused(why),
    };
    if !target.range.contains_inclusive(position.offset) {
        return Err(format!("{target:?} is not at the cursor"));
    }
    match opened.analysis.rename(position, &name.join(" ")).unwrap() {
        Ok(edit) => Ok(Answer::File(edit.apply(&opened.text), Vec::new())),
        Err(why) => refused(why),
    }
}

#[cfg(test)]
mod tests {
    use ide::Language;
    use ide::diagnostics::Page;

    use super::{OF_DIALECT, UNKNOWN_TO_RFC, fixed, fixes_of};
    use crate::cases::dialects::{self, Spelling};
    use crate::cases::program::Program;

    #[test]
    fn fixes_of_page_examples_work_in_every_dialect() {
        let mut checked = 0;
        for page in Page::all().filter(|it| !it.markdown().contains("\nNo quick fix: ")) {
            let code = page.code.name();
            let program = page.whole_file(page.wrong());
            let others = match page.language() {
                Language::Relay => Vec::new(),
                Language::Python | Language::Cell => dialects::others(&program),
            };
            let others = others.into_iter().filter(|(spelling, _)| {
                let is_unknown = *spelling == Spelling::Rfc && UNKNOWN_TO_RFC.contains(&code);
                !OF_DIALECT.contains(&code) && !is_unknown
            });
            for text in others.map(|(_, text)| text).chain([program]) {
                let program = Program::new(page.language(), &text, true, None);
                let fixes = fixes_of(&program.open(), code).unwrap();
                assert!(!fixes.is_empty(), "no fix of {code}: {text}");
                for fix in &fixes {
                    fixed(&program, code, fix.id).unwrap();
                    checked += 1;
                }
            }
        }
        assert!(checked > 100, "{checked}");
    }
}
