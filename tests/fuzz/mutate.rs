//! Deterministic damage to texts, from a seed.

use std::ops::Range;

use crate::random::Random;

/// Snippets that change the meaning of the text around them.
const PIECES: &[&[u8]] = &[
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b"}",
    b":",
    b"\"",
    b"\"\"\"",
    b"f\"{",
    b"\\\n",
    b"\n",
    b"\n    ",
    b"\t",
    b"\r",
    b"\0",
    b"#",
    b"@",
    b"*",
    b"**",
    b"=",
    b"lambda",
    b" if ",
    b" for i in ",
    b"T.",
    b"T.grid(",
    b"T.axis.remap(\"SR\", ",
    b"T.Buffer(",
    b"with T.block(\"b\"):\n",
    b"R.Tensor((",
    b"R.call_tir(",
    b"\"n\"",
    b"-1",
    b"0",
    b"9223372036854775807",
    b"1e400",
    b"0x",
    b"\xED\xA0\x80",
    b"\xC3",
    b"\xFF",
    b"\xEF\xBB\xBF",
    b"def f(",
    b"class ",
    b"match x:\n case ",
    b"async ",
    b"...",
];

pub struct Mutator {
    random: Random,
    seeds: Vec<Vec<u8>>,
}

impl Mutator {
    pub fn new(seed: u64, seeds: Vec<Vec<u8>>) -> Mutator {
        Mutator {
            random: Random::new(seed),
            seeds,
        }
    }

    /// Returns a damaged part of one of the seeds.
    pub fn damaged(&mut self) -> Vec<u8> {
        let seed = self.random.below(self.seeds.len());
        let mut text = self.part(seed, 4096);
        for _ in 0..=self.random.below(6) {
            self.damage(&mut text);
        }
        text
    }

    /// Replaces a word of a text: a number by a number, or a name by another name of the text.
    pub fn reworded(&mut self, text: &str) -> String {
        let words = words(text);
        let at = words[self.random.below(words.len())].clone();
        let kind = |word: &Range<usize>| text.as_bytes()[word.start].is_ascii_digit();
        let others = words.iter().filter(|it| kind(it) == kind(&at));
        let others: Vec<&str> = others.map(|it| &text[it.clone()]).collect();
        let mut edited = text.to_owned();
        edited.replace_range(at, others[self.random.below(others.len())]);
        edited
    }

    /// Returns whole lines of a seed, so that most of them stay valid.
    fn part(&mut self, seed: usize, longest: usize) -> Vec<u8> {
        let at = self
            .random
            .below(self.seeds[seed].len().saturating_sub(longest / 2));
        let text = &self.seeds[seed];
        let start = text[..at].iter().rposition(|&byte| byte == b'\n');
        let start = start.map_or(0, |at| at + 1);
        text[start..(start + longest).min(text.len())].to_vec()
    }

    fn damage(&mut self, text: &mut Vec<u8>) {
        let at = self.random.below(text.len() + 1);
        let end = (at + self.random.below(40)).min(text.len());
        match self.random.below(6) {
            0 => drop(text.drain(at..end)),
            1 => {
                let byte = self.random.below(256) as u8;
                text.insert(at, byte);
            }
            2 => {
                let again = text[at..end].to_vec();
                text.splice(at..at, again);
            }
            3 => {
                let other = self.random.below(self.seeds.len());
                let part = self.part(other, 200);
                text.splice(at..end, part);
            }
            _ => {
                let piece = PIECES[self.random.below(PIECES.len())];
                text.splice(at..at, piece.iter().copied());
            }
        }
    }
}

/// Returns the ranges of the words of a text, including those in strings, without Python's constants.
fn words(text: &str) -> Vec<Range<usize>> {
    let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    let bytes = text.as_bytes();
    let begins = |at: &usize| is_word(bytes[*at]) && (*at == 0 || !is_word(bytes[at - 1]));
    let word = |at: usize| at..at + bytes[at..].iter().take_while(|it| is_word(**it)).count();
    let all = (0..bytes.len()).filter(begins).map(word);
    all.filter(|it| !matches!(&text[it.clone()], "None" | "True" | "False"))
        .collect()
}
