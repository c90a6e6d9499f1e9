//! What is known of the thing under the cursor: its StructInfo, where each dimension comes from, the
//! documentation of an operator.

pub mod operator;
mod prim;

use std::fmt::Write;

use hir::body::{Arg, Expr};
use hir::dialect::Dialect;
use hir::facts::{Def, VarFact, VarKind};
use hir::sinfo::StructInfo;
use hir::sym::SymVar;
use hir::{Database, FunctionKind, SourceFile, file_dialect, file_items};
use text_size::{TextRange, TextSize};

use crate::locate::Place;
use crate::types::Hover;

pub fn hover(db: &Database, file: SourceFile, offset: TextSize) -> Option<Hover> {
    if let Some(hover) = prim::hover(db, file, offset) {
        return Some(hover);
    }
    let place = Place::new(db, file, offset)?;
    let hovering = Hovering {
        db,
        file,
        dialect: file_dialect(db, file),
        place,
    };
    let (range, markdown) = match hovering.place.definition() {
        Some((def, range)) => (range, hovering.definition(&def, range)?),
        None => match hovering.keyword() {
            Some(found) => found,
            None => hovering.expression()?,
        },
    };
    Some(Hover {
        range: range + hovering.place.start,
        markdown,
    })
}

struct Hovering<'db> {
    db: &'db Database,
    file: SourceFile,
    dialect: Dialect,
    place: Place<'db>,
}

impl Hovering<'_> {
    fn definition(&self, def: &Def, range: TextRange) -> Option<String> {
        match def {
            Def::Var(id) => {
                let var = self.place.facts.var(*id);
                let title = format!("{}: {}", var.name, var.struct_info.display(self.dialect));
                let mut text = code(&title);
                text.push_str(role(var));
                text.push_str(&self.origins(&var.struct_info));
                Some(text)
            }
            Def::Sym(id) => {
                let sym = self.place.facts.sym_vars.get(id.0 as usize)?;
                let mut text = code(&format!("{}: int64", sym.var.name));
                text.push_str("shape variable");
                if let Some(origin) = self.origin(&sym.var) {
                    let _ = write!(text, "\n\n{origin}");
                }
                Some(text)
            }
            Def::Global(name) => {
                let signature = self.signature(name)?;
                Some(format!("{}function of the module", code(&signature)))
            }
            Def::Op(op) => {
                let mut text = operator::page(op.0);
                if let Some(result) = self.call_result(range) {
                    let filled =
                        format!("{} -> {}", self.filled(range), result.display(self.dialect));
                    text = format!("{}\n---\n\n{text}", code(&filled));
                    text.push_str(&self.origins(&result));
                }
                Some(text)
            }
            Def::Python(name) => Some(format!(
                "{}name of the Python code around the function",
                code(name)
            )),
        }
    }

    /// The parameter of an operator that a keyword names.
    fn keyword(&self) -> Option<(TextRange, String)> {
        let token = self.place.token.text_range();
        let (call, args) = self.place.expressions().into_iter().find_map(|expr| {
            match &self.place.body.exprs[expr] {
                Expr::Call { args, .. } => Some((expr, args)),
                _ => None,
            }
        })?;
        let named = |arg: &Arg| arg.keyword.as_ref().is_some_and(|name| name.range == token);
        let keyword = args.iter().find(|arg| named(arg))?.keyword.as_ref()?;
        let op = self.place.facts.calls.get(&call)?.op.0;
        let param = op.params.iter().find(|param| param.name == keyword.text)?;
        let mut text = code(&operator::parameter(param));
        text.push_str(param.doc);
        Some((token, text))
    }

    /// The innermost expression around the token whose StructInfo is known.
    fn expression(&self) -> Option<(TextRange, String)> {
        let facts = self.place.facts;
        let (expr, sinfo) = self.place.expressions().into_iter().find_map(|expr| {
            let sinfo = facts.value(expr).struct_info()?;
            (!sinfo.is_unknown()).then_some((expr, sinfo))
        })?;
        let mut text = code(&sinfo.display(self.dialect).to_string());
        text.push_str(&self.origins(&sinfo));
        Some((self.place.body.range(expr), text))
    }

    /// The header of a function of the module, with everything that is inferred of it.
    fn signature(&self, name: &str) -> Option<String> {
        let module = self.place.function.module(self.db);
        let functions = &file_items(self.db, self.file).functions;
        let function = *functions
            .iter()
            .find(|it| it.module(self.db) == module && it.name(self.db) == name)?;
        if function.kind(self.db) != FunctionKind::Relax {
            return Some(format!("def {name}(...)"));
        }
        let facts = hir::function_facts(self.db, function);
        let fact = facts.functions.first()?;
        let params: Vec<String> = fact
            .params
            .iter()
            .map(|&param| {
                let var = facts.var(param);
                format!("{}: {}", var.name, var.struct_info.display(self.dialect))
            })
            .collect();
        let ret = fact.ret.display(self.dialect);
        Some(format!("def {name}({}) -> {ret}", params.join(", ")))
    }

    /// The call whose callee is the name at `range`.
    fn call(&self, range: TextRange) -> Option<(hir::body::ExprId, &hir::facts::CallFact)> {
        let calls = &self.place.facts.calls;
        self.place.expressions().into_iter().find_map(|expr| {
            let call = calls.get(&expr)?;
            (self.place.body.range(expr).start() == range.start()).then_some((expr, call))
        })
    }

    fn call_result(&self, range: TextRange) -> Option<StructInfo> {
        let (expr, _) = self.call(range)?;
        let sinfo = self.place.facts.value(expr).struct_info()?;
        (!sinfo.is_unknown()).then_some(sinfo)
    }

    /// The operands of the call with their StructInfo: `(x: Tensor((n, 4), float32), ...)`.
    fn filled(&self, range: TextRange) -> String {
        let Some((_, call)) = self.call(range) else {
            return String::new();
        };
        let operand = |expr: hir::body::ExprId| {
            let sinfo = self.place.facts.value(expr).struct_info()?;
            let relax = matches!(
                sinfo,
                StructInfo::Tensor(_)
                    | StructInfo::Shape(_)
                    | StructInfo::Tuple(_)
                    | StructInfo::DTensor(_)
            );
            relax.then(|| sinfo.brief().to_string())
        };
        let operands: Vec<String> = call
            .op
            .0
            .params
            .iter()
            .zip(&call.args)
            .filter_map(|(param, arg)| {
                let operand = match arg {
                    hir::facts::ArgFact::One(expr) => operand(*expr)?,
                    hir::facts::ArgFact::Many(all) => {
                        let all: Vec<String> =
                            all.iter().filter_map(|expr| operand(*expr)).collect();
                        all.join(", ")
                    }
                    hir::facts::ArgFact::Absent => return None,
                };
                Some(format!("{}: {operand}", param.name))
            })
            .collect();
        format!("({})", operands.join(", "))
    }

    /// Where each shape variable of a StructInfo is bound, one line each.
    fn origins(&self, sinfo: &StructInfo) -> String {
        let mut vars: Vec<SymVar> = Vec::new();
        sinfo.for_each_sym_var(&mut |var| {
            if !vars.contains(var) {
                vars.push(var.clone());
            }
        });
        let mut text = String::new();
        for origin in vars.iter().filter_map(|var| self.origin(var)) {
            let _ = write!(text, "\n\n{origin}");
        }
        text
    }

    /// "`n` is dimension 0 of `x` (line 8)"
    fn origin(&self, var: &SymVar) -> Option<String> {
        let facts = self.place.facts;
        let sym = facts.sym_vars.iter().find(|sym| sym.var == *var)?;
        let at = sym.bound_at?;
        let line = self.line(at.start() + self.place.start);
        let binder = facts
            .vars
            .iter()
            .filter(|it| it.function == sym.function)
            .find(|it| {
                it.range.contains_range(at)
                    || (it.kind == VarKind::Param
                        && self.annotation_of(it).is_some_and(|a| a.contains_range(at)))
            });
        Some(match binder {
            Some(binder) => {
                let place = dimension_of(&binder.struct_info, var);
                let of = format!("`{}` ({}, line {line})", binder.name, role(binder));
                match place {
                    Some(place) => format!("`{}` is {place} of {of}", var.name),
                    None => format!("`{}` is bound by {of}", var.name),
                }
            }
            None => format!("`{}` is bound in line {line}", var.name),
        })
    }

    fn annotation_of(&self, param: &VarFact) -> Option<TextRange> {
        fn find(function: &hir::body::Function, name: TextRange) -> Option<hir::body::ExprId> {
            let own = function
                .params
                .iter()
                .find(|param| param.name.range == name);
            own.and_then(|param| param.annotation)
        }
        let annotation = find(&self.place.body.function, param.name_range)?;
        Some(self.place.body.range(annotation))
    }

    /// The line of an offset, from 1.
    fn line(&self, offset: TextSize) -> usize {
        let text = &self.file.source(self.db).text;
        1 + text[..offset.into()]
            .bytes()
            .filter(|&byte| byte == b'\n')
            .count()
    }
}

fn role(var: &VarFact) -> &'static str {
    match var.kind {
        VarKind::Param => "parameter",
        VarKind::Var => "variable",
        VarKind::Dataflow => "dataflow variable",
        VarKind::MatchCast => "bound by `R.match_cast`",
        VarKind::Function => "local function",
    }
}

/// "dimension 0" or "value 0", if the variable alone is one.
fn dimension_of(sinfo: &StructInfo, var: &SymVar) -> Option<String> {
    let at = |dims: &[hir::sym::SymExpr]| {
        let is_var = |dim: &hir::sym::SymExpr| dim.as_var() == Some(var);
        dims.iter().position(is_var)
    };
    match sinfo {
        StructInfo::Tensor(tensor) => at(tensor.dims()?).map(|i| format!("dimension {i}")),
        StructInfo::DTensor(dtensor) => {
            at(dtensor.tensor.dims()?).map(|i| format!("dimension {i}"))
        }
        StructInfo::Shape(shape) => at(shape.values()?).map(|i| format!("value {i}")),
        _ => None,
    }
}

fn code(text: &str) -> String {
    format!("```python\n{text}\n```\n")
}

#[cfg(test)]
mod tests;
