//! Tables in columns, which fit the width of a terminal.

use std::fmt::Write;
use std::io::IsTerminal;

/// The column of a table.
#[derive(Clone, Copy)]
pub enum Column {
    Left(&'static str),
    Right(&'static str),
    /// Of the widest text that fits. A table has at most one.
    Elastic(&'static str),
}

impl Column {
    fn title(self) -> &'static str {
        let (Column::Left(title) | Column::Right(title) | Column::Elastic(title)) = self;
        title
    }
}

/// An elastic column has at least this width.
const NARROWEST: usize = 12;

/// Formats rows below a header. `width` is that of the terminal, if there is one.
pub fn render<const N: usize>(
    columns: [Column; N],
    rows: &[[String; N]],
    width: Option<usize>,
) -> String {
    let header = columns.map(|it| it.title().to_owned());
    let all = || std::iter::once(&header).chain(rows);
    let widest = |at: usize| all().map(|row| row[at].chars().count()).max();
    let mut widths: Vec<usize> = (0..N).map(|at| widest(at).unwrap_or_default()).collect();
    let elastic = columns
        .iter()
        .position(|it| matches!(it, Column::Elastic(_)));
    if let (Some(width), Some(at)) = (width, elastic) {
        let others: usize = widths.iter().sum::<usize>() - widths[at] + GAP.len() * N;
        widths[at] = widths[at].min(width.saturating_sub(others).max(NARROWEST));
    }
    let mut text = String::new();
    for row in all() {
        let mut line = String::new();
        for ((cell, column), &width) in row.iter().zip(columns).zip(&widths) {
            line.push_str(GAP);
            // Writing to a string does not fail.
            let _ = match column {
                Column::Right(_) => write!(line, "{cell:>width$}"),
                Column::Left(_) => write!(line, "{cell:width$}"),
                Column::Elastic(_) => write!(line, "{:width$}", end_of(cell, width)),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

const GAP: &str = "  ";

/// Returns the end of a text that is too long, which says more than its beginning: `…/models/llama.py:111`.
fn end_of(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return text.to_owned();
    }
    let end = text.chars().skip(count + 1 - width);
    std::iter::once('…').chain(end).collect()
}

/// Returns the width of the terminal that standard output is, if it is one.
pub fn terminal_width() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size()?;
    std::io::stdout().is_terminal().then_some(width.0.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_fits_the_terminal_and_a_pipe_gets_all() {
        let columns = [
            Column::Right("line"),
            Column::Elastic("place"),
            Column::Left("op"),
        ];
        let rows = [["7", "a/long/way/to/model.py:12", "add"].map(str::to_owned)];
        let narrow = render(columns, &rows, Some(32));
        assert_eq!(
            narrow,
            "  line  place                op\n     7  …way/to/model.py:12  add\n"
        );
        assert!(render(columns, &rows, None).contains("a/long/way/to/model.py:12"));
    }
}
