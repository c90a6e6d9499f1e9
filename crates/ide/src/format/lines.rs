//! Walks a region: splits it into logical lines with their indentation, and collects the changes.

use syntax::SyntaxKind as K;
use syntax::{GreenNodeData, NodeOrToken};
use text_size::{TextRange, TextSize};

use super::gaps::{self, Between};
use super::layout::{Line, Style};
use super::regions::Region;
use super::{FormatOptions, STEP};
use crate::source_edit::{Replacement, SourceEdit};
use crate::text_difference::differing_range;

pub struct Formatter<'a> {
    text: &'a str,
    limit: u32,
    newline: &'static str,
    /// The indentation of the region itself.
    base: &'a str,
    line: Line,
    /// The comment at the end of the line.
    trailing: Option<TextRange>,
    /// The column of each suite around the last line, outermost first.
    columns: Vec<u32>,
    last: Option<Last>,
    /// The number of the current function in its module; 0 outside of functions.
    member: u32,
    members: u32,
    is_module: bool,
    alone: &'a [TextRange],
    indents: String,
    out: String,
    changes: Vec<Change>,
    reindents: bool,
}

/// The previous logical line.
#[derive(Clone, Copy)]
struct Last {
    end: TextSize,
    is_header: bool,
    member: u32,
    alone: bool,
}

/// The change of one line or of one gap.
struct Change {
    of: TextRange,
    replacement: Replacement,
}

impl<'a> Formatter<'a> {
    pub fn new(
        text: &'a str,
        newline: &'static str,
        options: FormatOptions,
        start: TextSize,
    ) -> Formatter<'a> {
        let before = &text[..start.into()];
        let base = &before[before.rfind('\n').map_or(0, |it| it + 1)..];
        Formatter {
            text,
            limit: options.line_length.unwrap_or(u32::MAX / 2),
            newline,
            base: if base.trim().is_empty() { base } else { "" },
            line: Line::default(),
            trailing: None,
            columns: Vec::new(),
            last: None,
            member: 0,
            members: 0,
            is_module: false,
            alone: &[],
            indents: String::new(),
            out: String::new(),
            changes: Vec::new(),
            reindents: false,
        }
    }

    pub fn region(&mut self, region: &'a Region) {
        self.alone = &region.alone;
        self.is_module = kind_of(&region.green) == K::CLASS_DEF;
        self.walk(&region.green, region.start, 0, false);
        self.end_line(0, false);
        if let Some(last) = self.last {
            let raw = TextRange::new(last.end, region.range().end());
            self.gap(raw, 0, None);
        }
    }

    /// Adds the changes to `edit`. With a range, adds only changes that touch it, unless that would break a suite.
    pub fn finish(self, range: Option<TextRange>, edit: &mut SourceEdit) {
        for change in self.changes {
            let touched = range.is_none_or(|range| change.of.intersect(range).is_some());
            if touched || self.reindents {
                let Replacement { range, text } = change.replacement;
                *edit = std::mem::take(edit).and_replace(range, text);
            }
        }
    }

    /// `separates` says whether commas in `node` separate the elements of the surrounding brackets.
    fn walk(&mut self, node: &GreenNodeData, start: TextSize, depth: usize, separates: bool) {
        let parent = kind_of(node);
        let mut separates =
            separates && !matches!(parent, K::LAMBDA_EXPR | K::COMP_FOR | K::COMP_IF);
        let mut at = start;
        for child in node.children() {
            let range = TextRange::at(at, child.text_len());
            at = range.end();
            match child {
                NodeOrToken::Node(child) => self.node(child, range, parent, depth, separates),
                NodeOrToken::Token(token) => {
                    let kind = K::of_green(token.kind());
                    separates |= matches!(kind, K::L_PAREN | K::L_BRACKET | K::L_BRACE);
                    self.token(kind, parent, range, depth, separates);
                }
            }
        }
    }

    fn node(
        &mut self,
        node: &GreenNodeData,
        range: TextRange,
        parent: K,
        depth: usize,
        separates: bool,
    ) {
        match kind_of(node) {
            K::SUITE => {
                self.end_line(depth, true);
                self.walk(node, range.start(), depth + 1, false);
                self.end_line(depth + 1, false);
            }
            K::FUNCTION_DEF if self.is_module && depth == 1 => {
                self.members += 1;
                self.member = self.members;
                let at = self
                    .alone
                    .binary_search_by_key(&range.start(), |it| it.start());
                if at.is_ok() {
                    self.leave_alone(range);
                } else {
                    self.walk(node, range.start(), depth, false);
                }
                self.member = 0;
            }
            kind @ (K::FSTRING
            | K::TOO_DEEP_EXPR
            | K::IMPORT_STMT
            | K::IMPORT_FROM_STMT
            | K::ERROR) => {
                let text = &self.text[range];
                self.line.push(kind, parent, range, text, separates);
                self.line.verbatim |= kind != K::FSTRING;
                self.line.long_string |= kind != K::FSTRING && text.contains('\n');
            }
            _ => self.walk(node, range.start(), depth, separates),
        }
    }

    fn token(&mut self, kind: K, parent: K, range: TextRange, depth: usize, separates: bool) {
        match kind {
            K::WHITESPACE | K::BYTE_ORDER_MARK => {}
            K::NEWLINE => self.end_line(depth, false),
            K::SEMICOLON if matches!(parent, K::SUITE | K::CHUNK) => self.end_line(depth, false),
            K::SOFT_NEWLINE => self.line.soft_newline(),
            K::LINE_CONTINUATION => self.line.verbatim = true,
            K::COMMENT if self.line.is_empty() => {}
            K::COMMENT if self.line.in_brackets() => self.line.comment(range),
            K::COMMENT => self.trailing = Some(range),
            _ => {
                self.line
                    .push(kind, parent, range, &self.text[range], separates);
                self.line.verbatim |= kind == K::UNKNOWN;
            }
        }
    }

    /// Skips a function that stays as it is, except for the blank lines before it.
    fn leave_alone(&mut self, range: TextRange) {
        self.end_line(1, false);
        self.write_gap(range.start(), 1);
        let ended = self.text[range].trim_end_matches(['\n', '\r']).len();
        self.last = Some(Last {
            end: range.start() + TextSize::new(ended as u32),
            is_header: false,
            member: self.member,
            alone: true,
        });
    }

    fn end_line(&mut self, depth: usize, is_header: bool) {
        let Some(tokens) = self.line.range() else {
            self.line.clear();
            return;
        };
        self.write_gap(tokens.start(), depth);
        let range = self.trailing.map_or(tokens, |it| tokens.cover(it));
        let mut out = std::mem::take(&mut self.out);
        out.clear();
        self.line.check();
        let skipped = self
            .trailing
            .is_some_and(|it| self.text[it].contains("fmt: skip"));
        if self.line.verbatim || skipped {
            self.verbatim(tokens, depth, &mut out);
        } else {
            let indent = indentation(&mut self.indents, self.base, depth);
            let style = Style {
                indent,
                limit: self.limit,
                newline: self.newline,
            };
            self.line.write(self.text, style, &mut out);
        }
        if let Some(comment) = self.trailing.take() {
            out.push_str("  ");
            out.push_str(self.text[comment].trim_end());
        }
        self.change(range, &out);
        self.out = out;
        self.last = Some(Last {
            end: range.end(),
            is_header,
            member: self.member,
            alone: false,
        });
        self.line.clear();
    }

    /// Writes the gap before a line that starts at `start`.
    fn write_gap(&mut self, start: TextSize, depth: usize) {
        let head = &self.text[..start.into()];
        let head = &head[head.rfind('\n').map_or(0, |it| it + 1)..];
        let own_line = head.trim().is_empty();
        let column = if own_line {
            head.len() as u32
        } else {
            self.columns.last().map_or(0, |it| it + STEP)
        };
        if self.columns.len() <= depth {
            self.columns.push(column);
        }
        let indent = self.base.len() as u32 + depth as u32 * STEP;
        self.reindents |= own_line && column != indent;
        if let Some(last) = self.last {
            self.gap(
                TextRange::new(last.end, start),
                depth,
                Some(depth as u32 * STEP),
            );
        }
        self.columns.truncate(depth + 1);
    }

    fn gap(&mut self, range: TextRange, depth: usize, next: Option<u32>) {
        let raw = &self.text[range];
        let Some(last) = self.last else { return };
        if last.alone && raw.contains('#') {
            return;
        }
        let members =
            self.is_module && next.is_some() && last.member != self.member && !last.is_header;
        let between = Between {
            after_header: last.is_header,
            members,
        };
        // A comment belongs to the innermost suite that is not indented more than it.
        let indent = |column: u32| {
            let inner = self.columns.iter().rposition(|it| *it <= column);
            inner.unwrap_or(0).max(depth) as u32 * STEP
        };
        let mut out = std::mem::take(&mut self.out);
        out.clear();
        gaps::write(
            raw,
            self.newline,
            between,
            indent,
            next,
            self.base,
            &mut out,
        );
        self.change(range, &out);
        self.out = out;
    }

    /// Moves a line as a whole, without changing it.
    fn verbatim(&self, range: TextRange, depth: usize, out: &mut String) {
        let raw = &self.text[range];
        let from = self.columns.get(depth).copied().unwrap_or(0) as usize;
        let to = self.base.len() + depth * STEP as usize;
        if self.line.long_string || from == to {
            out.push_str(raw);
            return;
        }
        for (at, line) in raw.split('\n').enumerate() {
            if at == 0 {
                out.push_str(line);
                continue;
            }
            out.push('\n');
            let blanks = line.len() - line.trim_start_matches(' ').len();
            let kept = if line.trim().is_empty() {
                0
            } else {
                (blanks + to).saturating_sub(from)
            };
            out.extend(std::iter::repeat_n(' ', kept));
            out.push_str(&line[blanks..]);
        }
    }

    fn change(&mut self, of: TextRange, new: &str) {
        let old = &self.text[of];
        if old == new {
            return;
        }
        let (range, inserted) = differing_range(old, new);
        let text = new[TextRange::at(range.start(), inserted)].to_owned();
        let range = range + of.start();
        self.changes.push(Change {
            of,
            replacement: Replacement { range, text },
        });
    }
}

fn kind_of(node: &GreenNodeData) -> K {
    K::of_green(node.kind())
}

/// Returns the indentation for a depth.
fn indentation<'i>(buffer: &'i mut String, base: &str, depth: usize) -> &'i str {
    let length = base.len() + depth * STEP as usize;
    if !buffer.starts_with(base) || buffer.len() < length {
        buffer.clear();
        buffer.push_str(base);
        buffer.extend(std::iter::repeat_n(' ', length - base.len()));
    }
    &buffer[..length]
}
