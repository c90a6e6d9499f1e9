//! Prints a stage of lowering as TVMScript.

mod annotation;
mod call;
mod names;
mod shape_funcs;
mod values;

use relax::dialect::Dialect;
use relax::release::Release;
use relax::sym::SymVar;
use text_size::TextRange;

use super::{Branch, Function, Stmt, StmtKind};
use crate::bytecode::{Program, Reg};
use crate::listing::Listing;
use names::Names;
use shape_funcs::ShapeFuncs;

/// Dialect-specific spellings.
struct Spelling {
    release: Release,
    out: &'static str,
    args: &'static str,
}

impl Spelling {
    fn new(release: Release) -> Spelling {
        match release.dialect() {
            Dialect::Type => Spelling {
                release,
                out: "out_ty",
                args: "ty_args",
            },
            // The oldest dialect has no names for the operators of explicit memory.
            Dialect::StructInfo | Dialect::Rfc => Spelling {
                release: release.max(Release::Unity),
                out: "out_sinfo",
                args: "sinfo_args",
            },
        }
    }
}

/// Prints a module of functions, followed by the source text of the PrimFuncs that they call.
pub fn module(
    program: &Program,
    functions: &[Function],
    prim_funcs: &[(String, TextRange)],
    release: Release,
) -> Listing {
    let spelling = Spelling::new(release);
    let mut listing = Listing::default();
    let typed = spelling.release.has_type_var();
    let tir = if spelling.release.has_tirx() {
        "tirx"
    } else {
        "tir"
    };
    let imports = format!("from tvm.script import ir as I, relax as R, {tir} as T");
    if typed {
        listing.line("from typing import TypeVar", None);
        listing.line(&imports, None);
        listing.line("", None);
        let mut names: Vec<_> = functions.iter().flat_map(shape_variables).collect();
        names.sort();
        names.dedup();
        for name in names {
            listing.line(&format!("{name} = TypeVar({name:?})"), None);
        }
    } else {
        listing.line(&imports, None);
        listing.line("", None);
    }
    listing.line("@I.ir_module", None);
    listing.line("class Module:", None);
    let shape_funcs = ShapeFuncs::new(program, functions, spelling.release);
    for (at, function) in functions.iter().enumerate() {
        if at > 0 {
            listing.line("", None);
        }
        Printer {
            program,
            function,
            at,
            shape_funcs: &shape_funcs,
            spelling: &spelling,
            names: Names::new(function),
            listing: &mut listing,
        }
        .function();
    }
    let prim_funcs = prim_funcs
        .iter()
        .map(|(text, range)| (indented(text), *range));
    let shape_funcs = shape_funcs.definitions.into_iter();
    for (lines, range) in shape_funcs.chain(prim_funcs) {
        listing.line("", None);
        for (at, line) in lines.iter().enumerate() {
            listing.line(line, (at == 0).then_some(range));
        }
    }
    listing
}

/// Returns the lines of a definition in its file, indented by one level.
fn indented(text: &str) -> Vec<String> {
    let margin = text
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = if at == 0 {
            line.trim_start()
        } else {
            line.get(margin..).unwrap_or_default()
        };
        lines.push(if line.is_empty() {
            String::new()
        } else {
            format!("    {line}")
        });
    }
    lines
}

/// Returns the shape variables that a function uses.
fn shape_variables(function: &Function) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |var: &SymVar| {
        if !var.is_python() && !names.iter().any(|name| name == var.name.as_str()) {
            names.push(var.name.to_string());
        }
    };
    for param in &function.params {
        param.struct_info.for_each_sym_var(&mut add);
    }
    for (_, var) in &function.captured_dims {
        add(var);
    }
    for var in &function.vars {
        var.struct_info.for_each_sym_var(&mut add);
    }
    names
}

struct Printer<'p> {
    program: &'p Program,
    function: &'p Function,
    /// The index of the function in the module.
    at: usize,
    shape_funcs: &'p ShapeFuncs<'p>,
    spelling: &'p Spelling,
    names: Names,
    listing: &'p mut Listing,
}

impl Printer<'_> {
    fn function(mut self) {
        let function = self.function;
        let typed = self.spelling.release.has_type_var();
        let mut marks: Vec<&str> = Vec::new();
        if function.name.contains('.') {
            marks.push("private=True");
        }
        if !function.pure {
            marks.push("pure=False");
        }
        let head = if marks.is_empty() {
            "@R.function".to_owned()
        } else {
            format!("@R.function({})", marks.join(", "))
        };
        let params: Vec<String> = function
            .params
            .iter()
            .enumerate()
            .map(|(at, param)| {
                let name = self.names.of(Reg(at as u32));
                match self.signature(&param.struct_info) {
                    Some(info) => format!("{name}: {info}"),
                    None => name.to_owned(),
                }
            })
            .collect();
        let ret = self
            .annotation(&function.ret)
            .map_or_else(String::new, |info| format!(" -> {info}"));
        let at = Some(function.header + function.start);
        self.line(1, &head, None);
        let def = format!(
            "def {}({}){ret}:",
            global(&function.name),
            params.join(", ")
        );
        self.line(1, &def, at);
        if !typed {
            for name in shape_variables(function) {
                self.line(2, &format!("{name} = T.int64()"), None);
            }
        }
        let mut attributes: Vec<String> = Vec::new();
        if let Some(count) = function.num_input {
            attributes.push(format!("\"num_input\": {count}"));
        }
        // Memory operators have effects, although the function as a whole has none.
        if function.pure && function.explicit {
            attributes.push("\"relax.force_pure\": True".to_owned());
        }
        if !attributes.is_empty() {
            let text = format!("R.func_attr({{{}}})", attributes.join(", "));
            self.line(2, &text, None);
        }
        self.line(2, "cls = Module", None);
        self.block(&function.body, 2);
    }

    fn line(&mut self, depth: usize, text: &str, at: Option<TextRange>) {
        let text = format!("{:width$}{text}", "", width = depth * 4);
        self.listing.line(&text, at);
    }

    fn block(&mut self, stmts: &[Stmt], depth: usize) {
        for stmt in stmts {
            self.stmt(stmt, depth);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) {
        let at = Some(stmt.origin.range + self.function.start);
        match &stmt.kind {
            StmtKind::Call { dst, callee, args } => {
                let call = self.call(*callee, args, *dst);
                let text = self.bind(*dst, &call);
                self.line(depth, &text, at);
            }
            StmtKind::Dps(dps) => {
                let call = self.dps(dps);
                let text = self.bind(dps.dst, &call);
                self.line(depth, &text, at);
            }
            StmtKind::MatchCast {
                dst, value, target, ..
            } => {
                let info = self
                    .annotation(target)
                    .unwrap_or_else(|| "R.Object".to_owned());
                let call = format!("R.match_cast({}, {info})", self.operand(*value));
                let text = format!("{}: {info} = {call}", self.names.of(*dst));
                self.line(depth, &text, at);
            }
            StmtKind::BindDim { value, var } => {
                let text = format!("{} = {}", var.name, self.operand(*value));
                self.line(depth, &text, at);
            }
            // The annotation of the function expresses it.
            StmtKind::CheckReturn { .. } => {}
            StmtKind::If {
                cond,
                dst,
                then,
                otherwise,
            } => {
                let text = format!("if {}:", self.operand(*cond));
                self.line(depth, &text, at);
                self.branch(then, *dst, depth + 1);
                self.line(depth, "else:", None);
                self.branch(otherwise, *dst, depth + 1);
            }
            StmtKind::Return(value) => {
                let text = format!("return {}", self.operand(*value));
                self.line(depth, &text, at);
            }
        }
    }

    fn branch(&mut self, branch: &Branch, dst: Reg, depth: usize) {
        self.block(&branch.body, depth);
        if let Some(value) = branch.value {
            let value = self.operand(value);
            let text = self.bind(dst, &value);
            self.line(depth, &text, None);
        }
    }

    /// Prints `x: R.Tensor(...) = value`, or only the value if nothing reads it.
    fn bind(&self, dst: Reg, value: &str) -> String {
        if self.names.is_nameless(dst) {
            return value.to_owned();
        }
        let name = self.names.of(dst);
        let info = self
            .function
            .vars
            .get(dst.0 as usize)
            .and_then(|var| self.annotation(&var.struct_info));
        match info {
            Some(info) => format!("{name}: {info} = {value}"),
            None => format!("{name} = {value}"),
        }
    }
}

/// Returns the name of a module function. Local functions have been lifted.
fn global(name: &str) -> String {
    name.replace('.', "_")
}
