//! Self-contained HTML pages: no network, no scripts, light or dark by the reader's theme. Collapsible parts are
//! `<details>`, which the keyboard can reach.

pub mod difference;
pub mod graph;

use std::fmt::Write;

const STYLE: &str = include_str!("html/style.css");

/// Returns a whole page.
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n<body>\n\
         <h1>{title}</h1>\n{body}</body>\n</html>\n"
    )
}

/// Returns a table with a header. Cells are already HTML.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = String::from("<table>\n<thead><tr>");
    for cell in header {
        let _ = write!(text, "<th>{}</th>", escape(cell));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        text.push_str("<tr>");
        for cell in row {
            let _ = write!(text, "<td>{cell}</td>");
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n");
    text
}

/// Escapes text for HTML.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{escape, page};

    #[test]
    fn html_in_values_is_escaped() {
        assert_eq!(escape("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
        assert!(page("<script>", "").contains("&lt;script&gt;"));
    }

    #[test]
    fn a_page_asks_the_network_for_nothing() {
        let page = page("title", "");
        assert!(!page.contains("http") && !page.contains("<script") && !page.contains("url("));
    }
}
