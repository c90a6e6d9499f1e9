//! Lowers expressions to operands: registers, constants, or results of calls.

use hir::body::{Expr, ExprId};
use hir::facts::Def;
use relax::FunctionKind;
use relax::dtype::DType;
use relax::script::{Namespace, ScriptPath};
use relax::sinfo::StructInfo;
use relax::value::Value as Known;
use text_size::TextRange;

use super::function::{Lower, Lowered};
use super::literal;
use crate::bytecode::Operand;
use crate::error::RunResult;
use crate::tensor::{Kind, Scalar, Tensor};
use crate::value::Value;

impl Lower<'_, '_, '_> {
    pub fn range(&self, expr: ExprId) -> TextRange {
        self.source.body.range(expr)
    }

    /// Lowers a value that a statement binds or returns. A Python number becomes a tensor of rank 0.
    pub fn bound_value(&mut self, expr: ExprId) -> Lowered<Operand> {
        let scalar = match self.source.facts.value(expr) {
            Known::Int(value) => Some((Kind::I32, Scalar::Int(*value))),
            Known::Float(value) => Some((Kind::F32, Scalar::Float(*value))),
            Known::Bool(value) => Some((Kind::Bool, Scalar::Bool(*value))),
            _ => None,
        };
        match scalar {
            Some((kind, value)) => match Tensor::full(kind, &[], value) {
                Ok(tensor) => Ok(self.value_constant(tensor)),
                Err(error) => {
                    let range = self.range(expr);
                    Err(self.error(range, error.to_string()))
                }
            },
            None => self.value(expr),
        }
    }

    /// Lowers an expression to its run-time value.
    pub fn value(&mut self, expr: ExprId) -> Lowered<Operand> {
        let body = self.source.body;
        let facts = self.source.facts;
        if let Some(Def::Var(var)) = facts.def(expr) {
            return self.var(*var);
        }
        if let Some(constant) = self.indexed_constant(expr) {
            return constant;
        }
        match &body.exprs[expr] {
            Expr::Call { callee, args } => return self.lower_call(expr, *callee, args),
            Expr::Tuple(items) | Expr::List(items)
                if items
                    .iter()
                    .all(|&i| !matches!(body.exprs[i], Expr::Star(_))) =>
            {
                return self.tuple(items);
            }
            Expr::Subscript { base, index } => {
                if let Some(item) = self.item_of_literal(*base, *index) {
                    return self.value(item);
                }
                if let (Known::Expr(_), Known::Int(at)) = (facts.value(*base), facts.value(*index))
                {
                    let tuple = self.value(*base)?;
                    return self
                        .builtin("vm.builtin.tuple_getitem", vec![tuple, Operand::Int(*at)]);
                }
            }
            _ => {}
        }
        if let Some(call) = facts.call(expr) {
            return self.operator(expr, call);
        }
        let range = self.range(expr);
        match facts.value(expr) {
            Known::Int(value) => Ok(self.value_constant(Value::int(*value))),
            Known::Float(value) => Ok(self.value_constant(Value::float(*value))),
            Known::Bool(value) => Ok(self.value_constant(Value::bool(*value))),
            Known::Str(value) => Ok(self.value_constant(Value::Str(value.clone()))),
            Known::None => Ok(self.value_constant(Value::Null)),
            Known::Sym(value) => self.prim(value, range),
            Known::Global(name) => self.function_value(name, range),
            Known::Extern(symbol) => self.packed_value(symbol, range),
            Known::Expr(StructInfo::Prim(prim)) => match &prim.value {
                Some(value) => self.prim(value, range),
                None => Err(self.only_python(expr)),
            },
            _ => Err(self.only_python(expr)),
        }
    }

    /// Returns the item that `(a, b)[1]` chooses.
    fn item_of_literal(&self, base: ExprId, index: ExprId) -> Option<ExprId> {
        let (Expr::Tuple(items) | Expr::List(items)) = &self.source.body.exprs[base] else {
            return None;
        };
        let &Known::Int(at) = self.source.facts.value(index) else {
            return None;
        };
        let at = if at < 0 { at + items.len() as i64 } else { at };
        items.get(usize::try_from(at).ok()?).copied()
    }

    pub fn only_python(&mut self, expr: ExprId) -> super::function::Failed {
        let range = self.range(expr);
        let message = match &self.source.body.exprs[expr] {
            Expr::Name(name) => format!("the value of `{name}` is only known when Python runs"),
            _ if self.source.body.is_metadata(expr) => {
                "the text lacks this entry of its metadata".to_owned()
            }
            _ => "this value is only known when Python runs".to_owned(),
        };
        self.error(range, message)
    }

    pub fn tuple(&mut self, items: &[ExprId]) -> Lowered<Operand> {
        let mut fields = Vec::with_capacity(items.len());
        for &item in items {
            fields.push(self.value(item)?);
        }
        self.builtin("vm.builtin.make_tuple", fields)
    }

    /// Returns a module function as a value.
    fn function_value(&mut self, name: &smol_str::SmolStr, range: TextRange) -> Lowered<Operand> {
        match self.link.kind(name) {
            Some(FunctionKind::PrimFunc) => {
                self.prim_func(name, range)?;
            }
            _ if self.link.global(name).is_some() => {}
            _ => {
                let message =
                    format!("`{name}` cannot be a value: it is not a function of the module");
                return Err(self.error(range, message));
            }
        }
        Ok(self.value_constant(Value::Function(name.clone())))
    }

    pub fn packed_value(
        &mut self,
        symbol: &smol_str::SmolStr,
        range: TextRange,
    ) -> Lowered<Operand> {
        if self.link.builtin(symbol).is_none() && self.link.external(symbol, 0).is_none() {
            return Err(self.unknown_packed(symbol, range));
        }
        Ok(self.value_constant(Value::Packed(symbol.clone())))
    }

    /// Resolves `callee` to a name under `R`, or under `tvm.relax`, which has the same meaning.
    pub fn relax_path(&self, callee: ExprId) -> Option<&ScriptPath> {
        match self.source.facts.value(callee) {
            Known::Script(path)
                if matches!(path.namespace, Namespace::Relax | Namespace::Python) =>
            {
                Some(path)
            }
            _ => None,
        }
    }

    /// Returns a tensor from a number, a nested list, or a call of NumPy: `np.array([[1, 2]])`, `np.zeros((2, 2))`.
    fn array(&self, value: ExprId, dtype: DType) -> Option<RunResult<Tensor>> {
        let facts = self.source.facts;
        let Expr::Call { callee, args } = &self.source.body.exprs[value] else {
            return literal::tensor(facts.value(value), dtype);
        };
        // Inference evaluates `float("inf")`.
        let Expr::Attribute { name, .. } = &self.source.body.exprs[*callee] else {
            return literal::tensor(facts.value(value), dtype);
        };
        let first = args.first().filter(|arg| arg.keyword.is_none())?.value;
        let fill = match name.text.as_str() {
            "array" | "asarray" | "tensor" => return self.array(first, dtype),
            "zeros" => 0,
            "ones" => 1,
            _ => return literal::tensor(facts.value(value), dtype),
        };
        let shape = match facts.value(first) {
            Known::Int(extent) => vec![usize::try_from(*extent).ok()?],
            Known::List(items) => items
                .iter()
                .map(|item| match item {
                    Known::Int(extent) => usize::try_from(*extent).ok(),
                    _ => None,
                })
                .collect::<Option<Vec<usize>>>()?,
            _ => return None,
        };
        Some(Kind::of(dtype).and_then(|kind| Tensor::full(kind, &shape, Scalar::Int(fill))))
    }

    /// Returns the dtype argument of a NumPy call.
    fn array_dtype(&self, value: ExprId) -> Option<DType> {
        let exprs = &self.source.body.exprs;
        let Expr::Call { args, .. } = &exprs[value] else {
            return None;
        };
        let is_dtype = |name: &hir::body::Name| name.text == "dtype";
        let Some(dtype) = args
            .iter()
            .find(|arg| arg.keyword.as_ref().is_some_and(is_dtype))
        else {
            return self.array_dtype(args.first()?.value);
        };
        match (self.source.facts.value(dtype.value), &exprs[dtype.value]) {
            (Known::Str(text), _) => DType::parse(text),
            // As in `np.int64`.
            (_, Expr::Attribute { name, .. }) => DType::parse(&name.text),
            _ => None,
        }
    }

    /// Lowers `R.const(value, dtype)`.
    pub fn const_tensor(&mut self, expr: ExprId, value: ExprId) -> Lowered<Operand> {
        let facts = self.source.facts;
        let known = match facts.value(expr) {
            Known::Expr(StructInfo::Tensor(info)) => info.known_dtype(),
            _ => None,
        };
        let range = self.range(expr);
        let Some(dtype) = known.or_else(|| self.array_dtype(value)) else {
            return Err(self.only_python(value));
        };
        match self.array(value, dtype) {
            Some(Ok(tensor)) => Ok(self.value_constant(tensor)),
            Some(Err(error)) => Err(self.error(range, error.to_string())),
            None => Err(self.only_python(value)),
        }
    }
}
