//! Markdown for editors. Its words are ours; texts of programs only stand in it as code, which they cannot leave: a
//! hover must not show links or images of a file that someone else wrote.
//!
//! [`markdown!`] takes a literal, which is Markdown, and values for its `{}`: words and numbers of this program,
//! [`Code`], escaped [`Text`], or other Markdown. A text of a program does not fit there.

use std::borrow::Cow;
use std::fmt;

use crate::visible;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markdown(String);

impl Markdown {
    /// Returns a code block that no fence in the text can end.
    pub(crate) fn block(language: &'static str, text: &str) -> Markdown {
        let text = visible::lines(text);
        let fence = "`".repeat(longest_run(&text).max(2) + 1);
        Markdown(format!("{fence}{language}\n{text}\n{fence}\n"))
    }

    /// Returns a link to a file of the user. The URI is escaped: it has no parentheses or spaces.
    pub(crate) fn link(shown: &str, uri: &str) -> Markdown {
        Markdown(format!("[{}]({uri})", Code(shown).inserted()))
    }

    pub(crate) fn push(&mut self, part: impl Insert) {
        self.0.push_str(&part.inserted());
    }

    /// For [`markdown!`].
    pub(crate) fn of_parts(parts: fmt::Arguments<'_>) -> Markdown {
        Markdown(parts.to_string())
    }

    pub(crate) fn joined(
        parts: impl IntoIterator<Item = Markdown>,
        between: &'static str,
    ) -> Markdown {
        let parts: Vec<String> = parts.into_iter().map(|it| it.0).collect();
        Markdown(parts.join(between))
    }

    /// Returns the Markdown without blank space at its beginning.
    pub(crate) fn trim_start(&self) -> Markdown {
        Markdown(self.0.trim_start().to_owned())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Markdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&'static str> for Markdown {
    fn from(own: &'static str) -> Markdown {
        Markdown(own.to_owned())
    }
}

impl FromIterator<Markdown> for Markdown {
    fn from_iter<T: IntoIterator<Item = Markdown>>(parts: T) -> Markdown {
        Markdown::joined(parts, "")
    }
}

/// Text of a program between backticks, in one line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code<T>(pub T);

/// What may stand in Markdown.
pub(crate) trait Insert {
    fn inserted(&self) -> Cow<'_, str>;
}

impl<T: fmt::Display> Insert for Code<T> {
    fn inserted(&self) -> Cow<'_, str> {
        let text = self.0.to_string();
        let text = visible::line(&text);
        let quotes = "`".repeat(longest_run(&text) + 1);
        // A parser removes one space on both sides.
        let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) || text.is_empty() {
            " "
        } else {
            ""
        };
        Cow::Owned(format!("{quotes}{pad}{text}{pad}{quotes}"))
    }
}

/// Other text, without a meaning for Markdown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<T>(pub T);

impl<T: fmt::Display> Insert for Text<T> {
    fn inserted(&self) -> Cow<'_, str> {
        let text = self.0.to_string();
        let mut escaped = String::with_capacity(text.len());
        for c in visible::line(&text).chars() {
            if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | ':' | ';' | '\'' | '"') {
                escaped.push('\\');
            }
            escaped.push(c);
        }
        Cow::Owned(escaped)
    }
}

impl Insert for Markdown {
    fn inserted(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.0)
    }
}

impl Insert for &'static str {
    fn inserted(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
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

insert_numbers!(f64, i128, i64, u32, usize);

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Formats Markdown. The literal cannot capture variables, so that each value is an [`Insert`].
macro_rules! markdown {
    ($format:literal $(, $value:expr)* $(,)?) => {
        $crate::markdown::Markdown::of_parts(format_args!(
            concat!($format) $(, $crate::markdown::Insert::inserted(&$value))*
        ))
    };
}
pub(crate) use markdown;

#[cfg(test)]
mod tests {
    use super::{Code, Markdown, Text};

    #[test]
    fn text_outside_of_code_has_no_meaning() {
        assert_eq!(
            markdown!("*{}*", Text("1. *a* [b](c)\n# d")).as_str(),
            "*1. \\*a\\* \\[b\\]\\(c\\)␊\\# d*"
        );
    }

    #[test]
    fn a_text_stays_in_its_code() {
        let text = "a\n```\n![x](https://host.example)\n````\n";
        assert_eq!(
            Markdown::block("python", text).as_str(),
            "`````python\na\n```\n![x](https://host.example)\n````\n\n`````\n"
        );
        assert_eq!(
            markdown!("{} of {}", 1_usize, Code("a``b")).as_str(),
            "1 of ```a``b```"
        );
        assert_eq!(markdown!("{}", Code("`a\n\n# b")).as_str(), "`` `a␊␊# b ``");
        assert_eq!(markdown!("{}", Code("")).as_str(), "`  `");
    }

    #[test]
    fn no_text_leaves_its_code() {
        let parts = [
            "`", "``", "\n", "\r", "a", " ", "![i](u)", "~~~", "<b>", "\x1b", "- ",
        ];
        let mut random = 1_u64;
        for _ in 0..2000 {
            let mut text = String::new();
            for _ in 0..8 {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
                text.push_str(parts[(random >> 33) as usize % parts.len()]);
            }
            let block = Markdown::block("x", &text);
            let fence = block.as_str().trim_start_matches('`');
            let fence = &block.as_str()[..block.as_str().len() - fence.len()];
            let inside = &block.as_str()[fence.len() + 2..block.as_str().len() - fence.len() - 2];
            assert!(
                !inside.contains(fence) && !inside.contains('\x1b'),
                "{block}"
            );
            let code = markdown!("{}", Code(&text));
            let quote = code.as_str().trim_start_matches('`');
            let quote = &code.as_str()[..code.as_str().len() - quote.len()];
            let inside = &code.as_str()[quote.len()..code.as_str().len() - quote.len()];
            let runs = inside.split(|c| c != '`').map(str::len);
            assert!(runs.max() < Some(quote.len()), "{code}");
            assert!(!inside.contains(['\n', '\r']), "{code}");
        }
    }
}
