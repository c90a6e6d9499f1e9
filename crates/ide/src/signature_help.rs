//! Signature help: the parameters of the call around the cursor, and the active one.

use hir::body::Function;
use hir::facts::VarKind;
use hir::{Database, FunctionItem, SourceFile};
use relax::FunctionKind;
use relax::dialect::Dialect;
use relax::dtype::DType;
use relax::ops::{OpDef, Param};
use relax::script::Namespace;
use relax::script::{self, Entry};
use relax::sinfo::{Callable, StructInfo};
use text_size::{TextRange, TextSize};

use crate::analysis::{Analysis, Cancellable};
use crate::callee::{Callee, calls_prim_func, fitting, param_of};
use crate::cursor::{Cursor, Open};
use crate::markdown::{Code, Markdown, markdown};
use crate::relay;
use crate::semantics::Scope;
use crate::types::{FilePosition, Parameter, Signature, SignatureHelp};

impl Analysis {
    /// Returns the signature help at a position.
    pub fn signature_help(&self, position: FilePosition) -> Cancellable<Option<SignatureHelp>> {
        self.with_file(position.file, |db, file| {
            if let Some((relay, offset)) = relay::text_at(db, file, position.offset) {
                return relay::signature_help::signature_help(relay.file, offset);
            }
            signature_help(db, file, position.offset)
        })
    }
}

fn signature_help(db: &Database, file: SourceFile, offset: TextSize) -> Option<SignatureHelp> {
    let cursor = Cursor::new(&file.source(db).parse.syntax(), offset)?;
    let (open, within) = cursor.call()?;
    let scope = Scope::new(db, file, &cursor);
    if scope.function.is_none() && scope.script(&open.callee.names).is_none() {
        return None;
    }
    let mut signatures = Vec::new();
    let mut fits = 0;
    match scope.callee(open)? {
        Callee::Op(op) => {
            let active = param_of(op.params, open);
            if within && calls_prim_func(op) && active == Some(1) {
                let position = cursor.open[0].position();
                let inner = scope.called_prim_func(open);
                signatures
                    .extend(inner.map(|function| scope.of_function(function, Some(position))));
            }
            signatures.push(scope.of_operator(op, active));
        }
        Callee::Method(op) => {
            let method = match open.callee.member.as_ref() {
                Some(member) => member.to_string(),
                None => open.callee.names.join("."),
            };
            signatures.push(of_method(&method, op, open));
        }
        Callee::DType(dtype) => signatures.push(scope.of_dtype(dtype, open)),
        Callee::Entry(path, entry) => {
            let namespace = scope.alias(path.namespace);
            let forms = entry.forms();
            fits = fitting(&forms, open);
            // Use the name as it is written if that says more: `Tx.cta.copy`.
            let name = match open.callee.names.as_slice() {
                [_] => format!("{namespace}.{}", path.rest),
                names => names.join("."),
            };
            signatures.extend(forms.iter().map(|form| of_form(&name, entry, form, open)));
        }
        Callee::Function(function) => {
            let active =
                (!within || function.kind(db) != FunctionKind::PrimFunc).then(|| open.position());
            signatures.push(scope.of_function(function, active));
        }
        Callee::Local(name, callable) => signatures.push(scope.of_local(&name, &callable, open)),
    }
    (!signatures.is_empty()).then_some(SignatureHelp {
        signatures,
        active: fits,
    })
}

/// Builds a label while recording the ranges of its parameters.
struct LabelWriter {
    signature: Signature,
    first: bool,
}

impl LabelWriter {
    fn new(name: &str) -> LabelWriter {
        LabelWriter {
            signature: Signature {
                label: format!("{name}("),
                ..Signature::default()
            },
            first: true,
        }
    }

    fn param(&mut self, text: &str, doc: &'static str) {
        let range = self.text(text);
        self.signature.params.push(Parameter {
            range,
            doc: doc.into(),
        });
    }

    /// Appends a text, and returns its range.
    fn text(&mut self, text: &str) -> TextRange {
        let label = &mut self.signature.label;
        if !std::mem::replace(&mut self.first, false) {
            label.push_str(", ");
        }
        let start = TextSize::of(label.as_str());
        label.push_str(text);
        TextRange::at(start, TextSize::of(text))
    }

    fn finish(mut self, ret: Option<String>, active: Option<usize>, doc: Markdown) -> Signature {
        self.signature.label.push(')');
        if let Some(ret) = ret {
            self.signature.label.push_str(" -> ");
            self.signature.label.push_str(&ret);
        }
        let count = self.signature.params.len();
        Signature {
            active: active.filter(|&active| active < count),
            doc,
            ..self.signature
        }
    }
}

impl<'db> Scope<'db> {
    fn of_operator(&self, op: &OpDef, active: Option<usize>) -> Signature {
        let relax = self.alias(Namespace::Relax);
        let name = format!("{relax}.{}", op.script());
        of_params(&name, op, op.params, active)
    }

    /// `T.int64(1)` is a number, and `T.int64()` is a variable.
    fn of_dtype(&self, dtype: DType, open: &Open) -> Signature {
        let tir = self.alias(Namespace::Tir);
        let mut writer = LabelWriter::new(&format!("{tir}.{dtype}"));
        let expr = "the value to convert; without it, the result is a variable";
        let size = "whether the variable is never negative";
        let params = [("expr=None", expr), ("is_size_var=False", size)];
        // TVM 0.25 removed the second overload.
        let count = if self.release().dialect() == Dialect::Type {
            1
        } else {
            2
        };
        let params = &params[..count];
        for (param, doc) in params {
            writer.param(param, doc);
        }
        let active = match &open.current().keyword {
            Some(keyword) => params
                .iter()
                .position(|(param, _)| param.split('=').next() == Some(keyword)),
            None => Some(open.position()).filter(|at| *at == 0),
        };
        let doc = markdown!("A value of dtype {}.", Code(dtype));
        writer.finish(None, active, doc)
    }

    fn of_function(&self, function: FunctionItem<'db>, active: Option<usize>) -> Signature {
        let signature = hir::function_signature(self.db, function);
        let header = &hir::function_body(self.db, function).function;
        let prim = function.kind(self.db) == FunctionKind::PrimFunc;
        let shown = |sinfo: &StructInfo| {
            if prim {
                sinfo.short().to_string()
            } else {
                self.written(sinfo)
            }
        };
        let mut writer = LabelWriter::new(&function.name(self.db));
        write_params(&mut writer, Some(header), &signature.params, &shown);
        let ret = signature.ret.as_ref().map(&shown);
        let doc = if prim {
            "A PrimFunc: its inputs, then its outputs."
        } else {
            ""
        };
        writer.finish(ret, active, doc.into())
    }

    fn of_local(&self, name: &str, callable: &Callable, open: &Open) -> Signature {
        let facts = self.facts();
        let var = facts.and_then(|facts| {
            let mut vars = facts.vars();
            vars.find(|var| var.kind == VarKind::Function && var.name == name)
        });
        let fact = facts.zip(var).and_then(|(facts, var)| {
            facts
                .functions
                .iter()
                .find(|function| function.name_range == var.name_range)
        });
        let shown = |sinfo: &StructInfo| self.written(sinfo);
        let mut writer = LabelWriter::new(name);
        match (facts, fact) {
            (Some(facts), Some(fact)) => {
                for &param in &fact.params {
                    let param = facts.var(param);
                    writer.param(&format!("{}: {}", param.name, shown(param.struct_info)), "");
                }
            }
            _ => write_params(
                &mut writer,
                None,
                callable.params.as_deref().unwrap_or_default(),
                &shown,
            ),
        }
        writer.finish(
            Some(shown(&callable.ret)),
            Some(open.position()),
            Markdown::default(),
        )
    }
}

/// A method takes the value before it as its first operand.
fn of_method(name: &str, op: &OpDef, open: &Open) -> Signature {
    let active = match param_of(op.params, open) {
        _ if open.current().keyword.is_none() => Some(open.position()),
        named => named.and_then(|at| at.checked_sub(1)),
    };
    of_params(name, op, op.params.get(1..).unwrap_or_default(), active)
}

fn of_params(name: &str, op: &OpDef, params: &[Param], active: Option<usize>) -> Signature {
    let mut writer = LabelWriter::new(name);
    for param in params {
        writer.param(&param.to_string(), param.doc);
    }
    let shapes = if op.shapes.is_empty() {
        Markdown::default()
    } else {
        markdown!("\n\n{}", Code(op.shapes))
    };
    writer.finish(None, active, markdown!("{}{}", op.summary, shapes))
}

fn write_params(
    writer: &mut LabelWriter,
    header: Option<&Function>,
    params: &[StructInfo],
    shown: &dyn Fn(&StructInfo) -> String,
) {
    for (at, param) in params.iter().enumerate() {
        let name = header.and_then(|header| header.params.get(at));
        let text = match name {
            Some(name) if param.is_unknown() => name.name.text.to_string(),
            Some(name) => format!("{}: {}", name.name.text, shown(param)),
            None => shown(param),
        };
        writer.param(&text, "");
    }
}

fn of_form(name: &str, entry: &Entry, form: &[script::DeclaredParam], open: &Open) -> Signature {
    let mut writer = LabelWriter::new(name);
    let star = script::lone_star(form);
    for (at, param) in form.iter().enumerate() {
        if star == Some(at) {
            writer.text("*");
        }
        writer.param(param.text, script::param_doc(entry, param.name));
    }
    writer.finish(None, param_of(form, open), entry.doc.into())
}
