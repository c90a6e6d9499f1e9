//! A file as another release of TVM writes it: TVMScript and the Python around it.
//!
//! Text to text, by the syntax tree and the file's imports alone. First names, all at once; then what changes its
//! shape, in passes over fresh trees until nothing changes. Comments and layout stay. What has no equivalent stays too,
//! and is listed. Knows no database.

mod annotations;
mod blocks;
mod calls;
mod decorators;
mod functions;
mod gone;
mod imports;
mod inspection;
mod lets;
mod memory;
mod names;
mod prim_funcs;
mod realize;
mod rfc;
mod scopes;
mod signature;
#[cfg(test)]
mod tests;
mod type_vars;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use relax::release::{Release, Releases};
use rustc_hash::FxHashMap;
use syntax::ast::{self, AstNode};
use syntax::{SyntaxElement, SyntaxKind, SyntaxNode};
use text_size::{TextRange, TextSize};

use self::imports::Imports;
use crate::source_edit::SourceEdit;

/// Passes over a file for what changes its shape: one inside another is reached by the next pass, so this is how deep
/// they are nested.
const MAX_PASSES: usize = 64;

/// A file on its way to another release.
#[derive(Debug, Default)]
pub struct Migration {
    pub text: String,
    /// What has no equivalent, in the order of the text.
    pub left: Vec<Left>,
}

/// Something that stays as it was, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// In the migrated text.
    pub range: TextRange,
    pub message: String,
}

/// From one release to another.
#[derive(Clone, Copy, Debug)]
struct Transition {
    /// The oldest release that may be meant.
    oldest: Release,
    /// The newest one: the text is read as that.
    from: Release,
    to: Release,
}

impl Transition {
    /// Whether it leads into `release` or beyond it, from before.
    fn enters(self, release: Release) -> bool {
        self.from < release && release <= self.to
    }

    /// Whether nothing shows on which side of `release` the text was written.
    fn may_come_from_before(self, release: Release) -> bool {
        self.oldest < release && release <= self.from
    }

    /// Whether something that is written is not there where it leads.
    fn loses(self, releases: Releases) -> bool {
        releases.contains(self.from) && !releases.contains(self.to)
    }

    /// Whether it leads back behind `release`.
    fn leaves(self, release: Release) -> bool {
        self.to < release && release <= self.from
    }
}

/// One pass over the file.
struct Pass<'a> {
    text: &'a str,
    tree: ast::SourceFile,
    imports: Imports,
    transition: Transition,
    edit: SourceEdit,
    left: Vec<Left>,
    /// Names that were to be added to imports, and whether they are.
    imported: FxHashMap<(TextSize, String), bool>,
    read: RefCell<functions::Read>,
    proposal: OnceCell<Rc<rfc::Proposal>>,
}

/// What changes its shape. Each rule looks at one node, and edits it or lists it.
const RULES: &[fn(&mut Pass<'_>, &SyntaxNode)] = &[
    rfc::rule,
    decorators::rule,
    calls::rule,
    annotations::rule,
    prim_funcs::rule,
    memory::rule,
    lets::rule,
    realize::rule,
    type_vars::rule,
    inspection::rule,
    gone::rule,
];

/// The text as `to` writes it. It is read as the newest of the releases that it may be written for.
pub fn migrate(text: &str, from: Releases, to: Release) -> Migration {
    let transition = Transition {
        oldest: from.since,
        from: from.until,
        to,
    };
    if transition.from == to {
        return Migration {
            text: text.to_owned(),
            left: Vec::new(),
        };
    }
    let mut pass = Pass::new(text, transition);
    names::rename(&mut pass);
    let mut text = pass.edit.apply(text);
    let mut of_names = moved(pass.left, &pass.edit);
    let mut of_rules = Vec::new();
    for _ in 0..MAX_PASSES {
        let mut pass = Pass::new(&text, transition);
        for node in pass.tree.syntax().clone().descendants() {
            for rule in RULES {
                rule(&mut pass, &node);
            }
        }
        let edit = pass.edit;
        of_names = moved(of_names, &edit);
        // Each pass finds again what the one before it has left.
        of_rules = moved(pass.left, &edit);
        if edit.is_empty() {
            break;
        }
        text = edit.apply(&text);
    }
    let mut left: Vec<Left> = of_names.into_iter().chain(of_rules).collect();
    left.sort_by_key(|it| (it.range.start(), it.range.end()));
    // The rules know more than the tables, and come after them.
    left.reverse();
    left.dedup_by_key(|it| it.range);
    left.reverse();
    Migration { text, left }
}

fn moved(left: Vec<Left>, edit: &SourceEdit) -> Vec<Left> {
    let moves = edit.moves();
    let place = |range: TextRange| {
        let (start, end) = (moves.of(range.start()), moves.of(range.end()));
        TextRange::new(start.min(end), end)
    };
    let moved = left.into_iter().map(|it| Left {
        range: place(it.range),
        message: it.message,
    });
    moved.collect()
}

fn args_of(call: &ast::CallExpr) -> Vec<ast::Arg> {
    let list = call.arg_list();
    list.map(|it| it.args().collect()).unwrap_or_default()
}

fn size(offset: usize) -> TextSize {
    TextSize::try_from(offset).expect("a text that was parsed is shorter than 4 GB")
}

impl<'a> Pass<'a> {
    fn new(text: &'a str, transition: Transition) -> Pass<'a> {
        let tree = syntax::parse(text).tree();
        Pass {
            imports: Imports::of(&tree, transition.from),
            text,
            tree,
            transition,
            edit: SourceEdit::default(),
            left: Vec::new(),
            imported: FxHashMap::default(),
            read: RefCell::default(),
            proposal: OnceCell::new(),
        }
    }

    fn slice(&self, range: TextRange) -> &'a str {
        &self.text[range]
    }

    fn replace(&mut self, range: TextRange, text: impl Into<String>) {
        self.edit = std::mem::take(&mut self.edit).and_replace(range, text);
    }

    fn insert(&mut self, at: TextSize, text: impl Into<String>) {
        self.replace(TextRange::empty(at), text);
    }

    /// Adds a name at the end of an import, once. Says whether it is there.
    fn import(&mut self, end: TextSize, name: String) -> bool {
        let key = (end, name);
        if let Some(is_there) = self.imported.get(&key) {
            return *is_there;
        }
        let before = self.edit.replacements().len();
        self.insert(end, key.1.clone());
        let is_there = self.edit.replacements().len() > before;
        self.imported.insert(key, is_there);
        is_there
    }

    /// Removes a statement with its line, if it has that for itself; else leaves `pass`.
    fn remove_stmt(&mut self, stmt: &impl AstNode) {
        let range = stmt.range();
        let text = self.text;
        let start = text[..range.start().into()]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let end = text[range.end().into()..].find('\n');
        let end = end.map_or(text.len(), |at| usize::from(range.end()) + at + 1);
        let line = TextRange::new(size(start), size(end));
        let suite = stmt.syntax().parent();
        let has_others = suite.is_some_and(|it| it.children().nth(1).is_some());
        if has_others && text[line].trim() == &text[range] {
            self.replace(line, "");
        } else {
            self.replace(range, "pass");
        }
    }

    /// Removes an argument with the comma before it, or the one after it where it is the first.
    fn remove_arg(&mut self, arg: &ast::Arg) {
        let is = |it: &SyntaxElement, kind| it.kind() == kind;
        let elements = |forward: bool| {
            let next = move |it: &SyntaxElement| {
                if forward {
                    it.next_sibling_or_token()
                } else {
                    it.prev_sibling_or_token()
                }
            };
            std::iter::successors(next(&arg.syntax().clone().into()), next)
        };
        let mut after = elements(true);
        let mut range = arg.range();
        if let Some(comma) = elements(false).find(|it| is(it, SyntaxKind::COMMA)) {
            range = TextRange::new(comma.text_range().start(), range.end());
        } else if let Some(comma) = after.find(|it| is(it, SyntaxKind::COMMA)) {
            let blank = after.next().filter(|it| is(it, SyntaxKind::WHITESPACE));
            range = range.cover(blank.unwrap_or(comma).text_range());
        }
        self.replace(range, "");
    }

    fn leave(&mut self, range: TextRange, message: impl Into<String>) {
        let message = message.into();
        self.left.push(Left { range, message });
    }

    /// The name of TVMScript that an expression is: `T.sblock`.
    fn script_name(&self, expr: &ast::Expr) -> Option<String> {
        self.imports.script_name(expr)
    }
}
