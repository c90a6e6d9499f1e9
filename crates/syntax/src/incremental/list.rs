//! Finds the statement lists around an edit, and builds the tree in which some lines of a list are replaced.

use std::ops::Range;

use rowan::{GreenNode, NodeOrToken};
use text_size::{TextRange, TextSize};

use super::lines::{Line, Window, lines};
use crate::builder::TreeBuilder;
use crate::chunks::{CHUNK_LINES, Grouping, ends_chunk, flatten};
use crate::kind::SyntaxKind::{
    self, CHUNK, CLASS_DEF, FOR_STMT, FUNCTION_DEF, MATCH_STMT, NEWLINE, SOFT_NEWLINE, SOURCE_FILE,
    SUITE, WHILE_STMT, WHITESPACE,
};
use crate::kind::{SyntaxElement, SyntaxNode};
use crate::lexer::Column;
use crate::parser::Surroundings;
use crate::subtrees::Element;

/// A file, or the indented suite of a compound statement.
pub(super) struct StatementList {
    pub(super) node: SyntaxNode,
    pub(super) is_file: bool,
    /// The columns of the open blocks around its statements, including its own.
    pub(super) columns: Vec<Column>,
    /// The index of the first child that belongs to a line. A suite begins with the NEWLINE of its header.
    pub(super) first_child: usize,
    /// The text range of its lines.
    pub(super) range: TextRange,
}

/// The statement lists whose lines contain the range `edit`, outermost first.
pub(super) fn lists_around(root: &SyntaxNode, edit: TextRange) -> Vec<StatementList> {
    let mut columns = Vec::new();
    let mut lists = vec![StatementList {
        node: root.clone(),
        is_file: true,
        columns: Vec::new(),
        first_child: 0,
        range: root.text_range(),
    }];
    let mut node = root.clone();
    while let Some(SyntaxElement::Node(child)) = node.child_or_token_at_range(edit) {
        let range = child.text_range();
        if edit.start() <= range.start() || range.end() <= edit.end() {
            break;
        }
        // The first bytes of a statement decide where its chunk ends; see `ends_chunk`.
        if node.kind() == CHUNK && edit.start() < range.start() + TextSize::new(64) {
            break;
        }
        if child.kind() == SUITE {
            let Some(column) = column(&child) else { break };
            columns.push(column);
            let newline = child
                .first_token()
                .map(|it| it.text_range().len())
                .unwrap_or_default();
            let range = TextRange::new(range.start() + newline, range.end());
            if edit.start() <= range.start() {
                break;
            }
            if node.kind() != MATCH_STMT {
                lists.push(StatementList {
                    node: child.clone(),
                    is_file: false,
                    columns: columns.clone(),
                    first_child: 1,
                    range,
                });
            }
        }
        node = child;
    }
    lists
}

/// The column of an indented suite, if only whitespace precedes its first statement on the line.
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

impl StatementList {
    /// The whole tree, with the lines `replaced` of the window replaced by the builder's elements.
    pub(super) fn with_lines(
        &self,
        window: &mut Window,
        replaced: Range<usize>,
        builder: TreeBuilder<'_, SyntaxKind>,
        text: &str,
    ) -> GreenNode {
        let green = self.node.green();
        let was_chunked = green
            .children()
            .nth(self.first_child)
            .is_some_and(|it| it.kind() == CHUNK.into());
        if !was_chunked {
            window.len();
        }
        let start = window.start;
        let cut = window.elements_of(replaced);
        window.elements.splice(cut, builder.into_elements());
        let mut all = lines(&window.elements, 0, start);
        let chunked = if was_chunked {
            // If the last line no longer ends a chunk, the next chunk is merged into this one.
            while !all.last().is_some_and(|it| is_chunk_end(it, text)) && window.grow_elements() {
                all = lines(&window.elements, 0, start);
            }
            statement_lines(&all) + self.lines_outside(&window.children, CHUNK_LINES) > CHUNK_LINES
        } else {
            statement_lines(&all) > CHUNK_LINES
        };
        let children = green.children();
        let mut new: Vec<Element> = Vec::with_capacity(children.len() + 8);
        if chunked {
            let before = children.clone().take(window.children.start);
            new.extend(before.map(NodeOrToken::to_owned));
            group(std::mem::take(&mut window.elements), &all, text, &mut new);
            let after = children.skip(window.children.end);
            new.extend(after.map(NodeOrToken::to_owned));
        } else {
            flatten(
                children.clone().take(window.children.start),
                CHUNK,
                &mut new,
            );
            new.append(&mut window.elements);
            flatten(children.skip(window.children.end), CHUNK, &mut new);
        }
        let kind = if self.is_file { SOURCE_FILE } else { SUITE };
        self.node.replace_with(GreenNode::new(kind.into(), new))
    }

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

    /// The number of lines in the chunks outside of the window. Stops counting above `enough`.
    fn lines_outside(&self, window: &Range<usize>, enough: usize) -> usize {
        let green = self.node.green();
        let mut count = 0;
        for (index, child) in green.children().enumerate().skip(self.first_child) {
            if let NodeOrToken::Node(chunk) = child
                && !window.contains(&index)
                && count <= enough
            {
                let elements: Vec<Element> = chunk.children().map(NodeOrToken::to_owned).collect();
                count += statement_lines(&lines(&elements, 0, TextSize::new(0)));
            }
        }
        count
    }
}

/// The number of lines with a statement. The last line of a file may have none.
fn statement_lines(lines: &[Line]) -> usize {
    lines.iter().filter(|it| it.statement.is_some()).count()
}

/// The text of a line from its statement on.
fn text_of<'t>(line: &Line, text: &'t str) -> Option<&'t [u8]> {
    let start = line.statement?;
    Some(&text.as_bytes()[start.into()..line.range.end().into()])
}

fn is_chunk_end(line: &Line, text: &str) -> bool {
    text_of(line, text).is_some_and(ends_chunk)
}

/// Groups the lines into chunks.
fn group(elements: Vec<Element>, lines: &[Line], text: &str, out: &mut Vec<Element>) {
    let mut chunks = Grouping::new(CHUNK, out);
    let mut ends = lines.iter().filter(|it| it.statement.is_some()).peekable();
    for (index, element) in elements.into_iter().enumerate() {
        chunks.add(element);
        if let Some(line) = ends.next_if(|it| it.elements.end == index + 1) {
            chunks.end_statement(text_of(line, text).unwrap_or_default());
        }
    }
    chunks.finish();
}
