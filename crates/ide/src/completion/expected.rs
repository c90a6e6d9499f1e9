//! Determines the parameter at the cursor, and ranks values by how well they fit it.

use std::sync::Arc;

use hir::body::Expr;
use relax::FunctionKind;
use relax::ops::{Kind, OpDef};
use relax::parts::Parts;
use relax::script::Entry;
use relax::sinfo::{Callable, StructInfo};
use relax::value::Value;
use syntax::SyntaxKind;
use text_size::TextRange;

use super::Site;
use super::fit::{self, Operand};
use super::item::rank;
use crate::callee::{Callee, calls_prim_func, param_at, param_of, struct_info};
use crate::cursor::Open;

pub enum Expected<'db> {
    Anything,
    /// A parameter of an operator, or an element of a tuple parameter.
    Operand(Operand<'db>),
    /// The next argument of a function whose parameters have StructInfo.
    Argument {
        callable: Arc<Callable>,
        before: Vec<StructInfo>,
    },
    /// A dimension.
    Dim,
    DType,
    Annotation,
    Bool,
    /// The condition of an `if`.
    Condition,
    /// An output of a dataflow block.
    Output,
    /// A string or a number, but no variable.
    Literal,
}

impl<'db> Site<'_, 'db> {
    pub fn expected(self) -> Expected<'db> {
        let Some((open, within)) = self.cursor.call() else {
            let tests = matches!(
                self.cursor.before,
                Some(SyntaxKind::IF_KW | SyntaxKind::ELIF_KW)
            );
            let relax = self.scope.kind() == Some(FunctionKind::Relax);
            return match self.returned() {
                _ if tests && relax && self.cursor.open.is_empty() => Expected::Condition,
                Some(ret) => expected_argument([ret].into(), Vec::new()),
                None => Expected::Anything,
            };
        };
        match self.scope.callee(open) {
            Some(Callee::Op(op)) => self.expected_operand(op, open, within),
            Some(Callee::Entry(_, entry)) => expected_entry(entry, open),
            Some(Callee::Function(function)) => {
                let signature = hir::function_signature(self.scope.db, function);
                expected_argument(signature.params.clone(), self.scope.arguments(open))
            }
            Some(Callee::Local(_, callable)) => Expected::Argument {
                callable,
                before: self.scope.arguments(open),
            },
            Some(Callee::Method(_)) => Expected::DType,
            Some(Callee::DType(_)) | None => Expected::Anything,
        }
    }

    /// After `return`: returns the annotated return type of the function.
    fn returned(self) -> Option<StructInfo> {
        let after = self.cursor.before == Some(SyntaxKind::RETURN_KW);
        let facts = self.scope.facts().filter(|_| after)?;
        let at = self.scope.relative(self.cursor.line.start);
        let function = facts.function_at(TextRange::empty(at));
        facts.functions[function].annotated_ret.clone()
    }

    fn expected_operand(self, op: &'static OpDef, open: &Open, within: bool) -> Expected<'db> {
        let Some(index) = param_of(op.params, open) else {
            return Expected::Literal;
        };
        if within && calls_prim_func(op) && index == 1 {
            return match self.scope.called_prim_func(open) {
                Some(function) => {
                    let signature = hir::function_signature(self.scope.db, function);
                    expected_argument(signature.params.clone(), self.elements_before(open, index))
                }
                None => Expected::Anything,
            };
        }
        match op.params[index].kind {
            Kind::Annotation => Expected::Annotation,
            Kind::DType => Expected::DType,
            Kind::Shape | Kind::Ints if within => Expected::Dim,
            Kind::Bool => Expected::Bool,
            Kind::Float | Kind::Str | Kind::VDevice => Expected::Literal,
            _ => Expected::Operand(Operand {
                op,
                index,
                operands: self.scope.operands(op, open),
                element: within && self.cursor.open[0].bracket != SyntaxKind::L_BRACE,
                releases: self.scope.releases,
                vdevices: self
                    .scope
                    .module
                    .map_or(&[], |module| module.vdevices(self.scope.db)),
            }),
        }
    }

    /// Returns the StructInfo of the elements before the cursor in a tuple argument.
    pub fn elements_before(self, open: &Open, index: usize) -> Vec<StructInfo> {
        let elements = || {
            let (facts, body) = (self.scope.facts()?, self.scope.body()?);
            let (_, args) = self.scope.call_of(open)?;
            let (Expr::Tuple(items) | Expr::List(items)) = &body.exprs[args.get(index)?.value]
            else {
                return None;
            };
            let cursor = self.scope.relative(self.cursor.word.start());
            let before = items
                .iter()
                .take_while(|&&item| body.range(item).end() < cursor);
            Some(before.map(|&item| struct_info(facts, item)).collect())
        };
        elements().unwrap_or_default()
    }
}

fn expected_argument(params: Parts<StructInfo>, before: Vec<StructInfo>) -> Expected<'static> {
    let callable = Callable {
        params: Some(params),
        ret: StructInfo::Unknown,
        pure: true,
    };
    Expected::Argument {
        callable: Arc::new(callable),
        before,
    }
}

fn expected_entry(entry: &'static Entry, open: &Open) -> Expected<'static> {
    let Some(param) = param_at(entry, open) else {
        return Expected::Anything;
    };
    match (entry.name, param.name) {
        ("dtype", _) => Expected::DType,
        (_, name) if name.ends_with("dtype") => Expected::DType,
        ("shape", "value") | (_, "shape" | "values" | "extents" | "pattern") => Expected::Dim,
        ("Tuple", _) | (_, "struct_info" | "ty" | "params" | "ret") => Expected::Annotation,
        (_, "name" | "scope" | "thread" | "global_symbol") => Expected::Literal,
        ("output" | "outputs", _) => Expected::Output,
        _ if matches!(param.text.rsplit('=').next(), Some("True" | "False")) => Expected::Bool,
        _ => Expected::Anything,
    }
}

impl Expected<'_> {
    pub fn is_annotation(&self) -> bool {
        matches!(self, Expected::Annotation)
    }

    /// Returns `true` if the parameter takes a function itself, not its result.
    pub fn is_function(&self) -> bool {
        matches!(self, Expected::Operand(it) if it.param().kind == Kind::Function)
    }

    pub fn is_dim(&self) -> bool {
        match self {
            Expected::Dim => true,
            Expected::Operand(it) => matches!(it.param().kind, Kind::Int | Kind::Ints),
            _ => false,
        }
    }

    pub fn rank_of(&self, value: &Value) -> u8 {
        match self {
            Expected::Anything => rank::MAY_FIT,
            Expected::Operand(operand) => operand.rank_of(value),
            Expected::Argument { callable, before } => fit::argument(callable, before, value),
            Expected::Dim => fit::dim(value),
            Expected::Condition => fit::condition(value),
            Expected::DType
            | Expected::Annotation
            | Expected::Bool
            | Expected::Output
            | Expected::Literal => rank::UNFIT,
        }
    }

    pub fn rank_of_op(&self, _: &OpDef) -> u8 {
        match self {
            Expected::DType
            | Expected::Annotation
            | Expected::Bool
            | Expected::Output
            | Expected::Literal
            | Expected::Dim => rank::UNFIT,
            _ if self.is_function() => rank::UNFIT,
            _ => rank::OTHER,
        }
    }

    pub fn rank_of_function(&self, prim: bool) -> u8 {
        match (self, prim) {
            (Expected::Operand(Operand { op, .. }), true) if self.is_function() => {
                if calls_prim_func(op) {
                    rank::FITS
                } else {
                    rank::OTHER
                }
            }
            (Expected::Operand(Operand { op, .. }), false) if self.is_function() => {
                if calls_prim_func(op) {
                    rank::UNFIT
                } else {
                    rank::FITS
                }
            }
            (_, true) => rank::UNFIT,
            (_, false) => rank::FITS,
        }
    }
}
