//! A stage of lowering as TVMScript.

mod names;

use hir::dialect::Dialect;
use hir::ops::{OpDef, Param};
use hir::sinfo::{Shape, StructInfo, TensorShape};
use hir::sym::{SymExpr, SymVar};
use rustc_hash::FxHashMap;
use text_size::TextRange;

use super::{Branch, Dps, DpsOut, Function, Stmt, StmtKind};
use crate::bytecode::{Callee, CalleeId, Constant, DimExpr, Operand, Program, Reg};
use crate::kernels::Arg;
use crate::listing::Listing;
use crate::tensor::{Scalar, Tensor};
use crate::value::Value;
use names::Names;

/// Elements of a constant that are printed.
const MOST_ELEMENTS: usize = 64;

/// How a dialect writes what differs.
struct Spelling {
    dialect: Dialect,
    out: &'static str,
    args: &'static str,
}

impl Spelling {
    fn new(dialect: Dialect) -> Spelling {
        match dialect {
            Dialect::Type => Spelling {
                dialect,
                out: "out_ty",
                args: "ty_args",
            },
            // The oldest dialect has no names for what explicit memory is made of.
            Dialect::StructInfo | Dialect::Rfc => Spelling {
                dialect: Dialect::StructInfo,
                out: "out_sinfo",
                args: "sinfo_args",
            },
        }
    }
}

/// A module of functions, followed by the text of the PrimFuncs that they call.
pub fn module(
    program: &Program,
    functions: &[Function],
    prim_funcs: &[(String, TextRange)],
    dialect: Dialect,
) -> Listing {
    let spelling = Spelling::new(dialect);
    let mut listing = Listing::default();
    let typed = spelling.dialect == Dialect::Type;
    if typed {
        listing.line("from typing import TypeVar", None);
        listing.line(
            "from tvm.script import ir as I, relax as R, tirx as T",
            None,
        );
        listing.line("", None);
        let mut names: Vec<_> = functions.iter().flat_map(shape_variables).collect();
        names.sort();
        names.dedup();
        for name in names {
            listing.line(&format!("{name} = TypeVar({name:?})"), None);
        }
    } else {
        listing.line("from tvm.script import ir as I, relax as R, tir as T", None);
        listing.line("", None);
    }
    listing.line("@I.ir_module", None);
    listing.line("class Module:", None);
    for (at, function) in functions.iter().enumerate() {
        if at > 0 {
            listing.line("", None);
        }
        Printer {
            program,
            function,
            spelling: &spelling,
            names: Names::new(function),
            listing: &mut listing,
        }
        .function();
    }
    for (text, range) in prim_funcs {
        listing.line("", None);
        for (at, line) in indented(text).iter().enumerate() {
            listing.line(line, (at == 0).then_some(*range));
        }
    }
    listing
}

/// A definition as it stands in its file, one level in.
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

/// The shape variables that a function names.
fn shape_variables(function: &Function) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |var: &SymVar| {
        if var.id != hir::infer::PYTHON_DIM && !names.iter().any(|name| name == var.name.as_str()) {
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
    spelling: &'p Spelling,
    names: Names,
    listing: &'p mut Listing,
}

impl Printer<'_> {
    fn function(mut self) {
        let function = self.function;
        let typed = self.spelling.dialect == Dialect::Type;
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
        // What memory is made of has effects, which the function as a whole has not.
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
            // The annotation of the function says it.
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

    /// `x: R.Tensor(...) = value`, or the value alone where nobody reads it.
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

    fn dps(&self, dps: &Dps) -> String {
        let outs: Vec<String> = dps
            .outs
            .iter()
            .map(|out| {
                let (DpsOut::New { tensor, .. } | DpsOut::Reuse { tensor, .. }) = out;
                self.annotation(&StructInfo::Tensor(tensor.clone()))
                    .unwrap_or_else(|| "R.Tensor".to_owned())
            })
            .collect();
        let outs = if dps.tuple {
            format!("[{}]", outs.join(", "))
        } else {
            outs.join(", ")
        };
        let args = self.tuple(&dps.args);
        let mut parts = vec![args, format!("{}={outs}", self.spelling.out)];
        if !dps.scalars.is_empty() {
            let scalars: Vec<String> = dps.scalars.iter().map(|&it| self.dimension(it)).collect();
            parts.push(format!("tir_vars=R.shape([{}])", scalars.join(", ")));
        }
        let reused: Vec<String> = dps
            .outs
            .iter()
            .map(|out| match out {
                DpsOut::New { .. } => "-1".to_owned(),
                DpsOut::Reuse { value, .. } => dps
                    .args
                    .iter()
                    .position(|arg| arg == value)
                    .map_or_else(|| "-1".to_owned(), |at| at.to_string()),
            })
            .collect();
        let inplace = reused.iter().any(|at| at != "-1");
        if inplace {
            parts.insert(1, format!("inplace_indices=[{}]", reused.join(", ")));
        }
        match self.program.callee(dps.callee) {
            Some(Callee::PrimFunc(prim)) => {
                let op = if inplace {
                    "call_tir_inplace"
                } else {
                    "call_tir"
                };
                format!("R.{op}(cls.{}, {})", prim.name, parts.join(", "))
            }
            other => {
                let name = other.map(|it| self.program.callee_name(it));
                format!(
                    "R.call_dps_packed({:?}, {})",
                    name.unwrap_or_default(),
                    parts.join(", ")
                )
            }
        }
    }

    fn call(&self, callee: CalleeId, args: &[Operand], dst: Reg) -> String {
        match self.program.callee(callee) {
            Some(Callee::Kernel(op, _)) => self.operator(op, args),
            Some(Callee::PrimFunc(prim)) => format!("cls.{}({})", prim.name, self.list(args)),
            Some(Callee::Function(function)) => {
                format!("cls.{}({})", global(&function.name), self.list(args))
            }
            Some(Callee::Builtin(builtin)) => self.builtin(builtin.name, args, dst),
            Some(Callee::External { name, .. }) => self.packed(name, args, dst),
            None => "None".to_owned(),
        }
    }

    fn operator(&self, op: &OpDef, args: &[Operand]) -> String {
        let mut parts: Vec<String> = Vec::with_capacity(args.len());
        let mut keywords = false;
        for (param, &arg) in op.params.iter().zip(args) {
            let Some(text) = self.argument(param, arg) else {
                keywords = true;
                continue;
            };
            let attribute = matches!(arg, Operand::Const(id) if matches!(
                self.program.constant(id),
                Some(Constant::Attr(_) | Constant::DType(_))
            ));
            if (keywords || attribute) && !param.star {
                keywords = true;
                parts.push(format!("{}={text}", param.name));
            } else {
                parts.push(text);
            }
        }
        format!("R.{}({})", op.script(), parts.join(", "))
    }

    /// An argument as it is written; `None` for one that is not.
    fn argument(&self, param: &Param, operand: Operand) -> Option<String> {
        if let Operand::Const(id) = operand {
            return match self.program.constant(id) {
                Some(Constant::Attr(Arg::Default)) => None,
                Some(Constant::Attr(Arg::List(items))) if param.star => {
                    Some(items.iter().map(literal).collect::<Vec<_>>().join(", "))
                }
                Some(Constant::Attr(attr)) => Some(literal(attr)),
                Some(Constant::DType(dtype)) if param.kind == hir::ops::Kind::DType => {
                    Some(format!("\"{dtype}\""))
                }
                _ => Some(self.operand(operand)),
            };
        }
        Some(self.operand(operand))
    }

    fn builtin(&self, name: &str, args: &[Operand], dst: Reg) -> String {
        let rest = args.get(1..).unwrap_or_default();
        match (name, args) {
            ("vm.builtin.make_tuple", []) => "R.tuple()".to_owned(),
            ("vm.builtin.make_tuple", _) => self.tuple(args),
            ("vm.builtin.tuple_getitem", &[tuple, Operand::Int(at)]) => {
                format!("{}[{at}]", self.operand(tuple))
            }
            ("vm.builtin.copy", &[value]) => self.operand(value),
            ("vm.builtin.make_closure", &[function, ..]) => {
                format!(
                    "R.make_closure({}, {})",
                    self.operand(function),
                    self.tuple(rest)
                )
            }
            ("vm.builtin.invoke_closure", &[closure, ..]) => format!(
                "R.invoke_closure({}, {}, {}={})",
                self.operand(closure),
                self.tuple(rest),
                self.spelling.args,
                self.result(dst)
            ),
            ("vm.builtin.alloc_shape_heap", _) => format!(
                "R.call_builtin_with_ctx(\"{name}\", {}, {}=(R.Tensor(dtype=\"int64\", ndim=1),))",
                self.tuple(args),
                self.spelling.args
            ),
            _ => match hir::ops::by_name(name, self.spelling.dialect) {
                Some(op) => self.operator(op, args),
                None => self.packed(name, args, dst),
            },
        }
    }

    fn packed(&self, name: &str, args: &[Operand], dst: Reg) -> String {
        let mut parts = vec![format!("{name:?}")];
        parts.extend(args.iter().map(|&arg| self.operand(arg)));
        parts.push(format!("{}=({},)", self.spelling.args, self.result(dst)));
        format!("R.call_packed({})", parts.join(", "))
    }

    /// What a call is said to give.
    fn result(&self, dst: Reg) -> String {
        let var = self.function.vars.get(dst.0 as usize);
        let info = var.and_then(|var| self.annotation(&var.struct_info));
        match info {
            Some(info) => info,
            None if self.names.is_nameless(dst) => "R.Tuple".to_owned(),
            None => StructInfo::Object
                .display(self.spelling.dialect)
                .to_string(),
        }
    }

    fn list(&self, operands: &[Operand]) -> String {
        let parts: Vec<String> = operands.iter().map(|&it| self.operand(it)).collect();
        parts.join(", ")
    }

    fn tuple(&self, operands: &[Operand]) -> String {
        match operands {
            [one] => format!("({},)", self.operand(*one)),
            _ => format!("({})", self.list(operands)),
        }
    }

    /// An operand where a dimension stands.
    fn dimension(&self, operand: Operand) -> String {
        if let Operand::Const(id) = operand {
            match self.program.constant(id) {
                Some(Constant::Sym(value)) => return value.to_string(),
                Some(Constant::Value(Value::Prim(prim))) => return prim.value.to_string(),
                _ => {}
            }
        }
        self.operand(operand)
    }

    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Reg(reg) | Operand::Last(reg) => self.names.of(reg).to_owned(),
            Operand::Int(value) => self.scalar(&value.to_string()),
            Operand::Callee(id) => match self.program.callee(id) {
                Some(callee) => format!("cls.{}", global(&self.program.callee_name(callee))),
                None => "None".to_owned(),
            },
            Operand::Const(id) => match self.program.constant(id) {
                Some(Constant::Value(value)) => self.value(value),
                Some(Constant::Attr(attr)) => literal(attr),
                Some(Constant::Shape(dims)) => shape(dims),
                Some(Constant::Sym(value)) => self.scalar(&value.to_string()),
                Some(Constant::Dim(dim)) => format!("R.str({:?})", computed(dim)),
                Some(Constant::DType(dtype)) => format!("R.dtype(\"{dtype}\")"),
                None => "None".to_owned(),
            },
        }
    }

    /// A number as a value of Relax.
    fn scalar(&self, text: &str) -> String {
        match self.spelling.dialect {
            Dialect::Type => text.to_owned(),
            _ => format!("R.prim_value({text})"),
        }
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Tensor(tensor) => constant(tensor),
            Value::Shape(dims) => {
                let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
                format!("R.shape([{}])", dims.join(", "))
            }
            Value::Prim(prim) => self.scalar(&number(prim.value)),
            Value::Str(text) => format!("R.str({text:?})"),
            Value::DType(dtype) => format!("R.dtype(\"{dtype}\")"),
            Value::Tuple(fields) => {
                let fields: Vec<String> = fields.iter().map(|it| self.value(it)).collect();
                format!("({},)", fields.join(", "))
            }
            Value::Function(name) => format!("cls.{}", global(name)),
            Value::Packed(name) => format!("R.ExternFunc({name:?})"),
            Value::Null => "R.null_value()".to_owned(),
            Value::Closure(_) | Value::Storage(_) => value.describe(),
        }
    }

    /// StructInfo as an annotation, if the dialect can write it.
    fn annotation(&self, info: &StructInfo) -> Option<String> {
        if info.is_unknown() {
            return None;
        }
        let text = info.display(self.spelling.dialect).to_string();
        (!text.contains('?')).then_some(text)
    }

    /// The annotation of a parameter, which may bind its shape variables.
    fn signature(&self, info: &StructInfo) -> Option<String> {
        match self.spelling.dialect {
            Dialect::Type => self.annotation(info),
            _ => self.annotation(&quoted(info)),
        }
    }
}

/// StructInfo with its symbolic dimensions as strings.
fn quoted(info: &StructInfo) -> StructInfo {
    let quote = |dims: &[SymExpr]| -> std::sync::Arc<[SymExpr]> {
        dims.iter()
            .map(|dim| match dim.as_int() {
                Some(_) => dim.clone(),
                None => SymExpr::var(SymVar {
                    name: format!("\"{dim}\"").into(),
                    id: 0,
                }),
            })
            .collect()
    };
    match info {
        StructInfo::Tensor(tensor) => {
            let mut tensor = tensor.clone();
            if let TensorShape::Known(dims) = &tensor.shape {
                tensor.shape = TensorShape::Known(quote(dims));
            }
            StructInfo::Tensor(tensor)
        }
        StructInfo::Shape(Shape::Known(dims)) => StructInfo::Shape(Shape::Known(quote(dims))),
        StructInfo::Tuple(fields) => StructInfo::Tuple(fields.iter().map(quoted).collect()),
        StructInfo::Prim(prim) => {
            let mut prim = prim.clone();
            prim.value = prim.value.map(|value| {
                SymExpr::var(SymVar {
                    name: format!("\"{value}\"").into(),
                    id: 0,
                })
            });
            StructInfo::Prim(prim)
        }
        other => other.clone(),
    }
}

/// The name of a function of the module; a local one has been lifted out.
fn global(name: &str) -> String {
    name.replace('.', "_")
}

fn shape(dims: &[SymExpr]) -> String {
    let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
    format!("R.shape([{}])", dims.join(", "))
}

/// What is computed of slots of the heap.
fn computed(dim: &DimExpr) -> String {
    let slots: FxHashMap<&SymVar, u32> = dim.slots.iter().map(|(var, at)| (var, *at)).collect();
    let text = dim.expr.substitute(&|var| {
        let at = slots.get(var)?;
        Some(SymExpr::var(SymVar {
            name: format!("H[{at}]").into(),
            id: *at,
        }))
    });
    text.to_string()
}

fn number(value: Scalar) -> String {
    match value {
        Scalar::Float(value) if !value.is_finite() => format!("float(\"{value}\")"),
        other => other.to_string(),
    }
}

fn constant(tensor: &Tensor) -> String {
    if tensor.len() > MOST_ELEMENTS {
        return format!(
            "metadata[\"relax.expr.Constant\"]  # {:?} {}",
            tensor.shape(),
            tensor.dtype()
        );
    }
    format!(
        "R.const({}, \"{}\")",
        nested(tensor, tensor.shape(), 0),
        tensor.dtype()
    )
}

fn nested(tensor: &Tensor, shape: &[usize], start: usize) -> String {
    let Some((&extent, rest)) = shape.split_first() else {
        return tensor.get(start).map_or_else(String::new, number);
    };
    let step: usize = rest.iter().product();
    let items: Vec<String> = (0..extent)
        .map(|k| nested(tensor, rest, start + k * step))
        .collect();
    format!("[{}]", items.join(", "))
}

fn literal(attr: &Arg) -> String {
    match attr {
        Arg::Value(value) => value.describe(),
        Arg::Default | Arg::None => "None".to_owned(),
        Arg::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        Arg::Int(value) => value.to_string(),
        Arg::Float(value) => number(Scalar::Float(*value)),
        Arg::Str(value) => format!("{value:?}"),
        Arg::DType(dtype) => format!("\"{dtype}\""),
        Arg::IndexMap(map) => {
            let inputs: Vec<&str> = map.inputs.iter().map(|var| var.name.as_str()).collect();
            let outputs: Vec<String> = map.outputs.iter().map(ToString::to_string).collect();
            format!("lambda {}: ({},)", inputs.join(", "), outputs.join(", "))
        }
        Arg::List(items) => {
            let items: Vec<String> = items.iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
    }
}
