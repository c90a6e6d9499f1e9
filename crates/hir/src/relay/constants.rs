//! Values that the text of a call gives: attributes and constant scalars.

use relax::relay::Value;
use relax::relay::ops::{self, Entry};
use smol_str::SmolStr;

use super::body::{AttrValue, Body, Expr, ExprId, Scalar};
use super::env::Env;
use super::facts::Facts;
use crate::metadata::{Metadata, Referent};

/// The most elements of a shape or of another list of numbers that are read.
const MOST_ELEMENTS: usize = 256;

/// The attributes of a call, in the form that a relation reads.
pub type Attributes = Vec<(SmolStr, Value)>;

/// Reads the constants of a definition whose names are resolved.
#[derive(Clone, Copy, Debug)]
pub struct Constants<'a> {
    pub env: &'a Env,
    pub facts: &'a Facts,
}

impl Constants<'_> {
    /// Returns the inputs and the attributes of an operator call. The metadata may hold the attributes.
    pub fn attributes<'e>(
        &self,
        body: &Body,
        call: ExprId,
        args: &'e [ExprId],
    ) -> (&'e [ExprId], Attributes) {
        let metadata = &self.env.metadata;
        let Expr::Call { attrs, callee, .. } = &body[call] else {
            return (args, Vec::new());
        };
        let operator = match &body[*callee] {
            Expr::Name(name) => ops::by_name(name),
            _ => None,
        };
        if let (inputs, Some(attrs)) = split_attributes(metadata, body, args, operator) {
            return (inputs, attrs);
        }
        let read = attrs
            .iter()
            .map(|it| (it.name.text.clone(), attr_value(metadata, &it.value)));
        (args, read.collect())
    }

    /// Returns the elements of a constant, if they are few.
    pub fn elements(&self, body: &Body, expr: ExprId) -> Option<Vec<f64>> {
        let expr = match &body[expr] {
            Expr::Local(_) => self.facts.value(self.facts.use_of(expr)?)?,
            _ => expr,
        };
        if let Expr::Meta(reference) = &body[expr]
            && let Referent::Constant(constant) = self.env.metadata.referent(reference)
        {
            return constant.elements(MOST_ELEMENTS);
        }
        if let Some(extents) = self.extents_asked_for(body, expr) {
            return Some(extents);
        }
        self.scalar(body, expr).map(|it| vec![it])
    }

    /// Returns the result of `shape_of` for a tensor whose extents are all known.
    fn extents_asked_for(&self, body: &Body, expr: ExprId) -> Option<Vec<f64>> {
        let Expr::Call { callee, args, .. } = &body[expr] else {
            return None;
        };
        if !matches!(&body[*callee], Expr::Name(name) if name == "shape_of") {
            return None;
        }
        let tensor = self.facts.expr(*args.first()?)?.as_tensor()?;
        let extents = tensor.extents()?;
        Some(extents.into_iter().map(|it| it as f64).collect())
    }

    /// Returns the value of an expression that is a constant scalar.
    pub fn scalar(&self, body: &Body, expr: ExprId) -> Option<f64> {
        match &body[expr] {
            Expr::Constant(it) => match it.value {
                Scalar::Int(value) => Some(value as f64),
                Scalar::Float(value) => Some(value),
                Scalar::Bool(_) => None,
            },
            Expr::Meta(reference) => match self.env.metadata.referent(reference) {
                Referent::Constant(it) => it.scalar(),
                Referent::Other | Referent::Missing => None,
            },
            Expr::Local(_) => {
                let value = self.facts.value(self.facts.use_of(expr)?)?;
                match &body[value] {
                    Expr::Constant(_) | Expr::Meta(_) => self.scalar(body, value),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Splits the record of attributes off the arguments of an operator: `meta[relay.attrs.InitOpAttrs][0]` after the
/// inputs.
pub(super) fn split_attributes<'e>(
    metadata: &Metadata,
    body: &Body,
    args: &'e [ExprId],
    operator: Option<&Entry>,
) -> (&'e [ExprId], Option<Attributes>) {
    if let [inputs @ .., last] = args
        && let Expr::Meta(reference) = &body[*last]
        && let Some(attrs) = metadata.attributes(reference, operator)
    {
        return (inputs, Some(attrs));
    }
    (args, None)
}

pub(super) fn attr_value(metadata: &Metadata, value: &AttrValue) -> Value {
    match value {
        AttrValue::Missing | AttrValue::Expr(_) => Value::Opaque,
        AttrValue::Scalar(Scalar::Int(value)) => Value::Int(*value),
        AttrValue::Scalar(Scalar::Float(value)) => Value::Float(*value),
        AttrValue::Scalar(Scalar::Bool(value)) => Value::Bool(*value),
        AttrValue::Str(text) => Value::Str(text.clone()),
        AttrValue::None => Value::None,
        AttrValue::List(items) => {
            Value::List(items.iter().map(|it| attr_value(metadata, it)).collect())
        }
        AttrValue::Meta(reference) => metadata.value(reference),
    }
}
