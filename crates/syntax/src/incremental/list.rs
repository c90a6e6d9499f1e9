//! The lists of statements around an edit, and how one of them looks with some of its lines replaced.

use std::ops::Range;

use rowan::{GreenNode, NodeOrToken};
use text_size::{TextRange, TextSize};

use super::chunk;
use super::lines::{Line, Window, lines, own};
use crate::builder::{Element, TreeBuilder};
use crate::grammar::{CHUNK_LINES, ends_chunk};
use crate::kind::SyntaxKind::{
    self, CHUNK, CLASS_DEF, FOR_STMT, FUNCTION_DEF, MATCH_STMT, NEWLINE, SOFT_NEWLINE, SOURCE_FILE,
    SUITE, WHILE_STMT, WHITESPACE,
};
use crate::kind::{SyntaxElement, SyntaxNode};
use crate::lexer::Column;
use crate::parser::Surroundings;

/// A file, or the indented block of a compound statement.
pub(super) struct List {
    pub(super) node: SyntaxNode,
    pub(super) is_file: bool,
    /// The columns of the blocks around its statements, its own included.
    pub(super) columns: Vec<Column>,
    /// How many of its children stand before its first line.
    pub(super) head: usize,
    /// The text of its lines.
    pub(super) range: TextRange,
}

/// The lists whose lines may take in an edit of `edit`, from the file inwards.
pub(super) fn around(root: &SyntaxNode, edit: TextRange) -> Vec<List> {
    let mut columns = Vec::new();
    let mut lists = vec![List {
        node: root.clone(),
        is_file: true,
        columns: Vec::new(),
        head: 0,
        range: root.text_range(),
    }];
    let mut node = root.clone();
    while let Some(SyntaxElement::Node(child)) = node.child_or_token_at_range(edit) {
        let range = child.text_range();
        if edit.start() <= range.start() || range.end() <= edit.end() {
            break;
        }
        // How a statement begins decides about the chunks it stands in.
        if node.kind() == CHUNK && edit.start() < range.start() + TextSize::new(64) {
            break;
        }
        if child.kind() == SUITE {
            let Some(column) = column(&child) else { break };
            columns.push(column);
            let head = child
                .first_token()
                .map(|it| it.text_range().len())
                .unwrap_or_default();
            let range = TextRange::new(range.start() + head, range.end());
            if edit.start() <= range.start() {
                break;
            }
            if node.kind() != MATCH_STMT {
                lists.push(List {
                    node: child.clone(),
                    is_file: false,
                    columns: columns.clone(),
                    head: 1,
                    range,
                });
            }
        }
        node = child;
    }
    lists
}

/// The column of a block's statements, if it is a block and its first statement shows it plainly.
fn column(suite: &SyntaxNode) -> Option<Column> {
    if suite.first_child_or_token()?.kind() != NEWLINE {
        return None;
    }
    let mut first = suite.first_child()?;
    if first.kind() == CHUNK {
        first = first.first_child()?;
    }
    let blanks = first.prev_sibling_or_token()?.into_token()?;
    let before = blanks.prev_token()?;
    if blanks.kind() != WHITESPACE || !matches!(before.kind(), NEWLINE | SOFT_NEWLINE) {
        return None;
    }
    Some(Column::after(blanks.text().as_bytes()))
}

impl List {
    /// The whole tree with `replaced` lines of the window given way to what is in the builder.
    pub(super) fn with_lines(
        &self,
        window: &mut Window,
        replaced: Range<usize>,
        builder: TreeBuilder<SyntaxKind>,
        text: &str,
    ) -> GreenNode {
        let green = self.node.green();
        let was_chunked = green
            .children()
            .nth(self.head)
            .is_some_and(|it| it.kind() == CHUNK.into());
        if !was_chunked {
            window.len();
        }
        let start = window.start;
        let cut = window.elements_of(replaced);
        window.elements.splice(cut, builder.into_elements());
        let mut all = lines(&window.elements, 0, start);
        let chunked = if was_chunked {
            // The last line may have stopped ending its chunk, so the chunk after it joins in.
            while !all.last().is_some_and(|it| ends(it, text)) && window.grow_elements() {
                all = lines(&window.elements, 0, start);
            }
            statement_lines(&all) + self.lines_outside(&window.children, CHUNK_LINES) > CHUNK_LINES
        } else {
            statement_lines(&all) > CHUNK_LINES
        };
        let children = green.children();
        let mut new: Vec<Element> = Vec::with_capacity(children.len() + 8);
        if chunked {
            new.extend(children.clone().take(window.children.start).map(own));
            group(std::mem::take(&mut window.elements), &all, text, &mut new);
            new.extend(children.skip(window.children.end).map(own));
        } else {
            new.extend(children.clone().take(self.head).map(own));
            flatten(
                children
                    .clone()
                    .take(window.children.start)
                    .skip(self.head)
                    .map(own),
                &mut new,
            );
            new.append(&mut window.elements);
            flatten(children.skip(window.children.end).map(own), &mut new);
        }
        let kind = if self.is_file { SOURCE_FILE } else { SUITE };
        self.node.replace_with(GreenNode::new(kind.into(), new))
    }

    /// What is around the statements of the list.
    pub(super) fn surroundings(&self) -> Surroundings {
        let mut looped = false;
        let mut below = self.node.kind();
        for node in self.node.ancestors().skip(1) {
            match node.kind() {
                FUNCTION_DEF => {
                    return Surroundings {
                        function: true,
                        looped,
                    };
                }
                CLASS_DEF => break,
                FOR_STMT | WHILE_STMT => looped |= below == SUITE,
                _ => {}
            }
            below = node.kind();
        }
        Surroundings {
            function: false,
            looped,
        }
    }

    /// How many lines the chunks outside of the window hold; more than `enough` are not counted.
    fn lines_outside(&self, window: &Range<usize>, enough: usize) -> usize {
        let green = self.node.green();
        let mut count = 0;
        for (index, child) in green.children().enumerate().skip(self.head) {
            if let NodeOrToken::Node(chunk) = child
                && !window.contains(&index)
                && count <= enough
            {
                let elements: Vec<Element> = chunk.children().map(own).collect();
                count += statement_lines(&lines(&elements, 0, TextSize::new(0)));
            }
        }
        count
    }
}

/// How many of the lines hold a statement; the last may be only what follows the statements of a file.
fn statement_lines(lines: &[Line]) -> usize {
    lines.iter().filter(|it| it.statement.is_some()).count()
}

/// Whether a line ends a chunk.
fn ends(line: &Line, text: &str) -> bool {
    let statement = line
        .statement
        .map(|it| &text.as_bytes()[it.into()..line.range.end().into()]);
    statement.is_some_and(ends_chunk)
}

/// Groups the lines into chunks. Trivia after the last statement stay on their own.
fn group(elements: Vec<Element>, lines: &[Line], text: &str, out: &mut Vec<Element>) {
    let mut elements = elements.into_iter();
    let mut pending: Vec<Element> = Vec::new();
    for line in lines.iter().filter(|it| it.statement.is_some()) {
        pending.extend(elements.by_ref().take(line.elements.len()));
        if ends(line, text) {
            out.push(chunk(std::mem::take(&mut pending).into_iter()).into());
        }
    }
    if !pending.is_empty() {
        out.push(chunk(pending.into_iter()).into());
    }
    out.extend(elements);
}

fn flatten(elements: impl Iterator<Item = Element>, out: &mut Vec<Element>) {
    for element in elements {
        match element {
            NodeOrToken::Node(node) if node.kind() == CHUNK.into() => {
                out.extend(node.children().map(own));
            }
            other => out.push(other),
        }
    }
}
