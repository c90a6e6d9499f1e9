//! Makes one program from its seed.

use super::callees::{Helper, HelperKind};
use super::edits;
use super::operators::Operators;
use super::types::{NAMES, names_of};
use super::writer::{Mistake, Scope, Writer, indented};
use relax::release::Release;

pub struct Program {
    pub name: String,
    pub text: String,
    /// The mistake, if any.
    pub mistake: Option<Mistake>,
    /// A description for the report.
    pub label: String,
}

/// Makes the program of a seed. Every second one has a mistake.
pub fn program(seed: u64, release: Release, operators: &Operators) -> Program {
    let mut writer = Writer::new(seed, release, operators);
    let mistake = match writer.random.below(10) {
        0 | 1 => Some(Mistake::Operator),
        2 => Some(Mistake::Statement),
        3 | 4 => Some(Mistake::Edit),
        _ => None,
    };
    writer.type_vars = release == Release::V0_27 && writer.random.chance(30);
    let module = writer.random.chance(55);
    writer.devices = module && writer.random.chance(12);
    if module {
        for _ in 0..writer.random.below(4) {
            let helper = if writer.random.chance(50) {
                writer.prim_helper()
            } else {
                relax_helper(&mut writer)
            };
            writer.helpers.push(helper);
        }
    }
    writer.mistake = mistake;
    let size = writer.random.below(8) + 1;
    let (lines, _, _) = function(&mut writer, "main", size);
    let mut text = writer.file(lines, module);
    let mut made = mistake.filter(|_| writer.mistake.is_none());
    if mistake == Some(Mistake::Edit)
        && let Some((edited, label)) = edits::edit(&mut writer.random, &text)
    {
        (text, writer.label) = (edited, label);
        made = mistake;
    }
    Program {
        name: format!("{release:?}-{seed}"),
        text,
        mistake: made,
        label: writer.label,
    }
}

fn relax_helper(writer: &mut Writer<'_>) -> Helper {
    let name = writer.unused_name("helper");
    let (mut lines, params, pure) = function(writer, &name, 2);
    if writer.random.chance(15) {
        lines[0] = lines[0]
            .replace("@R.function", "@R.function(private=True)")
            .replace(")(", ", ");
    }
    Helper {
        name,
        lines,
        kind: HelperKind::Relax { params, pure },
    }
}

/// Makes a function. Returns it with the StructInfo of its parameters, and whether it is pure.
fn function(
    writer: &mut Writer<'_>,
    name: &str,
    size: usize,
) -> (Vec<String>, Vec<relax::sinfo::StructInfo>, bool) {
    writer.params.clear();
    let pure = writer.random.chance(75);
    let mut scope = Scope {
        pure,
        ..Scope::default()
    };
    let mut body = writer.block(&mut scope, size);
    let (result, info) = writer.result(&mut scope);
    body.push(format!("return {result}"));
    // The result may depend on variables of the body, which a signature cannot contain.
    let known = |name: &String| NAMES.contains(&name.as_str());
    let info = info.filter(|info| names_of(info).iter().all(known));
    let arrow = writer.arrow(info.as_ref());
    let params = declared(writer, &body, &arrow);
    let spelled: Vec<String> = writer
        .params
        .iter()
        .filter_map(|it| Some(format!("{}: {}", it.name, writer.signature_text(&it.info)?)))
        .collect();
    let mut lines = vec![
        if pure {
            "@R.function"
        } else {
            "@R.function(pure=False)"
        }
        .to_owned(),
    ];
    lines.push(format!("def {name}({}){arrow}:", spelled.join(", ")));
    lines.extend(indented(&body));
    (lines, params, pure)
}

/// Makes the first parameter declare all undeclared shape variables, and returns the StructInfo of all parameters.
fn declared(
    writer: &mut Writer<'_>,
    body: &[String],
    arrow: &str,
) -> Vec<relax::sinfo::StructInfo> {
    let text = body.join("\n") + arrow;
    let mut used: Vec<String> = writer
        .params
        .iter()
        .flat_map(|it| names_of(&it.info))
        .collect();
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    used.extend(words.filter(|it| NAMES.contains(it)).map(str::to_owned));
    used.sort();
    used.dedup();
    let defined: Vec<String> = writer
        .params
        .iter()
        .flat_map(|it| it.info.defined_vars())
        .map(|it| it.name.to_string())
        .collect();
    let missing: Vec<String> = used
        .into_iter()
        .filter(|it| !defined.contains(it))
        .collect();
    if !missing.is_empty() {
        let dims: Vec<_> = missing.iter().map(|it| super::types::symbol(it)).collect();
        let info = relax::sinfo::StructInfo::Shape(relax::sinfo::Shape::Known(dims.into()));
        let declaring = writer.new_param(info);
        writer.params.pop();
        writer.params.insert(0, declaring);
    }
    writer.params.iter().map(|it| it.info.clone()).collect()
}
