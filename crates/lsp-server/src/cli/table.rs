//! Tables in columns, which fit the width of a terminal.

use std::fmt::Write;
use std::io::IsTerminal;

use ide::visible;

use super::colour::{Colour, Tone};

/// The column of a table.
#[derive(Clone, Copy)]
pub enum Column {
    Left(&'static str),
    Right(&'static str),
    /// Like `Right`. Left out if all its cells are empty, or, the first ones first, if the table is too wide.
    Optional(&'static str),
    /// As wide as there is room. A longer text loses its beginning. A table has at most one.
    Elastic(&'static str),
    /// The last column. Its text wraps.
    Wrapped(&'static str),
}

impl Column {
    pub const fn title(self) -> &'static str {
        match self {
            Column::Left(title)
            | Column::Right(title)
            | Column::Optional(title)
            | Column::Elastic(title)
            | Column::Wrapped(title) => title,
        }
    }
}

pub enum Row<const N: usize> {
    Cells([String; N], Tone),
    /// A sentence across all columns but the first.
    Note(String),
}

impl<const N: usize> From<[String; N]> for Row<N> {
    fn from(cells: [String; N]) -> Row<N> {
        Row::Cells(cells, Tone::Plain)
    }
}

/// What a table is printed on.
#[derive(Clone, Copy)]
pub struct Page {
    /// The width of the terminal, if it is one.
    pub width: Option<usize>,
    pub colours: bool,
}

impl Page {
    pub fn of_output() -> Page {
        let width = terminal_size::terminal_size().map(|(width, _)| width.0.into());
        Page {
            width: width.filter(|_| std::io::stdout().is_terminal()),
            colours: Colour::Auto.is_wanted(),
        }
    }
}

/// Elastic and wrapped columns have at least these widths.
const NARROWEST: usize = 12;
const WRAPPED: usize = 30;
const GAP: &str = "  ";

/// Formats rows below a header. Control characters of cells become pictures.
pub fn render<const N: usize>(
    columns: [Column; N],
    rows: impl IntoIterator<Item = Row<N>>,
    page: Page,
) -> String {
    let header = columns.map(|it| it.title().to_owned());
    let mut all = vec![Row::Cells(header, Tone::Title)];
    all.extend(rows.into_iter().map(Row::visible));
    let widths = widths(&columns, &all, page.width);
    let mut text = String::new();
    for row in &all {
        let lines = match row {
            Row::Cells(cells, tone) => (lines(&columns, cells, &widths), *tone),
            Row::Note(note) => {
                let indent = GAP.len() + widths[0].map_or(0, |it| it + GAP.len());
                (indented(note, indent, page.width), Tone::Quiet)
            }
        };
        for line in lines.0 {
            let _ = writeln!(text, "{}", lines.1.paint(line.trim_end(), page.colours));
        }
    }
    text
}

impl<const N: usize> Row<N> {
    fn visible(self) -> Row<N> {
        let clean = |text: String| visible::line(&text).into_owned();
        match self {
            Row::Cells(cells, tone) => Row::Cells(cells.map(clean), tone),
            Row::Note(note) => Row::Note(clean(note)),
        }
    }
}

/// Returns the width of each column; `None` if it is left out.
fn widths<const N: usize>(
    columns: &[Column; N],
    rows: &[Row<N>],
    page: Option<usize>,
) -> Vec<Option<usize>> {
    let widest = |at: usize, rows: &[Row<N>]| {
        let cells = rows.iter().filter_map(|row| match row {
            Row::Cells(cells, _) => Some(cells[at].chars().count()),
            Row::Note(_) => None,
        });
        cells.max().unwrap_or_default()
    };
    let is_optional = |at: usize| matches!(columns[at], Column::Optional(_));
    let mut widths: Vec<Option<usize>> = (0..N)
        .map(|at| (!is_optional(at) || widest(at, &rows[1..]) > 0).then(|| widest(at, rows)))
        .collect();
    let Some(page) = page else { return widths };
    let least = |at: usize, width: usize| match columns[at] {
        Column::Elastic(_) => width.min(NARROWEST),
        Column::Wrapped(_) => width.min(WRAPPED),
        _ => width,
    };
    let total = |widths: &[Option<usize>]| {
        let kept = widths.iter().enumerate();
        let each = kept.filter_map(|(at, width)| Some(least(at, (*width)?) + GAP.len()));
        each.sum::<usize>()
    };
    for at in (0..N).filter(|&at| is_optional(at)) {
        if total(&widths) > page {
            widths[at] = None;
        }
    }
    let room = page.saturating_sub(total(&widths));
    for at in 0..N {
        if let (Column::Elastic(_) | Column::Wrapped(_), Some(width)) = (columns[at], widths[at]) {
            widths[at] = Some(width.min(least(at, width) + room));
        }
    }
    widths
}

/// Formats a row, which has several lines where a text wraps.
fn lines<const N: usize>(
    columns: &[Column; N],
    cells: &[String; N],
    widths: &[Option<usize>],
) -> Vec<String> {
    let mut line = String::new();
    let mut more = Vec::new();
    for ((cell, column), width) in cells.iter().zip(columns).zip(widths) {
        let Some(width) = *width else { continue };
        line.push_str(GAP);
        // Writing to a string does not fail.
        let _ = match column {
            Column::Right(_) | Column::Optional(_) => write!(line, "{cell:>width$}"),
            Column::Left(_) => write!(line, "{cell:width$}"),
            Column::Elastic(_) => write!(line, "{:width$}", end_of(cell, width)),
            Column::Wrapped(_) => {
                let indent = line.chars().count();
                let mut wrapped = wrapped(cell, width).into_iter();
                let first = wrapped.next().unwrap_or_default();
                more.extend(wrapped.map(|text| format!("{:indent$}{text}", "")));
                write!(line, "{first}")
            }
        };
    }
    more.insert(0, line);
    more
}

/// Formats a note, whose own indentation holds for all its lines.
fn indented(note: &str, indent: usize, page: Option<usize>) -> Vec<String> {
    let text = note.trim_start();
    let indent = indent + note.len() - text.len();
    let width = page.map_or(usize::MAX, |page| page.saturating_sub(indent).max(WRAPPED));
    let lines = wrapped(text, width).into_iter();
    lines.map(|text| format!("{:indent$}{text}", "")).collect()
}

/// Divides a text between words. A word that is too long is not divided.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut length = 0;
    for word in text.split(' ') {
        let more = word.chars().count();
        match lines.last_mut() {
            Some(line) if length == 0 || length + 1 + more <= width => {
                if length > 0 {
                    line.push(' ');
                    length += 1;
                }
                line.push_str(word);
                length += more;
            }
            _ => {
                lines.push(word.to_owned());
                length = more;
            }
        }
    }
    lines
}

/// Returns the end of a text that is too long, which says more than its beginning: `…/models/llama.py:111`.
fn end_of(text: &str, width: usize) -> String {
    let count = text.chars().count();
    if count <= width {
        return text.to_owned();
    }
    let end = text.chars().skip(count + 1 - width);
    std::iter::once('…').chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(width: Option<usize>) -> Page {
        Page {
            width,
            colours: false,
        }
    }

    #[test]
    fn a_table_fits_the_terminal_and_a_pipe_gets_all() {
        let columns = [
            Column::Right("line"),
            Column::Elastic("place"),
            Column::Left("op"),
        ];
        let row = || {
            [["7", "a/long/way/to/model.py:12", "add"]
                .map(str::to_owned)
                .into()]
        };
        assert_eq!(
            render(columns, row(), plain(Some(32))),
            "  line  place                op\n     7  …way/to/model.py:12  add\n"
        );
        assert!(render(columns, row(), plain(None)).contains("a/long/way/to/model.py:12"));
    }

    #[test]
    fn columns_without_room_are_left_out_and_the_last_one_wraps() {
        let columns = [
            Column::Left("pass"),
            Column::Optional("calls"),
            Column::Optional("time"),
            Column::Wrapped("what changed"),
        ];
        let cells = [
            "FuseOps",
            "168",
            "10 ms",
            "main changed, and thirty functions were added",
        ];
        let rows = || {
            [
                cells.map(str::to_owned).into(),
                Row::Note("  unchanged by A, B".to_owned()),
            ]
        };
        assert_eq!(
            render(columns, rows(), plain(Some(50))),
            "  pass      time  what changed\n  FuseOps  10 ms  main changed, and thirty\n                  functions were added\n             unchanged by A, B\n"
        );
        assert!(render(columns, rows(), plain(None)).contains("168"));
    }

    #[test]
    fn a_row_is_coloured_as_a_whole_and_cells_cannot_colour() {
        let row = Row::Cells(["\x1b[31mx".to_owned()], Tone::Bad);
        let page = Page {
            width: None,
            colours: true,
        };
        let text = render([Column::Left("a")], [row], page);
        assert_eq!(text, "\x1b[1m  a\x1b[0m\n\x1b[31m  ␛[31mx\x1b[0m\n");
    }
}
