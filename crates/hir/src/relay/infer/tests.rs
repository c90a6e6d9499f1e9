//! Tests that inference agrees with TVM 0.19, and reports every mistake at once.

use super::super::body::Item;
use super::super::facts::ModuleFacts;
use super::super::lower;

const HEADER: &str = "#[version = \"0.0.5\"]\n";

/// Shows the types of the functions, then the mistakes with their texts and explanations.
fn summary(text: &str) -> String {
    let text = format!("{HEADER}{text}");
    let module = lower::module(&syntax::relay::parse(&text));
    let facts = ModuleFacts::of(&module);
    let mut lines = Vec::new();
    for (definition, known) in module.definitions.iter().zip(&facts.definitions) {
        if let (Item::Function { name, .. }, Some(ty)) = (&definition.body.item, &known.ty) {
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
