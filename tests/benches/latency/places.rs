//! Edits that a person might make in a printed model, of Relax or of Relay: one row for each kind of edit.

use tests::random::Random;

/// The text that the editor holds, by lines, and its bindings.
pub struct Places<'a> {
    lines: Vec<&'a str>,
    /// The lines with a binding of a call.
    bindings: Vec<usize>,
    random: Random,
    /// The kinds of edits of its language.
    pub kinds: &'static [Kind],
    /// The kinds of edits of the line that starts the function.
    pub header_kinds: &'static [Kind],
}

/// A replacement of characters within a line.
pub struct Edit {
    pub line: usize,
    pub column: usize,
    pub removed: String,
    pub typed: String,
}

impl Edit {
    /// The inverse edit.
    pub fn back(&self) -> Edit {
        Edit {
            removed: self.typed.clone(),
            typed: self.removed.clone(),
            ..*self
        }
    }

    /// The end of the removed text.
    pub fn end(&self) -> (usize, usize) {
        match self.removed.rsplit_once('\n') {
            Some((_, last)) => (self.line + self.removed.matches('\n').count(), last.len()),
            None => (self.line, self.column + self.removed.len()),
        }
    }
}

/// A kind of edit of a line.
pub struct Kind {
    pub name: &'static str,
    /// The columns that are replaced.
    at: fn(&str) -> (usize, usize),
    /// Their replacement. Each `?` becomes a random letter.
    typed: &'static str,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "a letter at a line's end",
        at: |line| (line.len(), line.len()),
        typed: "?",
    },
    Kind {
        name: "a comment at a line's end",
        at: |line| (line.len(), line.len()),
        typed: "  # why",
    },
    Kind {
        name: "a new line",
        at: |line| (line.len(), line.len()),
        typed: "\n        ",
    },
    Kind {
        name: "a new binding",
        at: |line| (indent(line), indent(line)),
        typed: "x? = R.shape([1])\n        ",
    },
    Kind {
        name: "a binding commented out",
        at: |line| (indent(line), indent(line)),
        typed: "# ",
    },
    Kind {
        name: "a letter of a binding's name",
        at: |line| point(after(line, "", ":")),
        typed: "?",
    },
    Kind {
        name: "a binding's name deleted",
        at: |line| (indent(line), after(line, "", ":")),
        typed: "",
    },
    Kind {
        name: "a letter of an annotation",
        at: |line| point(after(line, ": R.", "(")),
        typed: "?",
    },
    Kind {
        name: "a digit in an annotation",
        at: |line| point(after(line, ": R.", "=")),
        typed: "4",
    },
    Kind {
        name: "a letter of an argument",
        at: |line| point(after(&line[..line.len() - 1], " = R.", ",")),
        typed: "?",
    },
    Kind {
        name: "a bracket",
        at: |line| point(after(line, " = R.", "(")),
        typed: "(",
    },
    Kind {
        name: "a quotation mark",
        at: |line| point(after(line, " = R.", "(")),
        typed: "\"",
    },
];

const RELAY_KINDS: &[Kind] = &[
    Kind {
        name: "a comment at a line's end",
        at: |line| (line.len(), line.len()),
        typed: "  // why",
    },
    Kind {
        name: "a new line",
        at: |line| (line.len(), line.len()),
        typed: "\n  ",
    },
    Kind {
        name: "a new binding",
        at: |line| (indent(line), indent(line)),
        typed: "let %new? = 1;\n  ",
    },
    Kind {
        name: "a binding commented out",
        at: |line| (indent(line), indent(line)),
        typed: "// ",
    },
    Kind {
        name: "a letter of an operator",
        at: |line| point(after(line, " = ", "(")),
        typed: "?",
    },
    Kind {
        name: "a digit of an argument",
        at: |line| point(after(&line[..line.len() - 1], "(%", ",")),
        typed: "4",
    },
    Kind {
        name: "a bracket",
        at: |line| point(after(line, " = ", "(")),
        typed: "(",
    },
    Kind {
        name: "a quotation mark",
        at: |line| point(after(line, " = ", "(")),
        typed: "\"",
    },
    Kind {
        name: "a bracket deleted",
        at: |line| (after(line, " = ", "("), after(line, " = ", "(") + 1),
        typed: "",
    },
    Kind {
        name: "a semicolon deleted",
        at: |line| (line.len() - 1, line.len()),
        typed: "",
    },
    Kind {
        name: "a line split",
        at: |line| point(after(&line[..line.len() - 1], "(%", ",")),
        typed: "\n    ",
    },
    Kind {
        name: "another operator",
        at: |line| (after(line, "", " = ") + 3, after(line, " = ", "(")),
        typed: "sigmoid",
    },
    Kind {
        name: "20 lines pasted",
        at: |line| (indent(line), indent(line)),
        typed: PASTED,
    },
];

const PASTED: &str = "let %new? = nn.relu(%x);
  let %new? = nn.relu(%new?);
  let %new? = add(%new?, %x);
  let %new? = nn.relu(%new?);
  let %new? = add(%new?, %x);
  let %new? = nn.relu(%new?);
  let %new? = add(%new?, %x);
  let %new? = nn.relu(%new?);
  let %new? = add(%new?, %x);
  let %new? = nn.relu(%new?);
  let %new? = add(%new?, %x);
  let %new? = nn.relu(%new?);
  let %new? = add(%new?, %x);
  let %new? = nn.relu(%new?);
  let %new? = add(%new?, %x);
  let %new? = nn.relu(%new?);
  let %new? = add(%new?, %x);
  let %new? = nn.relu(%new?);
  let %new? = add(%new?, %x);
  let %new? = nn.relu(%new?);
  ";

const RELAY_HEADER_KINDS: &[Kind] = &[
    Kind {
        name: "a letter of a parameter's name",
        at: |line| point(after(line, "(%", ":")),
        typed: "?",
    },
    Kind {
        name: "a letter of the weight's name",
        at: |line| point(after(line, ", %", ":")),
        typed: "?",
    },
    Kind {
        name: "another batch size of the parameter",
        at: |line| point(after(line, "Tensor[(", ",")),
        typed: "4",
    },
    Kind {
        name: "other channels of the parameter",
        at: |line| point(after(line, "Tensor[(1, ", ",")),
        typed: "4",
    },
];

/// Whether the text is Relay, which TVM prints with its version.
pub fn is_relay(text: &str) -> bool {
    text.starts_with("#[version")
}

impl<'a> Places<'a> {
    pub fn new(text: &'a str, seed: u64) -> Places<'a> {
        let lines: Vec<&str> = text.lines().collect();
        let is_relay = is_relay(text);
        let is_binding = |line: &str| {
            if is_relay {
                return line.starts_with("  ") && line.contains(" = ") && line.ends_with(");");
            }
            line.starts_with("        ") && line.contains(": R.") && line.contains(" = R.")
        };
        let numbered = lines.iter().enumerate();
        let bindings = numbered.filter(|(_, line)| is_binding(line));
        Places {
            bindings: bindings.map(|(number, _)| number).collect(),
            random: Random::new(seed),
            kinds: if is_relay { RELAY_KINDS } else { KINDS },
            header_kinds: if is_relay { RELAY_HEADER_KINDS } else { &[] },
            lines,
        }
    }

    pub fn line(&self, number: usize) -> &'a str {
        self.lines[number]
    }

    /// The last line, and its length.
    pub fn end(&self) -> (usize, usize) {
        (self.lines.len(), 0)
    }

    /// A binding anywhere in the file.
    pub fn binding(&mut self) -> usize {
        *self.random.pick(&self.bindings)
    }

    /// A binding in the middle of the file.
    pub fn middle(&self) -> usize {
        self.bindings[self.bindings.len() / 2]
    }

    /// The line that starts the function.
    pub fn header(&self) -> usize {
        self.bindings[0] - 1
    }

    pub fn kind(&mut self) -> &'static Kind {
        self.random.pick(self.kinds)
    }

    /// Returns `true` once in `n` times on average.
    pub fn is_one_in(&mut self, cases: usize) -> bool {
        self.random.below(cases) == 0
    }

    pub fn one_of<'b, T>(&mut self, all: &'b [T]) -> &'b T {
        self.random.pick(all)
    }

    /// Returns an edit of this kind in a line.
    pub fn edit(&mut self, kind: &Kind, line: usize) -> Edit {
        let text = self.lines[line];
        let (column, end) = (kind.at)(text);
        let letter = char::from(b'a' + self.random.below(26) as u8);
        Edit {
            line,
            column,
            removed: text[column..end].to_owned(),
            typed: kind.typed.replace('?', &letter.to_string()),
        }
    }
}

fn point(column: usize) -> (usize, usize) {
    (column, column)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The column of the first `end` behind the first `begin`.
pub fn after(line: &str, begin: &str, end: &str) -> usize {
    let from = line.find(begin).map_or(0, |at| at + begin.len());
    line[from..].find(end).map_or(line.len(), |at| from + at)
}
