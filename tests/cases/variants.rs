//! Other spellings of a program that mean the same.

/// Returns a program with the line ends of Windows.
pub fn with_crlf(program: &str) -> String {
    program.replace('\n', "\r\n")
}

/// The imports of `R`, `T` and `I`, and those of other names.
const IMPORTS: &[(&str, &str)] = &[
    (
        "ir as I, relax as R, tir as T",
        "ir as irs, relax as rx, tir as tx",
    ),
    ("import tirx as T", "import tirx as tx"),
];

/// Renames `R`, `T` and `I` in a program that imports them so. Its meaning must stay the same.
pub fn by_other_names(program: &str) -> String {
    if !IMPORTS.iter().any(|(import, _)| program.contains(import)) {
        return program.to_owned();
    }
    let mut text = String::with_capacity(program.len());
    let mut before = None;
    let mut rest = program.chars();
    while let Some(c) = rest.next() {
        let inside = before.is_some_and(|it: char| it.is_alphanumeric() || it == '_' || it == '.');
        let named = match c {
            'R' => Some("rx"),
            'T' => Some("tx"),
            'I' => Some("irs"),
            _ => None,
        };
        let named = named.filter(|_| !inside && rest.as_str().starts_with('.'));
        match named {
            Some(name) => text.push_str(name),
            None => text.push(c),
        }
        before = Some(c);
    }
    let renamed = |text: String, (from, to): &(&str, &str)| text.replace(from, to);
    IMPORTS.iter().fold(text, renamed)
}
