//! Converts a file to another release of TVM: its TVMScript and the Python around it.
//!
//! Works from text to text, with only the syntax tree and the file's imports; there is no database. It first renames
//! everything in one go, and then applies the structural rules in passes over fresh trees until nothing changes.
//! Comments and layout are kept. Code without an equivalent is kept too, and is listed in `Migration::left`.

mod annotations;
mod blocks;
mod buffers;
mod callees;
mod calls;
mod decorators;
mod functions;
mod gates;
mod gone;
mod inspection;
mod lets;
mod memory;
mod metadata;
mod names;
mod prim_funcs;
mod printed;
mod realize;
mod redeclared;
mod rejected;
mod rfc;
mod scopes;
mod signature;
mod sizes;
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

pub use self::rejected::migrate_and_check;
use crate::imports::Imports;
use crate::lines::line_ending;
use crate::source_edit::SourceEdit;

/// The maximum number of passes. A pass only rewrites the outermost of nested constructs, so this bounds the nesting
/// that can be migrated.
const MAX_PASSES: usize = 64;

/// The result of migrating a file.
#[derive(Debug, Default)]
pub struct Migration {
    pub text: String,
    /// Code without an equivalent in the target release, in the order of the text.
    pub left: Vec<Left>,
}

/// Code that was left unchanged, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The range in the migrated text.
    pub range: TextRange,
    pub message: String,
}

/// The releases that a migration starts from and leads to.
#[derive(Clone, Copy, Debug)]
struct Transition {
    /// The oldest release that the text may be written for.
    oldest: Release,
    /// The newest release that the text may be written for. The text is read as this release.
    from: Release,
    to: Release,
}

impl Transition {
    /// Returns `true` if the migration goes from before `release` to `release` or later.
    fn enters(self, release: Release) -> bool {
        self.from < release && release <= self.to
    }

    /// Returns `true` if the text may be written for a release before `release`, or for one from `release` on.
    fn may_come_from_before(self, release: Release) -> bool {
        self.oldest < release && release <= self.from
    }

    /// Returns `true` if something that exists in `releases` is lost by the migration.
    fn loses(self, releases: Releases) -> bool {
        releases.contains(self.from) && !releases.contains(self.to)
    }

    /// Returns `true` if the migration goes from `release` or later to before `release`.
    fn leaves(self, release: Release) -> bool {
        self.to < release && release <= self.from
    }
}

/// One pass over the file: its tree, and the edits collected so far.
struct Pass<'a> {
    text: &'a str,
    newline: &'static str,
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

/// A name that a statement binds to the result of a call.
struct BoundCall {
    target: ast::NameExpr,
    call: ast::CallExpr,
    /// The name in TVMScript, such as `T.int64`.
    callee: String,
}

/// A structural rule. It is called with every node, and either edits the node or adds it to `left`.
type Rule = fn(&mut Pass<'_>, &SyntaxNode);

const RULES: &[Rule] = &[
    rfc::rule,
    decorators::rule,
    gates::rule,
    callees::rule,
    calls::rule,
    annotations::rule,
    prim_funcs::rule,
    memory::rule,
    lets::rule,
    realize::rule,
    redeclared::rule,
    sizes::rule,
    type_vars::rule,
    inspection::rule,
    metadata::rule,
    gone::rule,
    printed::rule,
];

/// Migrates `text` to the release `to`. The text is read as the newest release in `from`.
pub fn migrate(text: &str, from: Releases, to: Release) -> Migration {
    let transition = Transition {
        oldest: from.since,
        from: from.until,
        to,
    };
    let mut pass = Pass::new(text, transition);
    let rules: &[Rule] = if transition.from == to {
        &[printed::rule]
    } else {
        names::rename(&mut pass);
        RULES
    };
    let mut text = pass.edit.apply(text);
    let mut of_names = moved(pass.left, &pass.edit);
    let mut of_rules = Vec::new();
    for _ in 0..MAX_PASSES {
        let mut pass = Pass::new(&text, transition);
        for node in pass.tree.syntax().clone().descendants() {
            for rule in rules {
                rule(&mut pass, &node);
            }
        }
        let edit = pass.edit;
        of_names = moved(of_names, &edit);
        // Each pass finds again what the previous pass left unchanged, so only the last list counts.
        of_rules = moved(pass.left, &edit);
        if edit.is_empty() {
            break;
        }
        text = edit.apply(&text);
    }
    let mut left: Vec<Left> = of_names.into_iter().chain(of_rules).collect();
    left.sort_by_key(|it| (it.range.start(), it.range.end()));
    // If a rule and a table report the same range, keep the report of the rule, which is more specific.
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
            newline: line_ending(text),
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

    /// Replaces a range. New lines end as the other lines of the file do.
    fn replace(&mut self, range: TextRange, text: impl Into<String>) {
        let mut text = text.into();
        if self.newline != "\n" && text.contains('\n') {
            text = text.replace("\r\n", "\n").replace('\n', self.newline);
        }
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

    /// The offset at which the line of `at` starts.
    fn line_start(&self, at: TextSize) -> usize {
        self.text[..at.into()].rfind('\n').map_or(0, |it| it + 1)
    }

    /// Removes a statement together with its line if nothing else is on that line; otherwise replaces it with `pass`.
    fn remove_stmt(&mut self, stmt: &impl AstNode) {
        self.remove_line(stmt, str::is_empty);
    }

    /// Like [`Pass::remove_stmt`], and removes the comment after the statement too.
    fn remove_stmt_and_comment(&mut self, stmt: &impl AstNode) {
        self.remove_line(stmt, |rest| rest.is_empty() || rest.starts_with('#'));
    }

    /// Removes a statement together with its line if the rest of the line may go; otherwise replaces it with `pass`.
    fn remove_line(&mut self, stmt: &impl AstNode, may_go: impl Fn(&str) -> bool) {
        let range = stmt.range();
        let text = self.text;
        let start = self.line_start(range.start());
        let end = text[range.end().into()..].find('\n');
        let end = end.map_or(text.len(), |at| usize::from(range.end()) + at + 1);
        let suite = stmt.syntax().parent();
        let has_others = suite.is_some_and(|it| it.children().nth(1).is_some());
        let is_first = text[start..range.start().into()].trim().is_empty();
        if has_others && is_first && may_go(text[range.end().into()..end].trim()) {
            self.replace(TextRange::new(size(start), size(end)), "");
        } else {
            self.replace(range, "pass");
        }
    }

    /// Removes an argument and the comma before it (for the first argument, the comma after it).
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

    /// Returns what a statement such as `n = T.int64(4)` binds: the name, the call, and the name of what is called.
    fn bound_call(&self, stmt: &ast::AssignStmt) -> Option<BoundCall> {
        let mut targets = stmt.targets();
        let (Some(ast::Expr::NameExpr(target)), None, Some(ast::Expr::CallExpr(call))) =
            (targets.next(), targets.next(), stmt.value())
        else {
            return None;
        };
        let callee = self.script_name(&call.callee()?)?;
        Some(BoundCall {
            target,
            call,
            callee,
        })
    }

    /// Returns the name that an expression has in TVMScript, such as `T.sblock`.
    fn script_name(&self, expr: &ast::Expr) -> Option<String> {
        self.imports.script_name(expr)
    }
}
