//! A printed model of any size: the layers of a smaller one, repeated under new names.

use std::collections::HashSet;
use std::fmt::Write;

/// The model with its dataflow block repeated until the text is about `size` bytes long. In the copy number `k` each
/// name that the block binds ends in `_k`.
pub fn repeated(text: &str, size: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let line_with = |what: &str| lines.iter().position(|line| line.trim_start() == what);
    let start = line_with("with R.dataflow():").expect("the model has a dataflow block") + 1;
    let end = lines
        .iter()
        .rposition(|line| line.trim_start().starts_with("R.output("));
    let end = end.expect("the dataflow block has an output");
    let block = &lines[start..end];
    let bound: HashSet<&str> = block
        .iter()
        .filter_map(|line| Some(line.trim_start().split_once(':')?.0))
        .collect();
    let mut large = lines[..start].join("\n") + "\n";
    for copy in 1.. {
        if large.len() >= size {
            break;
        }
        for line in block {
            rename(line, &bound, copy, &mut large);
        }
    }
    for line in block.iter().chain(&lines[end..]) {
        large.push_str(line);
        large.push('\n');
    }
    large
}

fn rename(line: &str, bound: &HashSet<&str>, copy: usize, to: &mut String) {
    let mut rest = line;
    while !rest.is_empty() {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let word = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        if word == 0 {
            let end = rest.find(is_word).unwrap_or(rest.len());
            to.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        to.push_str(&rest[..word]);
        if bound.contains(&rest[..word]) {
            let _ = write!(to, "_{copy}");
        }
        rest = &rest[word..];
    }
    to.push('\n');
}
