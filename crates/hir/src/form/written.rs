//! Rows of code without a typed program: each statement as written, with bound names identified by their rows.

use super::value::Writer;
use super::{RowKind, Token, word};
use crate::body::{Expr, ExprId, FormatPart, Name, Stmt, StmtKind};
use crate::enclosing::script_path;

pub(super) fn write(writer: &mut Writer<'_>) {
    let function = &writer.body.function;
    for param in function.params.iter() {
        let row = writer.row(RowKind::Parameter, &param.name.text, param.name.range);
        writer.part("annotation");
        if let Some(it) = &param.annotation {
            writer.written(*it);
        }
        writer.bind(row, 0, &param.name);
    }
    writer.end_signature();
    for stmt in &function.body {
        writer.stmt_written(stmt);
    }
}

impl Writer<'_> {
    fn bind(&mut self, row: u32, nth: u32, name: &Name) {
        self.names
            .insert(name.text.clone(), Token::Row { row, nth });
    }

    fn stmt_written(&mut self, stmt: &Stmt) {
        if let StmtKind::Expr(expr) = &stmt.kind
            && self.attributes(*expr)
        {
            return;
        }
        let bound = own_names(stmt);
        let row = self.stmt_alone(stmt, &bound);
        for (nth, name) in (0..).zip(&bound) {
            self.bind(row, nth, name);
        }
        let around = self.parent.replace(row);
        for block in stmt.blocks() {
            for it in block {
                self.stmt_written(it);
            }
        }
        self.parent = around;
    }

    /// Adds a statement without the blocks inside it.
    pub fn stmt_alone(&mut self, stmt: &Stmt, bound: &[Name]) -> u32 {
        let name = bound.first().map(|it| it.text.clone()).unwrap_or_default();
        let row = self.row(RowKind::Statement, &name, stmt.range);
        self.part("statement");
        self.word(keyword(&stmt.kind));
        if matches!(stmt.kind, StmtKind::Python { .. } | StmtKind::Error) {
            let hash = word(self.text(stmt.range));
            self.token(Token::Word(hash));
        }
        let mut exprs: Vec<ExprId> = Vec::new();
        stmt.for_each_expr(&mut |expr| exprs.push(expr));
        for expr in exprs {
            self.written(expr);
        }
        row
    }

    /// Adds an expression as written.
    pub fn written(&mut self, expr: ExprId) {
        let body = self.body;
        if let Expr::Call { callee, args } = &body.exprs[expr]
            && let [arg] = args.as_slice()
            && matches!(
                body.exprs[arg.value],
                Expr::Int(_) | Expr::Bool(_) | Expr::Float(_)
            )
            && let Some(path) = script_path(body, *callee, self.env)
            && ::relax::dtype::DType::of_constructor(&path.rest).is_some()
        {
            // `T.int64(4)`, `T.bool(True)`.
            return self.written(arg.value);
        }
        match &body.exprs[expr] {
            Expr::Name(name) => match self.names.get(name).copied() {
                Some(token) => self.token(token),
                None => match script_path(body, expr, self.env) {
                    Some(path) => self.word(("script", path.rest.as_str())),
                    None => self.word(("name", name.as_str())),
                },
            },
            Expr::Attribute { name, .. } => self.word(("attribute", name.text.as_str())),
            Expr::None => self.word("None"),
            // Up to 0.25, TVM prints a truth value among attributes as a number.
            Expr::Bool(it) => self.word(("int", &i64::from(*it))),
            Expr::Int(it) => self.word(("int", it)),
            Expr::BigNumber(it) => self.word(("big", it)),
            Expr::Float(it) => self.word(("float", it.to_bits())),
            Expr::Str(it) => self.word(("str", it.as_str())),
            Expr::Binary { op, .. } => self.word(("binary", op)),
            Expr::Unary { op, .. } => self.word(("unary", op)),
            Expr::Compare { rest, .. } => {
                for (op, _) in rest {
                    self.word(("compare", op));
                }
            }
            Expr::BoolOp { op, operands } => self.word(("bool", op, operands.len())),
            Expr::Call { args, .. } => {
                self.word(("call", args.len()));
                for arg in args {
                    self.word((arg.keyword.as_ref().map(|it| it.text.as_str()), arg.starred));
                }
            }
            Expr::Format(parts) => {
                for part in parts {
                    if let FormatPart::Text(text) = part {
                        self.word(("text", text.as_str()));
                    }
                }
            }
            Expr::Tuple(items) => self.word(("tuple", items.len())),
            Expr::List(items) => self.word(("list", items.len())),
            Expr::Python(items) => self.word(("python", items.len())),
            Expr::Suspended { keyword, value } => self.word((*keyword, value.is_some())),
            Expr::Dict(entries) => self.word(("dict", entries.len())),
            Expr::Slice { start, stop, step } => {
                self.word(("slice", start.is_some(), stop.is_some(), step.is_some()));
            }
            other => self.word(std::mem::discriminant(other)),
        }
        let mut children: Vec<ExprId> = Vec::new();
        body.exprs[expr].for_each_child(&mut |child| children.push(child));
        for child in children {
            self.written(child);
        }
    }
}

/// Returns the names that a statement itself binds.
pub(super) fn own_names(stmt: &Stmt) -> Vec<Name> {
    let mut bound: Vec<Name> = Vec::new();
    stmt.for_each_own_name(&mut |name| bound.push(name.clone()));
    bound
}

fn keyword(kind: &StmtKind) -> &'static str {
    match kind {
        StmtKind::Assign { .. } | StmtKind::AnnAssign { .. } => "=",
        StmtKind::AugAssign { .. } => "op=",
        StmtKind::Expr(_) => "",
        StmtKind::Return(_) => "return",
        StmtKind::If { .. } => "if",
        StmtKind::With { .. } => "with",
        StmtKind::For { .. } => "for",
        StmtKind::While { .. } => "while",
        StmtKind::Function(_) => "def",
        StmtKind::Assert { .. } => "assert",
        StmtKind::Pass => "pass",
        StmtKind::Python { keyword, .. } => keyword,
        StmtKind::Error => "error",
    }
}
