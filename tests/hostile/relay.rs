//! Relay texts: nesting, chains, wide definitions, functions without annotations, types that double, and mistakes.

use super::{Family, repeat};

pub const HEAD: &str = "#[version = \"0.0.5\"]\n";
const TENSOR: &str = "Tensor[(2), float32]";
const LIST: &str = "type L { N, C(float32, L) }\n";

/// Returns a module with these definitions.
fn module(definitions: &str) -> String {
    format!("{HEAD}{definitions}")
}

/// Returns a function with one tensor parameter and an inferred result type.
fn main(body: &str) -> String {
    main_of(&format!("%x: {TENSOR}"), body)
}

fn main_of(params: &str, body: &str) -> String {
    module(&format!("def @main({params}) {{\n{body}\n}}\n"))
}

/// Returns the name of the value before number `k`.
fn before(prefix: &str, k: usize) -> String {
    match k {
        0 => "x".to_owned(),
        k => format!("{prefix}{}", k - 1),
    }
}

/// Returns `n` functions with inferred result types.
fn open(n: usize, body: impl Fn(usize) -> String) -> String {
    repeat(n, |k| {
        format!("def @f{k}(%x: {TENSOR}) {{ {} }}\n", body(k))
    })
}

#[rustfmt::skip]
pub const FAMILIES: &[Family] = &[
    Family { name: "relay-nest-of-calls", text: |n| main(&format!("{}%x{}", "exp(".repeat(n), ")".repeat(n))) },
    Family { name: "relay-nest-of-parentheses", text: |n| main(&format!("{}%x{}", "(".repeat(n), ")".repeat(n))) },
    Family { name: "relay-nest-of-tuples", text: |n| main(&format!("{}%x{}", "(".repeat(n), ",)".repeat(n))) },
    Family { name: "relay-nest-of-ifs", text: |n| main(&format!("{}%x{}", "if (True) {".repeat(n), "} else {%x}".repeat(n))) },
    Family { name: "relay-nest-of-lets", text: |n| main(&format!("{}%x{}", repeat(n, |k| format!("let %y{k} = {{ ")), "}; %x".repeat(n))) },
    Family { name: "relay-nest-of-functions", text: |n| main(&format!("{}%x{}", repeat(n, |k| format!("fn (%a{k}: {TENSOR}) {{ ")), " }".repeat(n))) },
    Family { name: "relay-nest-of-untyped-functions", text: |n| main(&format!("{}%x{}", repeat(n, |k| format!("fn (%a{k}) {{ ")), " }".repeat(n))) },
    Family { name: "relay-nest-of-tuple-types", text: |n| main_of(&format!("%x: {}{TENSOR}{}", "(".repeat(n), ",)".repeat(n)), "%x") },
    Family { name: "relay-nest-of-function-types", text: |n| main_of(&format!("%x: {}{TENSOR}", "fn (int32) -> ".repeat(n)), "%x") },
    Family { name: "relay-nest-of-matches", text: |n| module(&format!("{LIST}def @main(%x: L) -> float32 {{\n{}2f{}\n}}\n", repeat(n, |k| format!("match (%x) {{ N => 1f, C(%a{k}, %b{k}) => ")), " }".repeat(n))) },
    Family { name: "relay-nest-of-patterns", text: |n| module(&format!("{LIST}def @main(%x: L) -> float32 {{\nmatch? (%x) {{ {}N{} => 1f }}\n}}\n", "C(_, ".repeat(n), ")".repeat(n))) },
    Family { name: "relay-nest-of-comments", text: |n| main(&format!("{}{}%x", "/*".repeat(n), "*/".repeat(n))) },
    Family { name: "relay-lets", text: |n| main(&format!("{}%x", repeat(n, |k| format!("let %y{k} = exp(%{});\n", before("y", k))))) },
    Family { name: "relay-graph", text: |n| main(&format!("{}%x", repeat(n, |k| format!("%{k} = exp(%{});\n", before("", k))))) },
    Family { name: "relay-graph-doubling", text: |n| main(&format!("{}%{}", repeat(n, |k| format!("%{k} = add(%{0}, %{0});\n", before("", k))), before("", n))) },
    Family { name: "relay-tuples-doubling", text: |n| main(&format!("{}%{}", repeat(n, |k| format!("%{k} = (%{0}, %{0});\n", before("", k))), before("", n))) },
    Family { name: "relay-functions-doubling", text: |n| main(&format!("{}{}%{}", repeat(n, |k| format!("let %y{k} = fn (%a{k}) {{ (%a{k}, %a{k}) }};\n")), repeat(n, |k| format!("let %z{k} = %y{k}(%{});\n", before("z", k))), before("z", n))) },
    Family { name: "relay-tuple-wide", text: |n| main(&format!("({})", "%x, ".repeat(n))) },
    Family { name: "relay-fields-of-a-wide-tuple", text: |n| main(&format!("%0 = ({});\n{}%{n}", "%x, ".repeat(n), repeat(n, |k| format!("%{} = %0.{k};\n", k + 1)))) },
    Family { name: "relay-concatenation", text: |n| main(&format!("concatenate(({}))", "%x, ".repeat(n))) },
    Family { name: "relay-parameters", text: |n| main_of(&repeat(n, |k| format!("%p{k}: {TENSOR}, ")), "%p0") },
    Family { name: "relay-arguments", text: |n| main(&format!("add({})", "%x, ".repeat(n))) },
    Family { name: "relay-attributes", text: |n| main(&format!("exp(%x{})", repeat(n, |k| format!(", a{k}={k}")))) },
    Family { name: "relay-dimensions", text: |n| main_of(&format!("%x: Tensor[({}), float32]", "1, ".repeat(n)), "exp(%x)") },
    Family { name: "relay-definitions", text: |n| module(&repeat(n, |k| format!("def @f{k}(%x: {TENSOR}) -> {TENSOR} {{ exp(%x) }}\n"))) },
    Family { name: "relay-open-functions-forward", text: |n| module(&format!("{}def @f{n}(%x: {TENSOR}) {{ %x }}\n", open(n, |k| format!("@f{}(%x)", k + 1)))) },
    Family { name: "relay-open-functions-back", text: |n| module(&open(n, |k| if k == 0 { "%x".to_owned() } else { format!("@f{}(%x)", k - 1) })) },
    Family { name: "relay-open-functions-in-a-circle", text: |n| module(&open(n, |k| format!("@f{}(%x)", (k + 1) % n))) },
    Family { name: "relay-open-functions-of-one", text: |n| module(&format!("{}def @g(%x: {TENSOR}) {{ ({}) }}\n", open(n, |_| "@g(%x)".to_owned()), repeat(n, |k| format!("@f{k}(%x), ")))) },
    Family { name: "relay-open-functions-doubling", text: |n| module(&open(n, |k| if k == 0 { "(%x, %x)".to_owned() } else { format!("(@f{0}(%x), @f{0}(%x))", k - 1) })) },
    Family { name: "relay-constructors", text: |n| module(&format!("type L {{ {} }}\ndef @main(%x: L) -> float32 {{\nmatch (%x) {{ {} }}\n}}\n", repeat(n, |k| format!("C{k}(float32), ")), repeat(n, |k| format!("C{k}(%a) => %a, ")))) },
    Family { name: "relay-types-chain", text: |n| module(&format!("{}type L{n} {{ E }}\n", repeat(n, |k| format!("type L{k} {{ C{k}(L{}) }}\n", k + 1)))) },
    Family { name: "relay-clauses-alike", text: |n| module(&format!("{LIST}def @main(%x: (L, L)) -> float32 {{\nmatch (%x) {{ {}(_, _) => 2f }}\n}}\n", "(C(_, _), N) => 1f, ".repeat(n))) },
    Family { name: "relay-unknown-locals", text: |n| main(&format!("({})", repeat(n, |k| format!("%u{k}, ")))) },
    Family { name: "relay-unknown-globals", text: |n| main(&format!("({})", repeat(n, |k| format!("@u{k}(%x), ")))) },
    Family { name: "relay-unknown-operators", text: |n| main(&format!("({})", repeat(n, |k| format!("expp{k}(%x), ")))) },
    Family { name: "relay-function-defined-again", text: |n| module(&format!("def @f(%x: {TENSOR}) -> {TENSOR} {{ %x }}\n").repeat(n)) },
    Family { name: "relay-mistakes-of-shapes", text: |n| main(&format!("{}%x", repeat(n, |k| format!("let %y{k} = nn.dense(%x, %x);\n")))) },
    Family { name: "relay-name-long", text: |n| main(&format!("let %{0} = %x;\n%{0}z", "a".repeat(n))) },
    Family { name: "relay-names-long", text: |n| main(&format!("({})", repeat(20, |k| format!("%{}{k}, ", "a".repeat(n))))) },
    Family { name: "relay-string-long", text: |n| main(&format!("layout_transform(%x, src_layout=\"{}\", dst_layout=\"N\")", "N".repeat(n))) },
    Family { name: "relay-strings", text: |n| main(&format!("exp(%x{})", repeat(n, |k| format!(", a{k}=\"it is \\\"{k}\\\"\"")))) },
    Family { name: "relay-comments", text: |n| main(&format!("{}%x", "/* a */".repeat(n))) },
    Family { name: "relay-parentheses-open", text: |n| main(&"(".repeat(n)) },
    Family { name: "relay-parentheses-closed", text: |n| main(&")".repeat(n)) },
    Family { name: "relay-bytes-stray", text: |n| main(&"$ ? ".repeat(n)) },
    Family { name: "relay-sums", text: |n| main(&format!("%x{}", " + %x".repeat(n))) },
    Family { name: "relay-type-parameters", text: |n| module(&format!("def @main[{}](%x: A0) -> A0 {{ %x }}\n", (0..n).map(|k| format!("A{k}")).collect::<Vec<_>>().join(", "))) },
    Family { name: "relay-polymorphic-calls", text: |n| module(&format!("def @id[A](%x: A) -> A {{ %x }}\ndef @main(%x: {TENSOR}) {{\n{}%x }}\n", repeat(n, |k| format!("let %y{k} = @id(%{});\n", before("y", k))))) },
    Family { name: "relay-references", text: |n| main(&format!("{}%x", repeat(n, |k| format!("let %r{k} = ref(%x);\nlet %v{k} = ref_read(%r{k});\n")))) },
    Family { name: "relay-unknown-dimensions", text: |n| main_of("%x: Tensor[(?, ?), float32]", &format!("{}%{}", repeat(n, |k| format!("%{k} = add(%{}, %x);\n", before("", k))), before("", n))) },
];
