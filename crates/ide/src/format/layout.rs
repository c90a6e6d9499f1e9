//! Breaks one logical line.
//!
//! Lines break only inside brackets. Of several bracket pairs, the last one is broken after which the line fits, so
//! that the target and the callee of `x = R.call_tir(` stay together. The contents go on one line if they fit;
//! otherwise each element gets its own line, and an element that is still too long is split at its operators with the
//! lowest precedence. A pair stays broken if it ends with a comma, as in Black, or if it contains comments.

use text_size::TextRange;

use syntax::SyntaxKind as K;

use super::STEP;
use super::spacing::{double_quoted, looseness, separates, tight_after, tight_before};

#[derive(Clone, Copy)]
struct Token {
    kind: K,
    parent: K,
    range: TextRange,
    blank_before: bool,
    /// `true` for a comma between the elements of a pair of brackets.
    separator: bool,
    /// For a bracket, the index of the matching one.
    other: u32,
    /// For an opening bracket, `true` if the line must be broken after it.
    broken: bool,
}

/// A comment inside brackets.
struct Inner {
    range: TextRange,
    /// The index of the token after the comment.
    before: usize,
    own_line: bool,
}

/// A logical line while it is read. Its buffers are reused for the next line.
#[derive(Default)]
pub struct Line {
    tokens: Vec<Token>,
    /// The width of the line up to each token, including spaces.
    widths: Vec<u32>,
    open: Vec<u32>,
    comments: Vec<Inner>,
    params: Option<usize>,
    param_annotated: bool,
    newline: bool,
    /// `true` if the line must be kept as it is: multi-line strings, backslash continuations, comments in unusual
    /// places.
    pub verbatim: bool,
    /// `true` if a string spans several lines, so that reindenting them would change it.
    pub long_string: bool,
}

impl Line {
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.widths.clear();
        self.open.clear();
        self.comments.clear();
        self.params = None;
        self.param_annotated = false;
        self.newline = false;
        self.verbatim = false;
        self.long_string = false;
    }

    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    pub fn range(&self) -> Option<TextRange> {
        let first = self.tokens.first()?;
        Some(first.range.cover(self.tokens.last()?.range))
    }

    pub fn in_brackets(&self) -> bool {
        !self.open.is_empty()
    }

    /// Adds a line ending inside brackets.
    pub fn soft_newline(&mut self) {
        self.newline = true;
    }

    pub fn comment(&mut self, range: TextRange) {
        self.comments.push(Inner {
            range,
            before: self.tokens.len(),
            own_line: self.newline,
        });
        self.newline = false;
    }

    pub fn push(&mut self, kind: K, parent: K, range: TextRange, text: &str, may_separate: bool) {
        let index = self.tokens.len();
        let mut tight = tight_before(kind, parent);
        if kind == K::EQ && parent == K::PARAM && !self.param_annotated {
            tight = true;
        }
        let after = self.tokens.last().is_some_and(|last| {
            tight_after(last.kind, last.parent)
                || last.kind == K::EQ && last.parent == K::PARAM && !self.param_annotated
        });
        let mut token = Token {
            kind,
            parent,
            range,
            blank_before: index > 0 && !tight && !after,
            separator: kind == K::COMMA && may_separate && separates(parent),
            other: 0,
            broken: false,
        };
        match kind {
            K::COLON if parent == K::PARAM => self.param_annotated = true,
            K::COMMA if parent == K::PARAM_LIST => self.param_annotated = false,
            K::L_PAREN | K::L_BRACKET | K::L_BRACE => {
                if parent == K::PARAM_LIST {
                    self.params.get_or_insert(index);
                    self.param_annotated = false;
                }
                self.open.push(index as u32);
            }
            K::R_PAREN | K::R_BRACKET | K::R_BRACE => {
                if let Some(open) = self.open.pop() {
                    token.other = open;
                    self.tokens[open as usize].other = index as u32;
                } else {
                    self.verbatim = true;
                }
            }
            _ => {}
        }
        let width = if text.is_ascii() {
            text.len()
        } else {
            text.chars().count()
        };
        if kind == K::STRING || kind == K::FSTRING {
            self.long_string |= text.contains('\n');
            self.verbatim |= self.long_string;
        }
        let before = self.widths.last().copied().unwrap_or(0);
        self.widths
            .push(before + width as u32 + u32::from(token.blank_before));
        self.tokens.push(token);
        self.newline = false;
    }

    /// Writes the formatted line to `out`, which ends with the line's indentation.
    pub fn write(&mut self, text: &str, style: Style<'_>, out: &mut String) {
        self.mark_broken();
        let column = style.indent.chars().count() as u32;
        let mut writer = Printer {
            line: self,
            text,
            style,
            column,
            out,
        };
        writer.layout(0, writer.line.tokens.len(), 0, false);
    }

    /// Marks the pairs that must be broken, and lines with comments that cannot be placed.
    pub fn check(&mut self) {
        for comment in &self.comments {
            let after = self.tokens.get(comment.before).map(|it| it.kind);
            let at_end = matches!(after, Some(K::R_PAREN | K::R_BRACKET | K::R_BRACE));
            let before = comment.before.checked_sub(1).map(|it| &self.tokens[it]);
            let at_start = before.is_some_and(|it| {
                it.separator || matches!(it.kind, K::L_PAREN | K::L_BRACKET | K::L_BRACE)
            });
            self.verbatim |= !at_end && !at_start;
        }
    }

    fn mark_broken(&mut self) {
        let mut comments = self.comments.iter().map(|it| it.before).peekable();
        let mut broken: Vec<(usize, u32, bool)> = Vec::new();
        for index in 0..self.tokens.len() {
            while comments.next_if(|before| *before == index).is_some() {
                if let Some(open) = broken.last_mut() {
                    open.2 = true;
                }
            }
            let token = self.tokens[index];
            match token.kind {
                K::L_PAREN | K::L_BRACKET | K::L_BRACE => broken.push((index, 0, false)),
                K::COMMA if token.separator => {
                    if let Some(open) = broken.last_mut() {
                        open.1 += 1;
                    }
                }
                K::R_PAREN | K::R_BRACKET | K::R_BRACE => {
                    let Some((open, commas, mut is_broken)) = broken.pop() else {
                        continue;
                    };
                    let last = &self.tokens[index - 1];
                    let is_tuple = last.parent == K::TUPLE_EXPR;
                    is_broken |= last.separator && (commas > 1 || !is_tuple);
                    self.tokens[open].broken = is_broken;
                    if is_broken && let Some(outer) = broken.last_mut() {
                        outer.2 = true;
                    }
                }
                _ => {}
            }
        }
    }
}

/// The settings that a layout depends on.
#[derive(Clone, Copy)]
pub struct Style<'a> {
    /// The indentation of the line.
    pub indent: &'a str,
    pub limit: u32,
    pub newline: &'a str,
}

struct Printer<'a> {
    line: &'a Line,
    text: &'a str,
    style: Style<'a>,
    column: u32,
    out: &'a mut String,
}

impl Printer<'_> {
    /// Writes the tokens from `low` to before `high`. The output is at the beginning of a line that is indented by
    /// `steps` more than the logical line. Lines may break between operands only inside brackets.
    fn layout(&mut self, low: usize, high: usize, steps: u32, in_brackets: bool) {
        let fits = self.width(low, high) + self.column + steps * STEP <= self.style.limit;
        let broken = self
            .pairs(low, high)
            .find(|open| self.line.tokens[*open].broken);
        if fits && broken.is_none() {
            self.flat(low, high);
            return;
        }
        if in_brackets && !fits && self.operands(low, high, steps) {
            return;
        }
        let Some(open) = broken.or_else(|| self.choose(low, high, steps)) else {
            self.flat(low, high);
            return;
        };
        let close = self.line.tokens[open].other as usize;
        self.flat(low, open + 1);
        self.write_contents(open, close, steps + 1);
        self.break_line(steps);
        self.layout(close, high, steps, in_brackets);
    }

    /// Writes each operand of the operators with the lowest precedence on its own line, after its operator. Returns
    /// `false` if there are no such operators.
    fn operands(&mut self, low: usize, high: usize, steps: u32) -> bool {
        let tokens = &self.line.tokens;
        let binds = |at: usize| {
            let before = &tokens[at - 1];
            let first = before.parent != tokens[at].parent
                || looseness(before.kind, before.parent).is_none();
            looseness(tokens[at].kind, tokens[at].parent).filter(|_| first)
        };
        let outside = self.outer_tokens(low, high).filter(|at| *at > low);
        let operators: Vec<(usize, u8)> = outside.filter_map(|at| Some((at, binds(at)?))).collect();
        let Some(loosest) = operators.iter().map(|(_, loose)| *loose).max() else {
            return false;
        };
        let ends = operators.iter().filter(|(_, loose)| *loose == loosest);
        let ends: Vec<usize> = ends.map(|(at, _)| *at).chain([high]).collect();
        let mut from = low;
        for end in ends {
            if from > low {
                self.break_line(steps);
            }
            self.layout(from, end, steps, true);
            from = end;
        }
        true
    }

    /// Writes the contents of a pair of brackets that is broken.
    fn write_contents(&mut self, open: usize, close: usize, steps: u32) {
        let is_broken = self.line.tokens[open].broken;
        let fits = self.width(open + 1, close) + self.column + steps * STEP <= self.style.limit;
        if fits && !is_broken {
            self.break_line(steps);
            self.flat(open + 1, close);
            return;
        }
        let mut low = open + 1;
        let mut at = low;
        while at < close {
            let token = self.line.tokens[at];
            if matches!(token.kind, K::L_PAREN | K::L_BRACKET | K::L_BRACE) {
                at = token.other as usize;
            }
            at += 1;
            if self.line.tokens[at - 1].separator || at == close {
                self.comments(low, steps);
                self.break_line(steps);
                self.layout(low, at, steps, true);
                low = at;
            }
        }
        self.comments(close, steps);
    }

    /// Writes the comments before a token: at the end of the current line, or on their own lines.
    fn comments(&mut self, before: usize, steps: u32) {
        let line = self.line;
        let first = line.comments.partition_point(|it| it.before < before);
        let here = line.comments[first..].iter();
        for comment in here.take_while(|it| it.before == before) {
            if comment.own_line {
                self.break_line(steps);
            } else {
                self.out.push_str("  ");
            }
            self.out.push_str(self.text[comment.range].trim_end());
        }
    }

    /// Returns the pair to break: the last one after which the lines fit, or else the widest.
    fn choose(&self, low: usize, high: usize, steps: u32) -> Option<usize> {
        if let Some(params) = self.line.params.filter(|it| (low..high).contains(it)) {
            return Some(params);
        }
        let room = self.style.limit.saturating_sub(self.column + steps * STEP);
        let tokens = &self.line.tokens;
        let content = |open: usize| self.width(open + 1, tokens[open].other as usize);
        let filled = |open: &usize| tokens[*open].other as usize > open + 1;
        let pairs: Vec<usize> = self.pairs(low, high).filter(filled).collect();
        let fits = |open: usize| {
            let close = tokens[open].other as usize;
            self.width(low, open + 1) <= room && self.width(close, high) <= room
        };
        // Prefer breaking the value over the target, and break a short index last.
        let assigned = self
            .outer_tokens(low, high)
            .filter(|at| tokens[*at].kind == K::EQ);
        let value = assigned.last().unwrap_or(low);
        let is_short =
            |open: usize| tokens[open].parent == K::SUBSCRIPT_EXPR && content(open) <= 40;
        let fitting = pairs
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, open)| fits(*open));
        fitting
            .max_by_key(|(at, open)| (*open > value, !is_short(*open), *at))
            .map(|(_, open)| open)
            .or_else(|| pairs.iter().copied().max_by_key(|open| content(*open)))
    }

    /// Returns the outermost opening brackets in a range of tokens.
    fn pairs(&self, low: usize, high: usize) -> impl Iterator<Item = usize> {
        let tokens = &self.line.tokens;
        self.outer_tokens(low, high)
            .filter(|at| matches!(tokens[*at].kind, K::L_PAREN | K::L_BRACKET | K::L_BRACE))
    }

    /// Returns the tokens of a range that are not inside brackets, including the opening brackets.
    fn outer_tokens(&self, low: usize, high: usize) -> impl Iterator<Item = usize> {
        let tokens = &self.line.tokens;
        let mut at = low;
        std::iter::from_fn(move || {
            let index = (at < high).then_some(at)?;
            at = match tokens[index].kind {
                K::L_PAREN | K::L_BRACKET | K::L_BRACE => tokens[index].other as usize + 1,
                _ => at + 1,
            };
            Some(index)
        })
    }

    /// Returns the width of a range of tokens on one line.
    fn width(&self, low: usize, high: usize) -> u32 {
        if low >= high {
            return 0;
        }
        let before = low.checked_sub(1).map_or(0, |it| self.line.widths[it]);
        let blank = u32::from(self.line.tokens[low].blank_before);
        self.line.widths[high - 1] - before - blank
    }

    fn flat(&mut self, low: usize, high: usize) {
        for (at, token) in self.line.tokens[low..high].iter().enumerate() {
            if token.blank_before && at > 0 {
                self.out.push(' ');
            }
            let text = &self.text[token.range];
            match (token.kind == K::STRING)
                .then(|| double_quoted(text))
                .flatten()
            {
                Some(text) => self.out.push_str(&text),
                None => self.out.push_str(text),
            }
        }
    }

    fn break_line(&mut self, steps: u32) {
        self.out.push_str(self.style.newline);
        self.out.push_str(self.style.indent);
        self.out
            .extend(std::iter::repeat_n(' ', (steps * STEP) as usize));
    }
}
