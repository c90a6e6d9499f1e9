//! The documentation page of a code, `docs/diagnostics/CODE.md`, and its parts.

use hir::Language;
use relax::Code;

/// The imports that the programs on the pages begin with.
pub const IMPORTS: &str = "from tvm.script import ir as I, relax as R, tir as T\n\n";

const SOURCE: &str = "Source: ";
const WRONG: &str = "\n## Wrong\n";
const RIGHT: &str = "\n## Right\n";
/// The opening fences of code blocks, by language.
const CODE_BEGIN: &[(Language, &str)] = &[
    (Language::Python, "```python\n"),
    (Language::Relay, "```tvm-relay\n"),
];
const CODE_END: &str = "```\n";
const QUICK_FIXES: &str = "\nQuick fixes:\n";
const NO_QUICK_FIX: &str = "\nNo quick fix: ";

/// The documentation page of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    pub code: Code,
}

/// Returns the page of a code by its name.
pub fn page(code: &str) -> Option<Page> {
    Page::all().find(|page| page.code.name() == code)
}

impl Page {
    /// Returns the pages of all codes in the order of their table.
    pub fn all() -> impl Iterator<Item = Page> + Clone {
        Code::ALL.iter().map(|&code| Page { code })
    }

    pub fn markdown(self) -> &'static str {
        self.code.page()
    }

    /// Returns the rule: what must hold, in a sentence or two.
    pub fn rule(self) -> &'static str {
        let (rule, _) = split(self.head(), SOURCE);
        // The severity is on the line between the title and the rule.
        let rule = rule.trim_start();
        let rule = match rule.strip_prefix('*') {
            Some(severity) => split(severity, "*\n").1,
            None => rule,
        };
        rule.trim()
    }

    /// Returns the language of the programs.
    pub fn language(self) -> Language {
        let marks = CODE_BEGIN.iter();
        let mut found = marks.filter(|it| self.markdown().contains(it.1));
        found.next().map_or(Language::Python, |it| it.0)
    }

    /// Completes a program of the page to a whole file.
    pub fn whole_file(self, program: &str) -> String {
        match self.language() {
            Language::Relay => program.to_owned(),
            Language::Python | Language::Cell => format!("{IMPORTS}{program}"),
        }
    }

    /// Returns the source of the rule.
    pub fn source(self) -> &'static str {
        split(self.head(), SOURCE).1.trim()
    }

    /// Returns a program that breaks only this rule.
    pub fn wrong(self) -> &'static str {
        let (wrong, _) = split(split(self.markdown(), WRONG).1, RIGHT);
        program(wrong).0
    }

    /// Returns the corrected program.
    pub fn right(self) -> &'static str {
        program(split(self.markdown(), RIGHT).1).0
    }

    /// Returns how to fix the mistake.
    pub fn fix(self) -> &'static str {
        let (_, rest) = program(split(self.markdown(), RIGHT).1);
        split(split(rest, QUICK_FIXES).0, NO_QUICK_FIX).0.trim()
    }

    /// Returns the text between the title and the first program.
    fn head(self) -> &'static str {
        let (head, _) = split(self.markdown(), WRONG);
        split(head, "\n").1
    }
}

/// Splits a text at a mark. Without the mark, returns all of it and an empty text.
fn split<'t>(text: &'t str, mark: &str) -> (&'t str, &'t str) {
    text.split_once(mark).unwrap_or((text, ""))
}

/// Returns the first program of a text, and the text after it.
fn program(text: &str) -> (&str, &str) {
    let begun = CODE_BEGIN.iter().find_map(|it| text.split_once(it.1));
    split(begun.map_or("", |it| it.1), CODE_END)
}
