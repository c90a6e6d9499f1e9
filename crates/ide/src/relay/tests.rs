//! Tests each feature on one program.

use expect_test::{Expect, expect};
use text_size::{TextRange, TextSize};

use crate::graph::GraphLimit;
use crate::host::Config;
use crate::types::FilePosition;
use crate::{Analysis, FileId, FormatOptions, Language};

const PROGRAM: &str = "#[version = \"0.0.5\"]
type List[A] {
  Cons(A, List[A]),
  Nil,
}

def @sum(%l: List[float32]) -> float32 {
  match (%l) {
    Cons(%h, %t) => %h + @sum(%t),
    Nil => 0f,
  }
}

def @main(%x: Tensor[(1, 4), float32], %w: Tensor[(2, 4), float32]) {
  %0 = nn.dense(%x, %w, units=2);
  let %y = nn.relu(%0);
  %1 = add(%y, %0) /* ty=Tensor[(1, 2), float32] */;
  (%1, %y)
}
";

fn analysis(text: &str) -> (Analysis, FileId) {
    Analysis::from_file_in(Language::Relay, text, Config::default())
}

fn at(text: &str) -> FilePosition {
    let offset = PROGRAM.find(text).expect("the program has it") + text.len();
    FilePosition {
        file: FileId(0),
        offset: TextSize::new(offset as u32),
    }
}

fn quoted(ranges: impl IntoIterator<Item = TextRange>) -> String {
    let line = |it: TextRange| {
        let line = PROGRAM[..usize::from(it.start())].matches('\n').count() + 1;
        format!("{line}: {}\n", &PROGRAM[it])
    };
    ranges.into_iter().map(line).collect()
}

#[test]
fn hover_shows_the_type_of_each_name() {
    let (analysis, _) = analysis(PROGRAM);
    let lines = line_index::LineIndex::new(PROGRAM);
    let check = |text: &str, expected: Expect| {
        let hover = analysis.hover(at(text), &lines).unwrap();
        let markdown = hover.map_or_else(|| "nothing".to_owned(), |it| it.markdown.to_string());
        expected.assert_eq(&markdown);
    };
    check(
        "(%1, %y",
        expect![[r#"
        ```tvm-relay
        %y: Tensor[(1, 2), float32]
        ```
        let"#]],
    );
    check(
        "= nn.dens",
        expect![[r#"
        ```tvm-relay
        nn.dense(data, weight, units, out_dtype="void")
        ```
        here `Tensor[(1, 2), float32]`"#]],
    );
    check(
        "=> %h + @s",
        expect![[r#"
            ```tvm-relay
            @sum: fn (List[float32]) -> float32
            ```
        "#]],
    );
    check(
        "  Cons(%h, %t) => %h +",
        expect![[r#"
        ```tvm-relay
        add(lhs, rhs)
        ```
        here `float32`"#]],
    );
    check(
        "  Con",
        expect![[r#"
        ```tvm-relay
        Cons: fn [A](A, List[A]) -> List[A]
        ```
        constructor of `List`"#]],
    );
    check(
        "%l: Lis",
        expect![[r#"
            ```tvm-relay
            type List[A]
              Cons(A, List[A])
              Nil
            ```
        "#]],
    );
}

#[test]
fn hints_are_hidden_where_a_comment_gives_the_type() {
    let (analysis, file) = analysis(PROGRAM);
    let hints = analysis.inlay_hints(file, TextRange::up_to(TextSize::of(PROGRAM)));
    let hints = hints.unwrap().into_iter().map(|it| {
        let before = &PROGRAM[..usize::from(it.offset)];
        format!(
            "{}{}\n",
            before.lines().last().unwrap_or_default().trim_start(),
            it.label
        )
    });
    expect![[r#"
        Cons(%h: float32
        Cons(%h, %t: List[float32]
        %0: Tensor[(1, 2), float32]
        let %y: Tensor[(1, 2), float32]
    "#]]
    .assert_eq(&hints.collect::<String>());
}

#[test]
fn names_have_definitions_and_references() {
    let (analysis, _) = analysis(PROGRAM);
    let found = |text: &str| {
        let definition = analysis.goto_definition(at(text)).unwrap();
        let definition = quoted(definition.into_iter().map(|it| it.name_range));
        definition + "---\n" + &quoted(analysis.references(at(text), true).unwrap())
    };
    expect![[r#"
        16: %y
        ---
        16: %y
        17: %y
        18: %y
    "#]]
    .assert_eq(&found("(%1, %y"));
    expect![[r#"
        7: @sum
        ---
        7: @sum
        9: @sum
    "#]]
    .assert_eq(&found("=> %h + @s"));
    expect![[r#"
        2: List
        ---
        2: List
        3: List
        7: List
    "#]]
    .assert_eq(&found("%l: Lis"));
    expect![[r#"
        4: Nil
        ---
        4: Nil
        10: Nil
    "#]]
    .assert_eq(&found("    Ni"));
}

#[test]
fn a_rename_keeps_sigils_and_refuses_what_names_something_else() {
    let (analysis, _) = analysis(PROGRAM);
    let rename = |text: &str, new: &str| match analysis.rename(at(text), new).unwrap() {
        Ok(edit) => {
            let renamed = edit.apply(PROGRAM);
            let lines = PROGRAM.lines().zip(renamed.lines());
            let changed = lines.filter(|(old, new)| old != new);
            let changed = changed.map(|(_, new)| new.trim_start().to_owned() + "\n");
            changed.collect::<String>()
        }
        Err(why) => why,
    };
    expect![[r#"
          let %z = nn.relu(%0);
          %1 = add(%z, %0) /* ty=Tensor[(1, 2), float32] */;
          (%1, %z)
    "#]]
    .assert_eq(&rename("(%1, %y", "%z"));
    expect![[r#"
        def @total(%l: List[float32]) -> float32 {
        Cons(%h, %t) => %h + @total(%t),
    "#]]
    .assert_eq(&rename("=> %h + @s", "total"));
    expect!["`w` is already the name of something else"].assert_eq(&rename("(%1, %y", "w"));
    expect!["`nn.dense` is an operator of TVM"].assert_eq(&rename("= nn.dens", "z"));
    expect!["a graph binding has a number, not a name"].assert_eq(&rename("(%1", "z"));
}

#[test]
fn the_outline_holds_functions_types_and_constructors() {
    let (analysis, file) = analysis(PROGRAM);
    let symbols = analysis.document_symbols(file).unwrap();
    let mut names = Vec::new();
    for symbol in symbols {
        names.push(symbol.name);
        names.extend(
            symbol
                .children
                .into_iter()
                .map(|it| format!("  {}", it.name)),
        );
    }
    assert_eq!(names, ["List", "  Cons", "  Nil", "sum", "main"]);
}

#[test]
fn bodies_matches_and_types_fold() {
    let (analysis, file) = analysis(PROGRAM);
    let folds = analysis.folding_ranges(file).unwrap();
    let folds = folds.into_iter().map(|it| {
        let first = PROGRAM[..usize::from(it.range.start())]
            .matches('\n')
            .count()
            + 1;
        (first, first + PROGRAM[it.range].matches('\n').count())
    });
    assert_eq!(
        folds.collect::<Vec<_>>(),
        [(2, 4), (7, 11), (8, 10), (14, 18)]
    );
}

#[test]
fn semantic_tokens_distinguish_kinds_of_names() {
    let (analysis, file) = analysis(PROGRAM);
    let range = TextRange::up_to(TextSize::of(PROGRAM));
    let tokens = analysis.semantic_tokens(file, range).unwrap();
    let apart = tokens
        .windows(2)
        .all(|it| it[0].range.end() <= it[1].range.start());
    assert!(apart);
    let line = |name: &str| {
        let found = tokens.iter().find(|it| &PROGRAM[it.range] == name);
        found.map(|it| it.kind.name())
    };
    assert_eq!(line("nn.dense"), Some("tensorOperator"));
    assert_eq!(line("%x"), Some("parameter"));
    assert_eq!(line("%0"), Some("dataflowVariable"));
    assert_eq!(line("%y"), Some("variable"));
    assert_eq!(line("List"), Some("class"));
    assert_eq!(line("@sum"), Some("function"));
}

#[test]
fn completion_offers_names_in_scope() {
    let offered = |typed: &str| {
        let text = PROGRAM.replace("(%1, %y)", typed);
        let (analysis, file) = analysis(&text);
        let offset = text.find(typed).unwrap() + typed.len();
        let offset = TextSize::new(offset as u32);
        let found = analysis.completions(FilePosition { file, offset }, None);
        found.unwrap().map_or_else(Vec::new, |it| {
            it.items
                .into_iter()
                .map(|it| it.label.to_string())
                .collect()
        })
    };
    assert_eq!(offered("add(%"), ["%1", "%y", "%0", "%w", "%x"]);
    let mut globals = offered("@");
    globals.sort();
    assert_eq!(globals, ["@main", "@sum"]);
    let names = offered("nn.");
    assert!(
        ["nn.dense", "Cons", "let"]
            .iter()
            .all(|it| names.iter().any(|name| name == it))
    );
    let attributes = offered("nn.softmax(%0, ");
    assert_eq!(attributes[0], "axis=");
    assert!(offered("/* %").is_empty());
}

#[test]
fn signatures_name_the_parameter_at_the_cursor() {
    let (analysis, _) = analysis(PROGRAM);
    let help = |text: &str| {
        let help = analysis.signature_help(at(text)).unwrap()?;
        let signature = &help.signatures[help.active];
        let active = signature.params.get(signature.active?)?.range;
        Some(format!(
            "{} <{}>",
            signature.label, &signature.label[active]
        ))
    };
    expect![[r#"nn.dense(data, weight, units, out_dtype="void") <weight>"#]]
        .assert_eq(&help("nn.dense(%x, ").unwrap());
    expect![[r#"nn.dense(data, weight, units, out_dtype="void") <units>"#]]
        .assert_eq(&help("nn.dense(%x, %w, un").unwrap());
    expect!["@sum(List[float32]) -> float32 <List[float32]>"]
        .assert_eq(&help("%h + @sum(").unwrap());
}

#[test]
fn statements_of_a_long_function_get_their_own_lines() {
    let options = FormatOptions { line_length: None };
    for count in [3, 300] {
        let statements: Vec<String> = (0..count).map(|it| format!("%{it} = exp(%x);")).collect();
        let function = |separator: &str| {
            let body = statements.join(separator);
            format!("def @f(%x: float32) {{{separator}{body}{separator}%0\n}}\n")
        };
        let text = function(" ");
        let (analysis, file) = analysis(&text);
        let edit = analysis.format(file, None, options).unwrap();
        assert!(edit.apply(&text) == function("\n  "), "{count} statements");
    }
}

#[test]
fn formatting_prints_as_tvm_and_changes_nothing_twice() {
    let options = FormatOptions { line_length: None };
    let formatted = |text: &str| {
        let (analysis, file) = analysis(text);
        analysis.format(file, None, options).unwrap().apply(text)
    };
    assert_eq!(formatted(PROGRAM), PROGRAM);
    let text = "#[version=\"0.0.5\"] // header\ntype   L[A]{C(A,L[A]),N}\nextern type F def @f[ A ](%x{virtual_device=meta[V][0]}:Tensor[( 1,? ),float32],%g:fn(A)->(A,),Inline =1)->A{\n\n\
        // first\n%0=add(%x,-1f,axis = [1,2] )/* ty=A */;let %y:A=%g(%0.0)*2f ; // why\n\n\n%1=fn(%a){%a};\n  if(%y<1f){ref(%y)}else{match?(%x){C(%a,_)=>%a,(%a,_)=>{%a}}}}\n#[metadata]\n{}\n";
    let once = formatted(text);
    expect![[r##"
        #[version = "0.0.5"] // header
        type L[A] {
          C(A, L[A]),
          N
        }

        extern type F

        def @f[A](%x {virtual_device=meta[V][0]}: Tensor[(1, ?), float32], %g: fn (A) -> (A,), Inline=1) -> A {
          // first
          %0 = add(%x, -1f, axis=[1, 2]) /* ty=A */;
          let %y: A = %g(%0.0) * 2f; // why

          %1 = fn (%a) {
            %a
          };
          if (%y < 1f) {
            ref(%y)
          } else {
            match? (%x) {
              C(%a, _) => %a,
              (%a, _) => {
                %a
              }
            }
          }
        }
        #[metadata]
        {}
    "##]].assert_eq(&once);
    assert_eq!(formatted(&once), once);
}

#[test]
fn a_definition_that_is_being_typed_keeps_its_layout() {
    let text = "def @f(%x:A) {%x;\n}\ndef @g(%x:A) {%x}\n";
    let (analysis, file) = analysis(text);
    let options = FormatOptions { line_length: None };
    let edit = analysis.format(file, None, options).unwrap();
    let formatted = edit.apply(text);
    assert!(formatted.starts_with("def @f(%x:A) {%x;\n}"), "{formatted}");
    assert!(
        formatted.ends_with("def @g(%x: A) {\n  %x\n}\n"),
        "{formatted}"
    );
}

#[test]
fn monomorphic_functions_can_be_run() {
    let text = PROGRAM.replace("type List", "def @id[A](%x: A) -> A { %x }\ntype List");
    let (analysis, file) = analysis(&text);
    let found = analysis.runnables(file).unwrap();
    let shown = found.iter().map(|it| {
        let params = it.params.iter();
        let params = params.map(|it| format!("{}: {}", it.name, it.struct_info));
        let params: Vec<String> = params.collect();
        format!(
            "{} {}({})\n",
            &text[it.name_range],
            it.function,
            params.join(", ")
        )
    });
    expect![[r#"
        @sum sum(l: List[float32])
        @main main(x: Tensor[(1, 4), float32], w: Tensor[(2, 4), float32])
    "#]]
    .assert_eq(&shown.collect::<String>());
}

#[test]
fn a_function_is_drawn_as_a_graph() {
    let text = PROGRAM.replace("(%1, %y)", "(if (True) { @sum(Nil) } else { 1f }, %1, %y)");
    let (analysis, file) = analysis(&text);
    let offset = TextSize::new(text.find("def @main").unwrap() as u32 + 8);
    let position = FilePosition { file, offset };
    let graph = analysis.graph(position, offset, GraphLimit::NONE).unwrap();
    expect![[r#"
        digraph "main" {
          node [shape=box, style=rounded];
          n0 [label="%x\nTensor[(1, 4), float32]", shape=ellipse, style=solid];
          n1 [label="%w\nTensor[(2, 4), float32]", shape=ellipse, style=solid];
          n2 [label="%0 = nn.dense\nTensor[(1, 2), float32]"];
          n3 [label="%y = nn.relu\nTensor[(1, 2), float32]"];
          n4 [label="%1 = add\nTensor[(1, 2), float32]"];
          n5 [label="True\nbool", style=dashed];
          n9 [label="if\nfloat32", shape=diamond, style=solid];
          n10 [label="return\n(float32, Tensor[(1, 2), float32], Tensor[(1, 2), float32])", shape=ellipse, style=solid];
          subgraph cluster0 {
            label="then";
            n6 [label="Nil\nList[float32]"];
            n7 [label="sum\nfloat32"];
          }
          subgraph cluster1 {
            label="else";
            n8 [label="1f\nfloat32", style=dashed];
          }
          n0 -> n2 [label="data (1, 4)"];
          n1 -> n2 [label="weight (2, 4)"];
          n2 -> n3 [label="(1, 2)"];
          n3 -> n4 [label="lhs (1, 2)"];
          n2 -> n4 [label="rhs (1, 2)"];
          n6 -> n7 [label="l"];
          n5 -> n9 [label="condition ()"];
          n7 -> n9 [label="then ()"];
          n8 -> n9 [label="else ()"];
          n9 -> n10 [label="0 ()"];
          n4 -> n10 [label="1 (1, 2)"];
          n3 -> n10 [label="2 (1, 2)"];
        }
    "#]].assert_eq(graph.unwrap().to_dot().as_str());
}

#[test]
fn a_comment_silences_a_mistake_and_one_that_silences_none_is_reported() {
    let program = |first: &str, last: &str| {
        format!(
            "#[version = \"0.0.5\"]\ndef @main(%x: float32) {{\n  {first}\n  add(%x, %z){last}\n}}\n"
        )
    };
    let codes = |text: String| {
        let (analysis, file) = analysis(&text);
        let found = analysis.diagnostics(file).unwrap();
        found.iter().map(|it| it.code).collect::<Vec<_>>()
    };
    let comment = "// relax: ignore[undefined-name]";
    assert_eq!(codes(program("", "")), ["undefined-name"]);
    assert_eq!(codes(program("", &format!("  {comment}"))), [""; 0]);
    assert_eq!(codes(program(comment, "")), [""; 0]);
    let other = "// relax: ignore[shape-mismatch]";
    assert_eq!(
        codes(program("", other)),
        ["undefined-name", "unused-ignore"]
    );
}

#[test]
fn a_comment_that_silences_is_written_and_taken_back() {
    let text = "#[version = \"0.0.5\"]\ndef @main(%x: float32) {\n  add(%x, %z)\n}\n";
    let named = |analysis: &Analysis, file| {
        let found = analysis.diagnostics(file).unwrap();
        let named = found.iter().map(|it| (it.code.to_owned(), it.range));
        named.collect::<Vec<_>>()
    };
    let (before, file) = analysis(text);
    let actions = before.ignore_actions(file, &named(&before, file)).unwrap();
    let silenced = actions[0].edit.as_ref().unwrap().apply(text);
    assert_eq!(
        silenced,
        text.replace("%z)", "%z)  // relax: ignore[undefined-name]")
    );
    let right = silenced.replace("%z", "%x");
    let (after, file) = analysis(&right);
    let fix = after.fix_all(file, crate::Sure::Certain).unwrap().unwrap();
    let fixed = fix.edit.unwrap().apply(&right);
    assert_eq!(fixed, text.replace("%z", "%x"));
}

/// A text in two string pieces, with escapes.
const IN_PYTHON: &str = "import tvm\nfrom tvm import relay\n\nmodule = relay.parse(\n    \
    \"#[version = \\\"0.0.5\\\"]\\ndef @main(%x: float32) {\\n\"\n    \
    \"\\t let %y = add(%x, %z); // \\u00e9\\n %y }\"\n)\nother = parse(\"%x\") + json.parse(\"(\")\n";

#[test]
fn relay_in_a_string_of_python_is_reported_where_it_stands() {
    let (analysis, file) = Analysis::from_single_file(IN_PYTHON, Config::default());
    let found = analysis.diagnostics(file).unwrap();
    let found = found.iter().map(|it| (it.code, &IN_PYTHON[it.range]));
    assert_eq!(found.collect::<Vec<_>>(), [("undefined-name", "%z")]);
}

#[test]
fn relay_in_a_string_of_python_has_the_features_of_a_file() {
    let (analysis, file) = Analysis::from_single_file(IN_PYTHON, Config::default());
    let offset = TextSize::new(IN_PYTHON.rfind("%y }").unwrap() as u32 + 1);
    let position = FilePosition { file, offset };
    let lines = line_index::LineIndex::new(IN_PYTHON);
    let hover = analysis.hover(position, &lines).unwrap().unwrap();
    assert!(
        hover.markdown.as_str().contains("%y: _"),
        "{}",
        hover.markdown
    );
    assert_eq!(&IN_PYTHON[hover.range], "%y");
    let target = &analysis.goto_definition(position).unwrap()[0];
    let bound = IN_PYTHON.find("%y").unwrap();
    assert_eq!(usize::from(target.name_range.start()), bound);
    let edit = analysis.rename(position, "sum").unwrap().unwrap();
    assert_eq!(edit.apply(IN_PYTHON), IN_PYTHON.replace("%y", "%sum"));
    let whole = TextRange::up_to(TextSize::of(IN_PYTHON));
    let tokens = analysis.semantic_tokens(file, whole).unwrap();
    let tokens: Vec<&str> = tokens.iter().map(|it| &IN_PYTHON[it.range]).collect();
    assert_eq!(tokens[..4], ["@main", "%x", "%y", "add"]);
}

#[test]
fn computed_relay_strings_are_not_read() {
    for text in [
        "text = \"#[version = \\\"0.0.5\\\"]\\ndef @f() { \" + body\n",
        "text = f\"#[version = \\\"0.0.5\\\"]\\ndef @f() {{ {body} }}\"\n",
        "text = \"#[version = \\\"0.0.5\\\"]\\ndef @f() {\"\ntext += body\n",
        "tvm = relay.parse(text)\n",
        "import tvm\nfrom dateutil import parser\nparser.parse(\"(\")\n",
    ] {
        let (analysis, file) = Analysis::from_single_file(text, Config::default());
        assert!(analysis.diagnostics(file).unwrap().is_empty(), "{text}");
    }
}
