//! Printed models of any size: of Relax, the layers of a smaller one under new names; of Relay, residual blocks.

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

/// A Relay function of about `size` bytes: residual blocks, one after the other.
pub fn relay(size: usize) -> String {
    let ty = "Tensor[(1, 16, 8, 8), float32]";
    let mut text = format!(
        "#[version = \"0.0.5\"]\ndef @main(%x: {ty}, %w: Tensor[(16, 16, 3, 3), float32], %b: Tensor[(16), float32]) -> {ty} {{\n  %0 = nn.relu(%x);\n"
    );
    let mut last = 0;
    while text.len() < size {
        let _ = write!(
            text,
            "  %{} = nn.conv2d(%{last}, %w, padding=[1, 1, 1, 1], channels=16, kernel_size=[3, 3]);\n  \
               %{} = nn.bias_add(%{}, %b);\n  %{} = nn.relu(%{});\n  %{} = add(%{}, %{last});\n",
            last + 1,
            last + 2,
            last + 1,
            last + 3,
            last + 2,
            last + 4,
            last + 3,
        );
        last += 4;
    }
    let _ = writeln!(text, "  nn.relu(%{last})\n}}");
    text
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
        // `R.matmul` is an operator, also where a binding is called `matmul`.
        let is_attribute = to.ends_with('.');
        to.push_str(&rest[..word]);
        if bound.contains(&rest[..word]) && !is_attribute {
            let _ = write!(to, "_{copy}");
        }
        rest = &rest[word..];
    }
    to.push('\n');
}
