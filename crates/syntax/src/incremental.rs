//! An edit reparses a few statements, not the file.
//!
//! Statements stand in lists: the file, and the suites that are indented blocks. From the innermost list around the
//! edit outwards, this lexes and parses from the last line before the edit until the lexer stands, in the state in which
//! the list began, where a line of the old tree ended after the edit. Then the old tree is right from there on, and the
//! new statements take the place of the old. Where no list works out, the whole text is parsed.
//!
//! The promise: tree and errors are those of a fresh parse. What a line means may depend on others near it; the parts
//! of a text where it does beyond the rules here are recorded as `fragile`, and replaced as wholes.

mod lines;
mod list;

use rowan::GreenNode;
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
use list::List;

/// Which part of the old text was replaced, and by how much text.
#[derive(Clone, Copy, Debug)]
struct Edit {
    old: TextRange,
    inserted: TextSize,
}

impl Edit {
    fn new_end(self) -> TextSize {
        self.old.start() + self.inserted
    }

    /// The offset in the old text of one behind the edit in the new text.
    fn to_old(self, offset: TextSize) -> TextSize {
        offset - self.new_end() + self.old.end()
    }

    fn to_new(self, offset: TextSize) -> TextSize {
        offset - self.old.end() + self.new_end()
    }

    fn range_to_new(self, range: TextRange) -> TextRange {
        TextRange::new(self.to_new(range.start()), self.to_new(range.end()))
    }
}

/// Reparses `text`, which differs from what was parsed by `inserted` bytes in place of `old`. Gives up after `most` bytes.
pub(crate) fn reparse(
    parse: &Parse,
    old: TextRange,
    inserted: TextSize,
    text: &str,
    most: usize,
) -> Option<Parse> {
    let edit = Edit { old, inserted };
    let root = parse.syntax();
    let mut left = most;
    for list in list::around(&root, old).into_iter().rev() {
        let mut attempt = Attempt::new(parse, edit, text, &list, left);
        if let Some(parse) = attempt.run() {
            return Some(parse);
        }
        left = attempt.left;
    }
    None
}

/// New statements for a run of lines.
struct Region {
    parsed: Parsed,
    /// The lines of the window that it replaces.
    first: usize,
    end: usize,
    /// The text that it replaces.
    old: TextRange,
}

/// The attempt to confine an edit to one list.
struct Attempt<'a> {
    parse: &'a Parse,
    edit: Edit,
    text: &'a str,
    list: &'a List,
    window: Window,
    /// How many bytes it may still read.
    left: usize,
}

impl<'a> Attempt<'a> {
    fn new(
        parse: &'a Parse,
        edit: Edit,
        text: &'a str,
        list: &'a List,
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
            // A line that continues the statement before it, or may, has to be parsed with it.
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
        })
    }

    /// Whether the line belongs to a block that the statement before it holds, if that holds one in the right column.
    fn may_stray(&self, line: usize) -> bool {
        let start = self.window.line(line).range.start();
        Stray::first_line(self.text, start.into()).is_some()
    }

    /// The line from which on everything that depends on the edit is replaced.
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

    /// Lexes from a line on until the old tree can take over.
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

    /// Whether the first line of the list is indented as it was, and not oddly, for that decides what belongs to the list.
    fn begins_block(&self, tokens: &Tokens) -> bool {
        if self.list.is_file {
            return true;
        }
        let start = self.list.range.start();
        let statement = self.window.line(0).statement.unwrap_or(start);
        let line = TextRange::new(start, statement);
        let is_odd = |it: &TextRange| it.start() <= line.end() && line.start() < it.end();
        if self.parse.fragile.iter().any(is_odd) {
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

    fn parse(&mut self, first: usize, tokens: Tokens) -> Option<Region> {
        let start = self.window.line(first).range.start();
        let end = TextSize::new(*tokens.ends.last()?);
        let at_end = usize::from(end) == self.text.len();
        let old_end = if at_end && self.list.is_file {
            self.list.range.end()
        } else {
            self.edit.to_old(end)
        };
        let mut parser = Parser::new(self.text, start.into(), tokens, self.list.surroundings());
        let mut lines = 0;
        grammar::ungrouped_statements(&mut parser, |_, _| lines += 1);
        if !parser.is_done(self.list.columns.len()) {
            return None;
        }
        let end = self.window.line_after(old_end);
        if lines == 0 && !self.list.is_file && first == 0 && end == self.window.len() {
            // What remains of the block may be nothing, which is for its statement to judge.
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
        // What is wrong at the very end is about lines before it.
        let text_end = self.parse.green.text_len();
        let before = old
            .iter()
            .filter(|it| it.range.start() < replaced.start())
            .cloned();
        let behind = old
            .iter()
            .filter(|it| it.range.start() >= replaced.end() && replaced.end() < text_end)
            .cloned();
        let behind = behind.map(|mut it| {
            it.range = self.edit.range_to_new(it.range);
            if let Some((range, _)) = &mut it.related {
                *range = self.edit.range_to_new(*range);
            }
            it
        });
        let mut errors: Vec<SyntaxError> = before.chain(new).chain(behind).collect();
        errors.sort_by(SyntaxError::order);
        errors.into()
    }

    fn fragile(&self, new: Vec<TextRange>, replaced: TextRange) -> Vec<TextRange> {
        let old = &self.parse.fragile;
        let before = old
            .iter()
            .filter(|it| it.end() <= replaced.start())
            .copied();
        let behind = old.iter().filter(|it| it.start() >= replaced.end());
        let behind = behind.map(|it| self.edit.range_to_new(*it));
        before.chain(new).chain(behind).collect()
    }
}

/// Whether the last token of a node is the end of a line.
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

fn chunk(elements: impl ExactSizeIterator<Item = crate::builder::Element>) -> GreenNode {
    GreenNode::new(SyntaxKind::CHUNK.into(), elements)
}
