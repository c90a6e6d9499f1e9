//! Families of hostile files of any size, which try to cause superlinear cost.
//!
//! A family repeats, nests, doubles or multiplies one construct. Each question about a file must cost at most twice as much
//! for twice the size; `benches/hostile.rs` measures this.

mod chains;
mod compilations;
mod mistakes;
mod mixtures;
mod names;
mod nesting;
mod relay;
mod releases;
mod structure;
mod symbols;
mod values;

/// Files of one kind.
pub struct Family {
    pub name: &'static str,
    /// Returns the file with `n` of the family's construct.
    pub text: fn(usize) -> String,
}

const FAMILIES: &[&[Family]] = &[
    values::FAMILIES,
    names::FAMILIES,
    nesting::FAMILIES,
    chains::FAMILIES,
    structure::FAMILIES,
    symbols::FAMILIES,
    mistakes::FAMILIES,
    mixtures::FAMILIES,
    releases::FAMILIES,
    relay::FAMILIES,
    compilations::FAMILIES,
];

/// Returns `true` if a text is Relay's and not Python's.
pub fn is_relay(text: &str) -> bool {
    text.starts_with(relay::HEAD)
}

/// Returns the names of all families: those listed here, and one for each diagnostic code.
pub fn names() -> impl Iterator<Item = &'static str> {
    let written = FAMILIES.iter().copied().flatten().map(|it| it.name);
    written.chain(mistakes::codes())
}

/// Returns the file of a family with `n` of its construct.
pub fn text(family: &str, n: usize) -> Option<String> {
    let mut written = FAMILIES.iter().copied().flatten();
    match written.find(|it| it.name == family) {
        Some(written) => Some((written.text)(n)),
        None => mistakes::of_code(family, n),
    }
}

const HEAD: &str = "from tvm.script import ir as I, relax as R, tirx as T\n\n";

/// Returns a file with these lines at the top level.
fn file(body: &str) -> String {
    format!("{HEAD}{body}")
}

/// Returns a Relax function with these lines.
fn function(lines: &str) -> String {
    file(&format!(
        "@R.function\ndef f(x: R.Tensor((4,), \"float32\")):\n{}    return x\n",
        indented(lines)
    ))
}

/// Returns a PrimFunc with these lines.
fn prim_func(lines: &str) -> String {
    file(&format!(
        "@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\"), n: T.int64):\n{}    A[0] = T.float32(0)\n",
        indented(lines)
    ))
}

fn indented(lines: &str) -> String {
    let lines = lines.lines();
    lines.flat_map(|line| ["    ", line, "\n"]).collect()
}

/// Returns `piece(0)`, `piece(1)`, and so on.
fn repeat(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}

/// Returns `first` and `n` steps. Each uses the one before.
fn steps(n: usize, first: &str, step: impl Fn(usize, usize) -> String) -> String {
    let steps = repeat(n, |k| format!("{}\n", step(k + 1, k)));
    format!("{first}\n{steps}")
}
