//! Self-contained HTML pages: no network, readable without scripts, light or dark by the reader's theme. Collapsible
//! parts are `<details>`, which the keyboard can reach.

pub mod difference;
pub mod graph;

use std::borrow::Cow;
use std::fmt;

use ide::visible;

const STYLE: &str = include_str!("html/style.css");

/// HTML. [`html!`] makes it from a literal; texts in its `{}` are escaped.
#[derive(Clone, Default)]
pub struct Html(String);

impl Html {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns text that is HTML already, such as a style sheet.
    pub fn literal(text: &'static str) -> Html {
        Html(text.to_owned())
    }

    pub fn push(&mut self, html: Html) {
        self.0.push_str(&html.0);
    }

    /// For [`html!`].
    pub fn of_parts(parts: fmt::Arguments<'_>) -> Html {
        Html(parts.to_string())
    }
}

impl FromIterator<Html> for Html {
    fn from_iter<T: IntoIterator<Item = Html>>(parts: T) -> Html {
        Html(parts.into_iter().map(|it| it.0).collect())
    }
}

/// What may stand in HTML.
pub trait Insert {
    fn inserted(&self) -> Cow<'_, str>;
}

impl Insert for Html {
    fn inserted(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }
}

impl Insert for str {
    fn inserted(&self) -> Cow<'_, str> {
        quick_xml::escape::escape(self)
    }
}

impl Insert for String {
    fn inserted(&self) -> Cow<'_, str> {
        self.as_str().inserted()
    }
}

impl<T: Insert + ?Sized> Insert for &T {
    fn inserted(&self) -> Cow<'_, str> {
        T::inserted(self)
    }
}

macro_rules! insert_numbers {
    ($($number:ty),*) => {
        $(impl Insert for $number {
            fn inserted(&self) -> Cow<'_, str> {
                Cow::Owned(self.to_string())
            }
        })*
    };
}

insert_numbers!(i64, u32, usize);

/// Formats HTML. The literal cannot capture variables, so that each value is an [`Insert`].
macro_rules! html {
    ($format:literal $(, $value:expr)* $(,)?) => {
        $crate::html::Html::of_parts(format_args!(
            concat!($format) $(, $crate::html::Insert::inserted(&$value))*
        ))
    };
}
pub(crate) use html;

/// Returns a whole page.
pub fn page(title: &str, body: &Html) -> Html {
    let page = html!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{}</title>\n<style>\n{}</style>\n<body>\n\
         <main>\n<h1>{}</h1>\n{}</main>\n</body>\n</html>\n",
        title,
        Html::literal(STYLE),
        title,
        body
    );
    // HTML has no notation for control characters.
    Html(visible::lines(&page.0).into_owned())
}

/// Returns a table with a header. Columns without any text are left out.
pub fn table(header: &[&str], rows: &[Vec<Html>]) -> Html {
    let has_text = |&at: &usize| rows.iter().any(|row| !row[at].0.is_empty());
    let columns: Vec<usize> = (0..header.len()).filter(has_text).collect();
    let cells = |cell: &dyn Fn(usize) -> Html| columns.iter().map(|&at| cell(at)).collect::<Html>();
    let header = cells(&|at| html!("<th>{}</th>", header[at]));
    let row = |row: &Vec<Html>| html!("<tr>{}</tr>\n", cells(&|at| html!("<td>{}</td>", row[at])));
    let rows: Html = rows.iter().map(row).collect();
    html!(
        "<table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
        header,
        rows
    )
}

#[cfg(test)]
mod tests {
    use super::{Html, page};

    #[test]
    fn html_in_values_is_escaped() {
        assert_eq!(
            html!("<p>{}</p>{}", "a < b & \"c\"", html!("<br>")).as_str(),
            "<p>a &lt; b &amp; &quot;c&quot;</p><br>"
        );
        let page = page("<script>", &Html::default());
        assert!(page.as_str().contains("&lt;script&gt;"));
    }

    #[test]
    fn a_page_asks_the_network_for_nothing() {
        let page = page("title", &Html::default());
        let page = page.as_str();
        assert!(!page.contains("http") && !page.contains("<script") && !page.contains("url("));
    }
}
