//! Makes statements that bind one value: arithmetic, tuples, shapes, numbers, constants, casts, effects.

use super::release::Words as _;
use relax::dtype::DType;
use relax::sinfo::{Shape, StructInfo};

use super::statements::Lines;
use super::types::{self, NAMES};
use super::writer::{Scope, Var, Writer};

impl Writer<'_> {
    /// Operators of Python.
    pub fn arithmetic(&mut self, scope: &mut Scope) -> Lines {
        let left = self.some_tensor(scope);
        let right = if self.random.chance(60) {
            self.operand(scope, &left.info)?
        } else {
            let dtype = left.info.as_tensor()?.dtype?;
            match self.random.below(3) {
                0 => format!("R.const(1, \"{dtype}\")"),
                _ => self.some_tensor(scope).name,
            }
        };
        let left = left.name;
        let text = match self.random.below(9) {
            0 => format!("-{left}"),
            1 => format!("{left} - {right}"),
            2 => format!("{left} * {right}"),
            3 => format!("{left} / {right}"),
            4 => format!("{left} // {right}"),
            5 => format!("{left} < {right}"),
            6 => format!("{left} >= {right}"),
            7 => format!("{left} ** {right}"),
            _ => format!("{left} + {right}"),
        };
        self.learn(scope, &[format!("probed = {text}")], &["probed"])?;
        Some(self.bind(scope, text))
    }

    pub fn tuple(&mut self, scope: &mut Scope) -> Lines {
        let count = self.random.weighted(&[(1, 0), (2, 1), (6, 2), (2, 3)]);
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(self.some_var(scope, |_| true)?.name);
        }
        let text = match (count, self.random.below(4)) {
            (0, _) => "()".to_owned(),
            (_, 0) => format!("R.tuple({})", items.join(", ")),
            (1, _) => format!("({},)", items[0]),
            (_, 1) => items.join(", "),
            _ => format!("({})", items.join(", ")),
        };
        Some(self.bind(scope, text))
    }

    pub fn some_tuple(&mut self, scope: &Scope) -> Var {
        let tuple = self.some_var(
            scope,
            |it| matches!(it, StructInfo::Tuple(fields) if !fields.is_empty()),
        );
        tuple.unwrap_or_else(|| {
            let names = NAMES.map(String::from);
            let count = self.random.below(3) + 1;
            let fields: Vec<StructInfo> = (0..count)
                .map(|_| types::any(&mut self.random, &names, 1))
                .collect();
            self.new_param(StructInfo::tuple(fields))
        })
    }

    pub fn field(&mut self, scope: &mut Scope) -> Lines {
        let tuple = self.some_tuple(scope);
        let StructInfo::Tuple(fields) = &tuple.info else {
            return None;
        };
        let at = self.random.below(fields.len());
        Some(self.bind(scope, format!("{}[{at}]", tuple.name)))
    }

    pub fn unpack(&mut self, scope: &mut Scope) -> Lines {
        let tuple = self.some_tuple(scope);
        let StructInfo::Tuple(fields) = &tuple.info else {
            return None;
        };
        let names: Vec<String> = fields.iter().map(|_| self.unused_name("v")).collect();
        let comma = if names.len() == 1 { "," } else { "" };
        let lines = vec![format!("{}{comma} = {}", names.join(", "), tuple.name)];
        self.reach(scope, &lines, names);
        Some(lines)
    }

    pub fn match_cast(&mut self, scope: &mut Scope) -> Lines {
        let names = NAMES.map(String::from);
        let var = if self.random.chance(80) {
            self.some_tensor(scope)
        } else {
            self.some_var(scope, |it| !matches!(it, StructInfo::Callable(_)))?
        };
        let mut lines = Vec::new();
        let target = match &var.info {
            StructInfo::Tensor(tensor) => {
                let rank = tensor.ndim().unwrap_or_else(|| self.random.below(3) + 1);
                let mut dims = types::dims(&mut self.random, &names, rank);
                for (new, old) in dims.iter_mut().zip(tensor.dims().unwrap_or_default()) {
                    if old.as_int().is_some() || self.random.chance(60) {
                        *new = old.clone();
                    }
                }
                if rank > 0 && self.random.chance(50) {
                    let new = self.unused_name("q");
                    let at = self.random.below(rank);
                    dims[at] = types::symbol(&new);
                    lines.push(format!("{new} = T.int64()"));
                    scope.names.push(new);
                }
                let dtype = tensor
                    .dtype
                    .or_else(|| Some(types::dtype(&mut self.random)));
                relax::sinfo::Tensor::new(dims, dtype).into()
            }
            StructInfo::Object => types::any(&mut self.random, &names, 1),
            StructInfo::Shape(shape) => {
                let rank = match shape {
                    Shape::Known(dims) => dims.len(),
                    Shape::Unknown(rank) => rank.unwrap_or(2),
                };
                let dims = (0..rank).map(|_| types::symbol(self.random.pick::<&str>(&NAMES)));
                StructInfo::Shape(Shape::Known(dims.collect()))
            }
            other => types::coarser(&mut self.random, other),
        };
        let text = self.body_text(&target)?;
        let name = self.unused_name("v");
        lines.push(format!("{name} = R.match_cast({}, {text})", var.name));
        self.reach(scope, &lines, vec![name]);
        Some(lines)
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "all makers of lines have one signature"
    )]
    pub fn shape(&mut self, scope: &mut Scope) -> Lines {
        let text = match self.random.below(3) {
            0 => format!("R.shape_of({})", self.some_tensor(scope).name),
            _ => {
                let mut names = NAMES.map(String::from).to_vec();
                names.extend(scope.names.iter().cloned());
                let rank = self.random.below(4);
                let dims = types::dims(&mut self.random, &names, rank);
                format!(
                    "R.shape({})",
                    types::dims_tuple(&dims, types::Dims::Bare).replace(['(', ')'], "|")
                )
                .replacen('|', "[", 1)
                .replacen('|', "]", 1)
            }
        };
        Some(self.bind(scope, text))
    }

    /// Numbers that are values of Relax.
    pub fn scalar(&mut self, scope: &mut Scope) -> Lines {
        let prim =
            types::prim(
                *self
                    .random
                    .pick(&[DType::I64, DType::I64, DType::F32, DType::BOOL]),
            );
        let var = self.operand(scope, &prim)?;
        // TVM 0.25 and older have no arithmetic of scalars.
        let ways = if self.release.has_types() { 10 } else { 4 };
        let text = match self.random.below(ways) {
            0 => "R.prim_value(2)".to_owned(),
            1 => "R.prim_value(n + 1)".to_owned(),
            2 => "R.prim_value(1.5)".to_owned(),
            3 => "R.prim_value(True)".to_owned(),
            4 => "n * 2".to_owned(),
            5 => format!("{var} + 1"),
            6 => format!("{var} * {var}"),
            7 => format!("-{var}"),
            8 => format!("{var} < 3"),
            _ => format!("R.prim_value({var})"),
        };
        Some(self.bind(scope, text))
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "all makers of lines have one signature"
    )]
    pub fn constant(&mut self, scope: &mut Scope) -> Lines {
        let text = *self.random.pick(&[
            "R.const(1.0, \"float32\")",
            "R.const(1, \"int32\")",
            "R.const([1.0, 2.0], \"float32\")",
            "R.const([[1, 2], [3, 4]], \"int64\")",
            "R.const(True, \"bool\")",
            "R.const(1.5)",
            "R.const(2)",
            "R.str(\"word\")",
            "R.dtype(\"float32\")",
        ]);
        Some(self.bind(scope, text.to_owned()))
    }

    /// Calls that only impure functions make.
    pub fn effect(&mut self, scope: &mut Scope) -> Lines {
        let tensor = self.some_tensor(scope).name;
        let text = match self.random.below(4) {
            0 => format!("R.print({tensor}, format=\"{{}}\")"),
            1 => {
                let condition = self.operand(scope, &types::bool_scalar())?;
                format!("R.assert_op({condition}, {tensor}, format=\"{{}}\")")
            }
            2 => format!(
                "R.call_packed(\"packed.effect\", {tensor}, {}=R.Tuple())",
                self.release.args()
            ),
            _ => format!(
                "R.call_inplace_packed(\"packed.inplace\", {tensor}, inplace_indices=0, {}=R.Tensor(ndim=2))",
                self.release.args()
            ),
        };
        Some(self.bind(scope, text))
    }
}
