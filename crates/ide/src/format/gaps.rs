//! Formats the gap between two logical lines: comments, blank lines, indentation.

/// What a gap depends on in the lines before and after it.
#[derive(Clone, Copy, Default)]
pub struct Between {
    /// `true` if the next line begins a suite.
    pub after_header: bool,
    /// `true` if a function of a module ends or begins here: one blank line.
    pub members: bool,
}

/// Writes a gap. `indent` maps the column of a comment to its indentation; `next` is the indentation of the line after
/// the gap, if there is one.
pub fn write(
    raw: &str,
    newline: &str,
    between: Between,
    indent: impl Fn(u32) -> u32,
    next: Option<u32>,
    base: &str,
    out: &mut String,
) {
    let mut lines = raw.split('\n');
    let rest = lines.next().unwrap_or_default();
    let rest = rest.trim_start_matches([' ', '\t', ';', '\x0c']).trim_end();
    if rest.starts_with('#') {
        out.push_str("  ");
        out.push_str(rest);
    }
    let mut lines = lines.peekable();
    let (mut blank, mut written, mut parted) = (0usize, false, false);
    let mut put = |blank: &mut usize, column: u32, text: &str| {
        let lowest = next.is_none_or(|next| column <= next);
        let count = if between.members && lowest && !parted {
            parted = true;
            1
        } else if between.after_header && !written {
            0
        } else {
            (*blank).min(1)
        };
        *blank = 0;
        written = true;
        for _ in 0..=count {
            out.push_str(newline);
        }
        if !text.is_empty() || next.is_some() {
            out.push_str(base);
            out.extend(std::iter::repeat_n(' ', column as usize));
        }
        out.push_str(text);
    };
    let mut ended = false;
    while let Some(line) = lines.next() {
        let text = line.trim();
        if lines.peek().is_none() && text.is_empty() {
            // This is the indentation of the next line.
            ended = true;
            break;
        }
        if text.starts_with('#') {
            let column = line.len() - line.trim_start().len();
            put(&mut blank, indent(column as u32), text);
        } else {
            blank += 1;
        }
    }
    match next {
        Some(next) => put(&mut blank, next, ""),
        None if ended => out.push_str(newline),
        None => {}
    }
}
