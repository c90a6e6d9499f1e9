//! Incremental reparsing: an edit reparses a few statements instead of the file.
//!
//! A statement list is the file or an indented suite. Starting with the innermost list around the edit, this lexes and
//! parses from the line before the edit on. It stops after the edit, as soon as the lexer is at the end of an old line and
//! in the same state as at the start of the list. From there on the old tree is still valid, so the new statements replace
//! the old ones. If this fails for one list, the next outer list is tried; if all fail, the caller parses the whole text.
//!
//! The tree and the errors are always the same as after a full parse. Some lines depend on other lines near them in ways
//! that these rules do not cover. Their ranges are recorded as `fragile`, and replaced as a whole.

mod lines;
mod list;

use text_size::{TextRange, TextSize};

use crate::error::SyntaxError;
use crate::grammar;
use crate::kind::SyntaxKind::{
    self, AT, ELIF_KW, ELSE_KW, EXCEPT_KW, FINALLY_KW, INDENT, R_BRACE, R_BRACKET, R_PAREN,
    SOFT_NEWLINE, WHITESPACE,
};
use crate::lexer::{Column, Indents, Lexer, Stray, Tokens};
use crate::parse::Parse;
use crate::parser::{Parsed, Parser};
use lines::Window;
use list::StatementList;

/// An edit: the replaced range of the old text, and the length of its replacement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edit {
    pub(crate) old: TextRange,
    pub(crate) inserted: TextSize,
}

impl Edit {
    fn new_end(self) -> TextSize {
        self.old.start() + self.inserted
    }

    /// Maps an offset after the edit to the old text.
    fn to_old(self, offset: TextSize) -> TextSize {
        offset - self.new_end() + self.old.end()
    }

    /// Maps an offset after the edit to the new text.
    pub(crate) fn to_new(self, offset: TextSize) -> TextSize {
        offset - self.old.end() + self.new_end()
    }

    pub(crate) fn range_to_new(self, range: TextRange) -> TextRange {
        TextRange::new(self.to_new(range.start()), self.to_new(range.end()))
    }
}

/// Reparses `text`, in which `inserted` bytes replace the range `old` of the parsed text. `None` if that takes more than
/// `max_bytes` of lexing, or if no statement list can contain the edit.
pub(crate) fn reparse(
    parse: &Parse,
    old: TextRange,
    inserted: TextSize,
    text: &str,
    max_bytes: usize,
) -> Option<Parse> {
    let edit = Edit { old, inserted };
    let root = parse.syntax();
    let mut left = max_bytes;
    for list in list::lists_around(&root, old).into_iter().rev() {
        let mut attempt = Attempt::new(parse, edit, text, &list, left);
        if let Some(parse) = attempt.run() {
            return Some(parse);
        }
        left = attempt.left;
    }
    None
}

/// New statements that replace some lines.
struct Region<'a> {
    parsed: Parsed<'a>,
    /// The replaced lines of the window.
    first: usize,
    end: usize,
    /// The replaced range of the old text.
    old: TextRange,
}

/// The attempt to reparse an edit within one list.
struct Attempt<'a> {
    parse: &'a Parse,
    edit: Edit,
    text: &'a str,
    list: &'a StatementList,
    window: Window,
    /// How many bytes the lexer may still read.
    left: usize,
}

impl<'a> Attempt<'a> {
    fn new(
        parse: &'a Parse,
        edit: Edit,
        text: &'a str,
        list: &'a StatementList,
        left: usize,
    ) -> Attempt<'a> {
        Attempt {
            parse,
            edit,
            text,
            list,
            window: Window::new(list, edit.old.start()),
            left,
        }
    }

    fn run(&mut self) -> Option<Parse> {
        let mut first = self.window.first_line_touching(self.edit.old.start())?;
        let region = loop {
            first = self.extend_back(first)?;
            let tokens = self.lex(first)?;
            // A line that may continue the statement before it must be parsed together with it.
            let continues = match tokens.kinds.iter().find(|it| !it.is_trivia()) {
                Some(
                    INDENT | ELSE_KW | ELIF_KW | EXCEPT_KW | FINALLY_KW | R_PAREN | R_BRACKET
                    | R_BRACE,
                ) => true,
                _ => first > 0 && self.window.line(first - 1).is_error,
            };
            let starts_list = first == 0 && self.window.starts_list();
            if continues && !(starts_list && self.list.is_file)
                || !starts_list && self.may_stray(first)
            {
                first = first.checked_sub(1)?;
                continue;
            }
            if starts_list && !self.begins_block(&tokens) {
                return None;
            }
            break self.parse(first, tokens)?;
        };
        let green = self.list.with_lines(
            &mut self.window,
            region.first..region.end,
            region.parsed.builder,
            self.text,
        );
        let errors = self.errors(region.parsed.errors, region.old);
        let fragile = self.fragile(region.parsed.fragile, region.old);
        Some(Parse {
            green,
            errors,
            fragile: fragile.into(),
            subtrees: self.parse.subtrees.clone(),
        })
    }

    /// Whether the line may be a stray line of a block of the statement before it; see [`Stray`].
    fn may_stray(&self, line: usize) -> bool {
        let start = self.window.line(line).range.start();
        Stray::first_line(self.text, start.into()).is_some()
    }

    /// Moves the first line back until it is not inside a fragile range.
    fn extend_back(&mut self, mut first: usize) -> Option<usize> {
        loop {
            let start = self.window.line(first).range.start();
            let Some(range) = self
                .parse
                .fragile
                .iter()
                .copied()
                .find(|it| it.start() < start && start <= it.end())
            else {
                return Some(first);
            };
            first = self.window.first_line_touching(range.start())?;
            if self.window.line(first).range.start() > range.start() {
                return None;
            }
        }
    }

    /// Lexes from a line on until the old tree is valid again.
    fn lex(&mut self, first: usize) -> Option<Tokens> {
        let start = self.window.line(first).range.start();
        let Attempt {
            parse,
            edit,
            list,
            window,
            left,
            ..
        } = self;
        let start_of_text = usize::from(start);
        let columns = Indents::within(list.columns.clone());
        let lexer = Lexer::new(self.text, start_of_text, columns);
        let lexer = lexer.limited(start_of_text.saturating_add(*left));
        let mut gave_up = false;
        let mut synced = false;
        let tokens = lexer.run(|lexer| {
            let offset = TextSize::new(lexer.offset() as u32);
            if offset <= start || offset < edit.new_end() {
                return false;
            }
            let old = edit.to_old(offset);
            if old > list.range.end() {
                gave_up = true;
                return true;
            }
            synced = lexer.indents().is_at(&list.columns)
                && lexer.line_kind() != AT
                && lexer
                    .tokens()
                    .fragile
                    .last()
                    .is_none_or(|it| it.end() <= offset)
                && !parse
                    .fragile
                    .iter()
                    .any(|it| it.start() < old && old < it.end())
                && window.can_resume(old);
            synced
        });
        let end = tokens.ends.last().map_or(start_of_text, |&it| it as usize);
        *left = left.saturating_sub(end - start_of_text);
        if tokens.is_cut {
            return None;
        }
        (synced || !gave_up && list.is_file).then_some(tokens)
    }

    /// Whether the first line of the list has its old indentation and no error in it. Its indentation decides which lines
    /// belong to the list.
    fn begins_block(&self, tokens: &Tokens) -> bool {
        if self.list.is_file {
            return true;
        }
        let start = self.list.range.start();
        let statement = self.window.line(0).statement.unwrap_or(start);
        let line = TextRange::new(start, statement);
        let overlaps_line = |it: &TextRange| it.start() <= line.end() && line.start() < it.end();
        if self.parse.fragile.iter().any(overlaps_line) {
            return false;
        }
        let first = tokens.kinds.iter().position(|it| !it.is_trivia());
        let blanks = first.and_then(|it| it.checked_sub(1));
        let Some(blanks) = blanks.filter(|&it| tokens.kinds[it] == WHITESPACE) else {
            return false;
        };
        let start = match blanks {
            0 => self.window.start.into(),
            _ if tokens.kinds[blanks - 1] == SOFT_NEWLINE => tokens.ends[blanks - 1] as usize,
            _ => return false,
        };
        let column = Column::after(&self.text.as_bytes()[start..tokens.ends[blanks] as usize]);
        self.list.columns.last() == Some(&column)
    }

    fn parse(&mut self, first: usize, tokens: Tokens) -> Option<Region<'a>> {
        let start = self.window.line(first).range.start();
        let end = TextSize::new(*tokens.ends.last()?);
        let at_end = usize::from(end) == self.text.len();
        let old_end = if at_end && self.list.is_file {
            self.list.range.end()
        } else {
            self.edit.to_old(end)
        };
        let mut parser = Parser::new(
            self.text,
            start.into(),
            tokens,
            self.list.surroundings(),
            &self.parse.subtrees,
        );
        let mut lines = 0;
        grammar::ungrouped_statements(&mut parser, |_, _| lines += 1);
        if !parser.is_done(self.list.columns.len()) {
            return None;
        }
        let end = self.window.line_after(old_end);
        if lines == 0 && !self.list.is_file && first == 0 && end == self.window.len() {
            // The block may be empty now, which is an error of its statement.
            return None;
        }
        Some(Region {
            parsed: parser.finish(),
            first,
            end,
            old: TextRange::new(start, old_end),
        })
    }

    fn errors(&self, new: Vec<SyntaxError>, replaced: TextRange) -> std::sync::Arc<[SyntaxError]> {
        let old = &self.parse.errors;
        if old.is_empty() && new.is_empty() {
            return old.clone();
        }
        // An error at the end of the text is about the lines before it.
        let text_end = self.parse.green.text_len();
        let before = old
            .iter()
            .filter(|it| it.range.start() < replaced.start())
            .cloned();
        let after = old
            .iter()
            .filter(|it| it.range.start() >= replaced.end() && replaced.end() < text_end)
            .map(|it| it.clone().map_ranges(|range| self.edit.range_to_new(range)));
        let mut errors: Vec<SyntaxError> = before.chain(new).chain(after).collect();
        errors.sort_by(SyntaxError::order);
        errors.into()
    }

    fn fragile(&self, new: Vec<TextRange>, replaced: TextRange) -> Vec<TextRange> {
        let old = &self.parse.fragile;
        let before = old
            .iter()
            .filter(|it| it.end() <= replaced.start())
            .copied();
        let after = old.iter().filter(|it| it.start() >= replaced.end());
        let after = after.map(|it| self.edit.range_to_new(*it));
        before.chain(new).chain(after).collect()
    }
}

/// Whether the last token of a node is a NEWLINE.
fn ends_line(node: &rowan::GreenNodeData) -> bool {
    let mut node = node;
    loop {
        match node.children().next_back() {
            Some(rowan::NodeOrToken::Node(last)) => node = last,
            Some(rowan::NodeOrToken::Token(last)) => {
                return last.kind() == SyntaxKind::NEWLINE.into();
            }
            None => return false,
        }
    }
}
