//! The page about a code, `docs/diagnostics/CODE.md`, and its parts.

use hir::Language;
use relax::Code;

/// What the programs on the pages begin with.
pub const IMPORTS: &str = "from tvm.script import ir as I, relax as R, tir as T\n\n";

const SOURCE: &str = "Source: ";
const WRONG: &str = "\n## Wrong\n";
const RIGHT: &str = "\n## Right\n";
/// How programs are marked, by what they are written in.
const CODE_BEGIN: &[(Language, &str)] = &[
    (Language::Python, "```python\n"),
    (Language::Relay, "```tvm-relay\n"),
];
const CODE_END: &str = "```\n";
const QUICK_FIXES: &str = "\nQuick fixes:\n";
const NO_QUICK_FIX: &str = "\nNo quick fix: ";

/// The page about a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    pub code: Code,
}

/// The page of a code by its name.
pub fn page(code: &str) -> Option<Page> {
    Page::all().find(|page| page.code.name() == code)
}

impl Page {
    /// The pages of all codes, in the order of their table.
    pub fn all() -> impl Iterator<Item = Page> + Clone {
        Code::ALL.iter().map(|&code| Page { code })
    }

    pub fn markdown(self) -> &'static str {
        self.code.page()
    }

    /// What must hold, in a sentence or two.
    pub fn rule(self) -> &'static str {
        let (rule, _) = split(self.head(), SOURCE);
        // The line between the title and the rule says the severity.
        let rule = rule.trim_start();
        let rule = match rule.strip_prefix('*') {
            Some(severity) => split(severity, "*\n").1,
            None => rule,
        };
        rule.trim()
    }

    /// What its programs are written in.
    pub fn language(self) -> Language {
        let marks = CODE_BEGIN.iter();
        let mut found = marks.filter(|it| self.markdown().contains(it.1));
        found.next().map_or(Language::Python, |it| it.0)
    }

    /// A program of the page as a file.
    pub fn whole(self, program: &str) -> String {
        match self.language() {
            Language::Relay => program.to_owned(),
            Language::Python | Language::Cell => format!("{IMPORTS}{program}"),
        }
    }

    /// Where the rule is written.
    pub fn source(self) -> &'static str {
        split(self.head(), SOURCE).1.trim()
    }

    /// A program that breaks the rule, and nothing else.
    pub fn wrong(self) -> &'static str {
        let (wrong, _) = split(split(self.markdown(), WRONG).1, RIGHT);
        program(wrong).0
    }

    /// The same program, corrected.
    pub fn right(self) -> &'static str {
        program(split(self.markdown(), RIGHT).1).0
    }

    /// How the mistake is corrected.
    pub fn fix(self) -> &'static str {
        let (_, rest) = program(split(self.markdown(), RIGHT).1);
        split(split(rest, QUICK_FIXES).0, NO_QUICK_FIX).0.trim()
    }

    /// From below the title to the first program.
    fn head(self) -> &'static str {
        let (head, _) = split(self.markdown(), WRONG);
        split(head, "\n").1
    }
}

/// The text before and behind a mark; all of it and nothing where the mark is missing.
fn split<'t>(text: &'t str, mark: &str) -> (&'t str, &'t str) {
    text.split_once(mark).unwrap_or((text, ""))
}

/// The first program of a text, and what follows it.
fn program(text: &str) -> (&str, &str) {
    let begun = CODE_BEGIN.iter().find_map(|it| text.split_once(it.1));
    split(begun.map_or("", |it| it.1), CODE_END)
}
