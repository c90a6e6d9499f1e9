//! A list of statements as lines: what of the old tree an edit may replace.
//!
//! A line here is a logical one: simple statements with the end of their line, or a compound statement with its suites,
//! and the comments and blank lines before it. Of a list in chunks only the chunks around the edit are looked at.

use std::ops::Range;

use rowan::NodeOrToken;
use text_size::{TextRange, TextSize};

use super::ends_line;
use super::list::List;
use crate::builder::Element;
use crate::kind::SyntaxKind::{self, CHUNK, ERROR, NEWLINE};

#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Its text, from the end of the line before.
    pub(super) range: TextRange,
    /// Where its first statement begins. What follows the statements of a file has none.
    pub(super) statement: Option<TextSize>,
    /// Its elements in the window.
    pub(super) elements: Range<usize>,
    /// Whether something in it could not be made sense of.
    pub(super) is_error: bool,
}

/// Consecutive children of a list, looked at through chunks.
pub(super) struct Window {
    list: rowan::GreenNode,
    /// Which of the list's children are in the window.
    pub(super) children: Range<usize>,
    pub(super) elements: Vec<Element>,
    lines: Vec<Line>,
    /// Where its text begins.
    pub(super) start: TextSize,
    /// Where its lines end.
    end: TextSize,
    head: usize,
}

impl Window {
    /// A window that begins some lines before `offset`.
    pub(super) fn new(list: &List, offset: TextSize) -> Window {
        let green = list.node.green().into_owned();
        let mut end = list.range.start();
        // The chunk that the offset is in, and the one before it.
        let mut around = [(list.head, end); 2];
        for (index, child) in green.children().enumerate().skip(list.head) {
            if child.kind() != CHUNK.into() {
                break;
            }
            around = [around[1], (index, end)];
            end += child.text_len();
            if end >= offset {
                break;
            }
        }
        let (first, start) = around[0];
        Window {
            list: green,
            children: first..first,
            elements: Vec::new(),
            lines: Vec::new(),
            start,
            end: start,
            head: list.head,
        }
    }

    /// Whether the window begins where the list does.
    pub(super) fn starts_list(&self) -> bool {
        self.children.start == self.head
    }

    /// How many lines are known.
    pub(super) fn len(&mut self) -> usize {
        while self.grow() {}
        self.lines.len()
    }

    pub(super) fn line(&self, index: usize) -> &Line {
        &self.lines[index]
    }

    /// The elements of these lines.
    pub(super) fn elements_of(&self, lines: Range<usize>) -> Range<usize> {
        let start = self.lines[lines.start].elements.start;
        let end = lines.last().map_or(start, |it| self.lines[it].elements.end);
        start..end
    }

    /// Takes in the next child of the list; a chunk with all it holds. Of a list without chunks, takes in the rest.
    fn grow(&mut self) -> bool {
        let known = self.elements.len();
        if !self.grow_elements() {
            return false;
        }
        let lines = lines(&self.elements, known, self.end);
        self.end = lines.last().map_or(self.end, |it| it.range.end());
        self.lines.extend(lines);
        true
    }

    /// The same without looking for lines.
    pub(super) fn grow_elements(&mut self) -> bool {
        let Some(child) = self.list.children().nth(self.children.end) else {
            return false;
        };
        match child {
            NodeOrToken::Node(chunk) if chunk.kind() == CHUNK.into() => {
                self.elements.extend(chunk.children().map(own));
                self.children.end += 1;
            }
            _ => {
                self.elements
                    .extend(self.list.children().skip(self.children.end).map(own));
                self.children.end = self.list.children().len();
            }
        }
        true
    }

    /// The first line that reaches as far as `offset`.
    pub(super) fn first_line_touching(&mut self, offset: TextSize) -> Option<usize> {
        while self.end < offset && self.grow() {}
        if self.lines.is_empty() {
            self.grow();
        }
        let index = self.lines.partition_point(|it| it.range.end() < offset);
        (index < self.lines.len()).then_some(index)
    }

    /// Whether a line ends at `offset` such that those after it stand on their own.
    pub(super) fn can_resume(&mut self, offset: TextSize) -> bool {
        while self.end <= offset && self.grow() {}
        let index = self.lines.partition_point(|it| it.range.end() < offset);
        let Some(line) = self.lines.get(index).filter(|it| it.range.end() == offset) else {
            return false;
        };
        !line.is_error && self.lines.get(index + 1).is_none_or(|it| !it.is_error)
    }

    /// The index of the first line behind `offset`.
    pub(super) fn line_after(&mut self, offset: TextSize) -> usize {
        while self.end < offset && self.grow() {}
        self.lines.partition_point(|it| it.range.end() <= offset)
    }
}

pub(super) fn own(element: NodeOrToken<&rowan::GreenNodeData, &rowan::GreenTokenData>) -> Element {
    match element {
        NodeOrToken::Node(node) => NodeOrToken::Node(node.to_owned()),
        NodeOrToken::Token(token) => NodeOrToken::Token(token.to_owned()),
    }
}

/// Splits elements from index `first` on into lines. What is left after the last end of a line is one more.
pub(super) fn lines(elements: &[Element], first: usize, start: TextSize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut line = Line {
        range: TextRange::empty(start),
        statement: None,
        elements: first..first,
        is_error: false,
    };
    let mut end = start;
    let mut empty = true;
    for (index, element) in elements.iter().enumerate().skip(first) {
        let kind = SyntaxKind::ALL[usize::from(element.kind().0)];
        if empty && !kind.is_trivia() {
            line.statement = Some(end);
            empty = false;
        }
        let (len, ends) = match element {
            NodeOrToken::Node(node) => (node.text_len(), ends_line(node)),
            NodeOrToken::Token(token) => (token.text_len(), kind == NEWLINE),
        };
        end += len;
        line.is_error |= kind == ERROR;
        if ends {
            line.range = TextRange::new(line.range.start(), end);
            line.elements.end = index + 1;
            let next = Line {
                range: TextRange::empty(end),
                statement: None,
                elements: index + 1..index + 1,
                is_error: false,
            };
            lines.push(std::mem::replace(&mut line, next));
            empty = true;
        }
    }
    if line.elements.start < elements.len() {
        line.range = TextRange::new(line.range.start(), end);
        line.elements.end = elements.len();
        lines.push(line);
    }
    lines
}
