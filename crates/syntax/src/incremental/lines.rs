//! Splits a statement list of the old tree into lines, the units that an edit replaces.
//!
//! A line is a logical line: simple statements with their NEWLINE, or a compound statement with its suites. It includes
//! the comments and blank lines before it. If the list is grouped into chunks, only the chunks around the edit are read.

use std::ops::Range;

use rowan::NodeOrToken;
use text_size::{TextRange, TextSize};

use super::ends_line;
use super::list::StatementList;
use crate::kind::SyntaxKind::{self, CHUNK, ERROR, NEWLINE};
use crate::subtrees::Element;

#[derive(Clone, Debug)]
pub(super) struct Line {
    /// From the end of the previous line.
    pub(super) range: TextRange,
    /// Where its first statement begins. Trivia at the end of the file have no statement.
    pub(super) statement: Option<TextSize>,
    /// Indices into [`Window::elements`].
    pub(super) elements: Range<usize>,
    /// Whether it contains an ERROR node.
    pub(super) is_error: bool,
}

/// Consecutive children of a statement list, with chunks replaced by their contents. Grows on demand.
pub(super) struct Window {
    list: rowan::GreenNode,
    /// Indices of the list's children in the window.
    pub(super) children: Range<usize>,
    pub(super) elements: Vec<Element>,
    lines: Vec<Line>,
    /// Where its text begins.
    pub(super) start: TextSize,
    /// Where its last line ends.
    end: TextSize,
    /// See [`StatementList::first_child`].
    first_child: usize,
}

impl Window {
    /// Creates a window that begins with the chunk before the one at `offset`.
    pub(super) fn new(list: &StatementList, offset: TextSize) -> Window {
        let green = list.node.green().into_owned();
        let mut end = list.range.start();
        // The last two chunks that begin before the offset.
        let mut chunks = [(list.first_child, end); 2];
        for (index, child) in green.children().enumerate().skip(list.first_child) {
            if child.kind() != CHUNK.into() {
                break;
            }
            chunks = [chunks[1], (index, end)];
            end += child.text_len();
            if end >= offset {
                break;
            }
        }
        let (first, start) = chunks[0];
        Window {
            list: green,
            children: first..first,
            elements: Vec::new(),
            lines: Vec::new(),
            start,
            end: start,
            first_child: list.first_child,
        }
    }

    /// Whether the window begins where the list does.
    pub(super) fn starts_list(&self) -> bool {
        self.children.start == self.first_child
    }

    /// Reads the rest of the list and returns the number of lines.
    pub(super) fn len(&mut self) -> usize {
        while self.grow() {}
        self.lines.len()
    }

    pub(super) fn line(&self, index: usize) -> &Line {
        &self.lines[index]
    }

    /// Indices of the elements of these lines.
    pub(super) fn elements_of(&self, lines: Range<usize>) -> Range<usize> {
        let start = self.lines[lines.start].elements.start;
        let end = lines.last().map_or(start, |it| self.lines[it].elements.end);
        start..end
    }

    /// Reads the next chunk; without chunks, the rest of the list. Returns whether there was more.
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

    /// Like [`Self::grow`], but does not split the elements into lines.
    pub(super) fn grow_elements(&mut self) -> bool {
        let Some(child) = self.list.children().nth(self.children.end) else {
            return false;
        };
        match child {
            NodeOrToken::Node(chunk) if chunk.kind() == CHUNK.into() => {
                self.elements
                    .extend(chunk.children().map(NodeOrToken::to_owned));
                self.children.end += 1;
            }
            _ => {
                let rest = self.list.children().skip(self.children.end);
                self.elements.extend(rest.map(NodeOrToken::to_owned));
                self.children.end = self.list.children().len();
            }
        }
        true
    }

    /// The first line that ends at or after `offset`.
    pub(super) fn first_line_touching(&mut self, offset: TextSize) -> Option<usize> {
        while self.end < offset && self.grow() {}
        if self.lines.is_empty() {
            self.grow();
        }
        let index = self.lines.partition_point(|it| it.range.end() < offset);
        (index < self.lines.len()).then_some(index)
    }

    /// Whether a line ends at `offset`, and neither it nor the next one has an ERROR node.
    pub(super) fn can_resume(&mut self, offset: TextSize) -> bool {
        while self.end <= offset && self.grow() {}
        let index = self.lines.partition_point(|it| it.range.end() < offset);
        let Some(line) = self.lines.get(index).filter(|it| it.range.end() == offset) else {
            return false;
        };
        !line.is_error && self.lines.get(index + 1).is_none_or(|it| !it.is_error)
    }

    /// The index of the first line that ends after `offset`.
    pub(super) fn line_after(&mut self, offset: TextSize) -> usize {
        while self.end < offset && self.grow() {}
        self.lines.partition_point(|it| it.range.end() <= offset)
    }
}

/// Splits the elements from index `first` on into lines. Elements after the last NEWLINE form one more line.
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
        let kind = SyntaxKind::of_green(element.kind());
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
