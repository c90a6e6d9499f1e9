//! Tests that inference agrees with TVM 0.19, and reports every mistake at once.

use text_size::{TextRange, TextSize};

use super::super::body::{Body, Item};
use super::super::env::Env;
use super::super::facts::{Facts, ModuleFacts};
use super::super::lower;
use super::super::signatures::InferredTypes;

const HEADER: &str = "#[version = \"0.0.5\"]\n";

/// Shows the types of the functions, then the mistakes with their texts and explanations.
fn summary(text: &str) -> String {
    let text = format!("{HEADER}{text}");
    let module = lower::module(&syntax::relay::parse(&text));
    let facts = ModuleFacts::of(&module);
    let mut lines = Vec::new();
    for (definition, known) in module.definitions.iter().zip(&facts.definitions) {
        if let (Item::Function { name, .. }, Some(ty)) = (&*definition.body.item, &known.ty) {
            lines.push(format!("@{}: {ty}", name.text));
        }
    }
    for it in facts.diagnostics(&module) {
        lines.push(format!(
            "{} at {}: {}",
            it.code.name(),
            &text[it.range],
            it.message
        ));
        let notes = module
            .definitions
            .iter()
            .zip(&facts.definitions)
            .flat_map(|(_, known)| &known.diagnostics)
            .filter(|other| other.message == it.message)
            .flat_map(|other| other.related.iter().map(|note| format!("  {}", note.1)));
        lines.extend(notes);
    }
    lines.join("\n")
}

#[test]
fn operators_closures_and_projections_get_types() {
    assert_eq!(
        summary(
            "def @main(%x: Tensor[(1, 4), float32], %w: Tensor[(2, 4), float32]) {
  let %f = fn (%y) { nn.relu(%y) };
  %0 = (nn.dense(%x, %w, units=2), %x);
  %f(%0.0)
}"
        ),
        "@main: fn (Tensor[(1, 4), float32], Tensor[(2, 4), float32]) -> Tensor[(1, 2), float32]"
    );
}

#[test]
fn polymorphic_functions_are_instantiated_at_each_call() {
    assert_eq!(
        summary(
            "def @id[A](%x: A) -> A { %x }
def @main(%x: float32) { (@id(%x), @id(True)) }"
        ),
        "@id: fn [A](A) -> A\n@main: fn (float32) -> (float32, bool)"
    );
}

#[test]
fn a_function_without_annotations_is_inferred_before_its_callers() {
    assert_eq!(
        summary(
            "def @main(%x: float32) { @twice(%x) }
def @twice(%x: float32) { add(%x, %x) }"
        ),
        "@main: fn (float32) -> float32\n@twice: fn (float32) -> float32"
    );
}

#[test]
fn constructors_and_matches_are_typed() {
    assert_eq!(
        summary(
            "type List[A] { Cons(A, List[A]), Nil, }
def @length[A](%l: List[A]) -> int32 {
  match (%l) { Cons(_, %rest) => 1 + @length(%rest), Nil => 0, }
}
def @main() { @length(Cons(2f, Nil)) }"
        ),
        "@length: fn [A](List[A]) -> int32\n@main: fn () -> int32"
    );
}

#[test]
fn an_incomplete_match_names_the_missing_case() {
    assert_eq!(
        summary(
            "type Option { Some(int32), None_, }
def @main(%o: Option) -> int32 { match (%o) { Some(%x) => %x, } }"
        ),
        "@main: fn (Option[]) -> int32
incomplete-match at match (%o) { Some(%x) => %x, }: the match has no arm for None_; `match?` may leave cases out"
    );
}

#[test]
fn a_mismatch_reports_the_origins_of_both_types() {
    assert_eq!(
        summary(
            "def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(4), float32]) {
  %0 = exp(%x);
  add(%0, %y)
}"
        ),
        "@main: fn (Tensor[(2, 3), float32], Tensor[(4), float32]) -> _
shape-mismatch at add(%0, %y): `lhs` and `rhs` do not broadcast: dimension 1 of `lhs` is 3, dimension 0 of `rhs` is 4
  `%0` is Tensor[(2, 3), float32], bound here
  `%x` is declared as Tensor[(2, 3), float32] here
  `%y` is declared as Tensor[(4), float32] here"
    );
}

#[test]
fn independent_mistakes_are_reported_and_follow_up_errors_are_not() {
    assert_eq!(
        summary(
            "def @main(%x: Tensor[(2), float32]) -> float32 {
  %0 = exq(%x);
  %1 = add(%0, %x);
  %2 = clip(%1, a_min=0f, a_mx=1f);
  %3 = %2.5;
  if (%x) { %y } else { %3 }
}"
        ),
        "@main: fn (Tensor[(2), float32]) -> float32
unknown-operator at exq: no operator is named `exq`; did you mean `exp`?
unknown-argument at a_mx: `clip` has no attribute `a_mx`; did you mean `a_max`?
dtype-mismatch at %x: the condition must be bool, but is Tensor[(2), float32]
  `%x` is declared as Tensor[(2), float32] here
undefined-name at %y: `%y` is not bound here"
    );
}

#[test]
fn a_parameter_of_unknown_type_needs_an_annotation() {
    assert_eq!(
        summary("def @main(%x) { 1 }"),
        "@main: fn (_) -> int32
missing-annotation at %x: the type of `%x` is unknown: it needs an annotation"
    );
}

#[test]
fn a_result_of_another_type_names_the_annotation_too() {
    assert_eq!(
        summary("def @main(%x: Tensor[(2), float32]) -> Tensor[(3), float32] { exp(%x) }"),
        "@main: fn (Tensor[(2), float32]) -> Tensor[(3), float32]
shape-mismatch at exp(%x): the function returns Tensor[(3), float32] by its annotation, this is Tensor[(2), float32] (dimension 0: 3 is not 2)
  the result is declared here
  `%x` is declared as Tensor[(2), float32] here"
    );
}

#[test]
fn an_excerpt_without_its_metadata_may_call_functions_without_a_definition() {
    let text = |value: &str| {
        summary(&format!(
            "def @main(%x: float32) {{ add(@f(%x), {value}) }}"
        ))
    };
    assert_eq!(
        text("1f"),
        "@main: fn (float32) -> _\nundefined-function at @f: no function is named `@f`"
    );
    assert_eq!(text("meta[relay.Constant][0]"), "@main: fn (float32) -> _");
}

/// Statements that bind the same names with other types, other names, or nothing, or are wrong.
const STATEMENTS: &[&str] = &[
    "let %a = exp(%x);",
    "let %a = (%x, %x);",
    "let %a = %a;",
    "let %b = nn.relu(%a);",
    "let %b = exp(%x);",
    "%0 = add(%a, %x);",
    "%0 = exp(%b);",
    "%1 = add(%0, %0);",
    "%1 = exq(%0);",
    "let %k = 1;",
    "let %k = 2;",
    "let %n = 2i64;",
    "%2 = dyn.topk(%x, %k, axis=0, k=1, dtype=\"int32\");",
    "%2 = %missing;",
    "let %l = Nil;",
    "let %m = Cons(%x, %l);",
    "let %f = fn (%v) { %v };",
    "%3 = %f(%a);",
    "add(%a, True);",
    "%4 = (add(%x, %x;",
    "free_var %z: float32;",
    "%5 = %z;",
    "%6 = add(nn.relu(%1), %x);",
    "let %c: Tensor[(2), float32] = %6;",
    "let %c: _ = %b;",
    "%7 = @same(%6);",
    "%7 = @whole(%6);",
    "%8 = concatenate((%6, %7), axis=0);",
    "let %d = zeros_like(%8);",
    "let %d = cast(%7, dtype=\"int32\");",
    "%9 = full(%k, shape=[2], dtype=\"float32\");",
    "let %b = %3;",
];

#[test]
fn inference_after_an_edit_equals_inference_from_the_start() {
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |count: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % count as u64) as usize
    };
    let mut statements: Vec<&str> = STATEMENTS.to_vec();
    let mut edits = Edits::new(&statements);
    for _ in 0..2000 {
        let at = below(statements.len());
        let statement = STATEMENTS[below(STATEMENTS.len())];
        match below(4) {
            0 if statements.len() < 45 => statements.insert(at, statement),
            1 if statements.len() > 10 => {
                statements.remove(at);
            }
            _ => statements[at] = statement,
        }
        edits.check(&statements);
    }
    // Without shared pieces, nothing is kept.
    assert!(edits.shared > 20_000, "{}", edits.shared);
}

#[test]
fn each_name_without_a_type_takes_the_types_that_follow_from_it() {
    let known = [
        "let %a = exp(%x);",
        "let %b = exp(%x);",
        "let %c = add(nn.relu(%a), exp(%b));",
    ];
    let with = |at: usize, statement| {
        let mut statements = known;
        statements[at] = statement;
        statements
    };
    let mut edits = Edits::new(&known);
    for statements in [
        with(0, "let %a = %missing;"),
        known,
        with(1, "let %b = %missing;"),
        known,
    ] {
        edits.check(&statements);
    }
    assert!(edits.shared > 0);
}

#[test]
fn a_statement_written_while_its_input_has_no_type_gets_one_later() {
    let whole = [
        "let %a = exp(%x);",
        "let %b = exp(%a);",
        "let %c = tanh(%b);",
        "let %d = exp(%c);",
    ];
    let mut edits = Edits::new(&whole);
    let mut broken = whole;
    broken[0] = "let %a = %missing;";
    let mut written = broken;
    written[2] = "let %c = nn.relu(%b);";
    let mut mended = written;
    mended[0] = whole[0];
    for statements in [broken, written, mended] {
        edits.check(&statements);
    }
}

/// A function that is edited and inferred again.
struct Edits {
    text: String,
    parse: syntax::relay::Parse,
    body: Body,
    facts: Facts,
    /// The number of pieces that versions shared with the ones before them.
    shared: usize,
}

impl Edits {
    fn new(statements: &[&str]) -> Edits {
        let text = Edits::text(statements);
        let parse = syntax::relay::parse(&text);
        let (env, body) = Edits::read(&parse, None);
        Edits {
            facts: Facts::of(&env, &InferredTypes::default(), &body, None),
            shared: 0,
            text,
            parse,
            body,
        }
    }

    fn text(statements: &[&str]) -> String {
        format!(
            "{HEADER}def @main(%x: Tensor[(2), float32]) {{\n  {}\n  %x\n}}\ntype List[A] {{ Cons(A, List[A]), Nil }}\n\
             def @same[A](%x: A) -> A {{ %x }}\ndef @whole(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {{ %x }}\n",
            statements.join("\n  ")
        )
    }

    /// Returns the function with its module. `before` is another version of it.
    fn read(parse: &syntax::relay::Parse, before: Option<&Body>) -> (Env, Body) {
        let env = Env::of(&lower::module(parse), false);
        let first = lower::parts(&parse.tree()).next().unwrap();
        (env, lower::body(&first.green(), before))
    }

    /// Infers the function with other statements, and compares the facts with those of a first inference.
    fn check(&mut self, statements: &[&str]) {
        let text = Edits::text(statements);
        let (replaced, inserted) = difference(&self.text, &text);
        self.parse = self.parse.reparse(replaced, inserted, &text);
        let (env, body) = Edits::read(&self.parse, Some(&self.body));
        let is_shared = |piece| body.shares(piece, &self.body);
        self.shared += body.pieces().filter(|it| is_shared(it.0)).count();
        let types = InferredTypes::default();
        let after = Facts::of(&env, &types, &body, Some((&self.body, &self.facts)));
        let fresh = Facts::of(&env, &types, &body, None);
        let pieces = after.pieces.iter().zip(&fresh.pieces);
        let differing = pieces.filter(|(one, other)| one != other);
        let differing: Vec<_> = differing.take(1).collect();
        assert!(
            after == fresh,
            "{text}\n{differing:#?}\n{:?}\n{:?}",
            after.links,
            fresh.links
        );
        (self.text, self.body, self.facts) = (text, body, after);
    }
}

/// Returns the range of a text that another one replaces, and the length of the replacement.
fn difference(before: &str, after: &str) -> (TextRange, TextSize) {
    let same = |pairs: &mut dyn Iterator<Item = (u8, u8)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let start = same(&mut before.bytes().zip(after.bytes()));
    let rest = (&before[start..], &after[start..]);
    let end = same(&mut rest.0.bytes().rev().zip(rest.1.bytes().rev()));
    let size = |len: usize| TextSize::new(len as u32);
    let replaced = TextRange::at(size(start), size(rest.0.len() - end));
    (replaced, size(rest.1.len() - end))
}

#[test]
fn a_call_without_an_argument_names_those_it_has_and_the_unused_one() {
    assert_eq!(
        summary(
            "def @main(%x: Tensor[(2), float32], %y: Tensor[(2), float32]) {
  %0 = exp(%x);
  %1 = add(%0);
  %2 = tanh(%1);
  (%1, %2)
}"
        ),
        "@main: fn (Tensor[(2), float32], Tensor[(2), float32]) -> (_, _)
argument-count at add(%0): `add` takes 2 arguments, 1 is given
  `%0` is Tensor[(2), float32], bound here
  `%y` is not used: it may be the missing argument
  `%1` has no known type until here, where it is last used"
    );
}

#[test]
fn the_target_of_a_call_is_not_its_missing_argument() {
    assert_eq!(
        summary(
            "def @main(%x: Tensor[(2), float32], %y: Tensor[(2), float32]) {
  %0 = exp(%x);
  %1 = add(%0);
  %0
}"
        ),
        "@main: fn (Tensor[(2), float32], Tensor[(2), float32]) -> Tensor[(2), float32]
argument-count at add(%0): `add` takes 2 arguments, 1 is given
  `%0` is Tensor[(2), float32], bound here
  `%y` is not used: it may be the missing argument"
    );
}
