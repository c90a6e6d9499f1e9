//! Finds what is at a position of a function, in time proportional to the nesting depth.

use text_size::TextRange;

use super::{Body, CompClause, Expr, ExprId, FormatPart, Function, Name, Stmt, StmtKind, Target};

impl Expr {
    /// Calls `f` with the direct subexpressions.
    pub fn for_each_child(&self, f: &mut dyn FnMut(ExprId)) {
        match self {
            Expr::Missing
            | Expr::Name(_)
            | Expr::None
            | Expr::Bool(_)
            | Expr::Int(_)
            | Expr::Endless
            | Expr::BigNumber(_)
            | Expr::Float(_)
            | Expr::Str(_)
            | Expr::Ellipsis => {}
            Expr::Tuple(items) | Expr::List(items) | Expr::Python(items) => {
                items.iter().copied().for_each(f);
            }
            Expr::Suspended { value, .. } => value.iter().copied().for_each(f),
            Expr::Format(parts) => {
                for part in parts {
                    if let FormatPart::Field(field) = part {
                        f(*field);
                    }
                }
            }
            Expr::Dict(entries) => {
                for (key, value) in entries {
                    key.iter().copied().for_each(&mut *f);
                    f(*value);
                }
            }
            Expr::Call { callee, args } => {
                f(*callee);
                for arg in args {
                    f(arg.value);
                }
            }
            Expr::Attribute { base, .. } => f(*base),
            Expr::Subscript { base, index } => {
                f(*base);
                f(*index);
            }
            Expr::Slice { start, stop, step } => {
                [start, stop, step]
                    .into_iter()
                    .flatten()
                    .for_each(|&part| f(part));
            }
            Expr::Binary { lhs, rhs, .. } => {
                f(*lhs);
                f(*rhs);
            }
            Expr::Unary { operand, .. } | Expr::Not(operand) | Expr::Star(operand) => f(*operand),
            Expr::Compare { first, rest } => {
                f(*first);
                for (_, operand) in rest {
                    f(*operand);
                }
            }
            Expr::BoolOp { operands, .. } => operands.iter().copied().for_each(f),
            Expr::IfElse {
                test,
                then,
                otherwise,
            } => {
                f(*test);
                f(*then);
                f(*otherwise);
            }
            Expr::Lambda(lambda) => {
                let defaults = lambda.params.iter().filter_map(|param| param.default);
                defaults.for_each(&mut *f);
                f(lambda.body);
            }
            Expr::Comprehension(it) => {
                it.key.into_iter().for_each(&mut *f);
                f(it.element);
                for clause in &it.clauses {
                    match clause {
                        CompClause::For { target, iter } => {
                            target.for_each_expr(f);
                            f(*iter);
                        }
                        CompClause::If(test) => f(*test),
                    }
                }
            }
            Expr::Walrus { value, .. } => f(*value),
        }
    }
}

impl Target {
    fn for_each_expr(&self, f: &mut dyn FnMut(ExprId)) {
        match self {
            Target::Name(_) => {}
            Target::Tuple(targets, _) => targets.iter().for_each(|target| target.for_each_expr(f)),
            Target::Place(place) => f(*place),
        }
    }
}

impl Target {
    fn for_each_name(&self, f: &mut dyn FnMut(&Name)) {
        match self {
            Target::Name(name) => f(name),
            Target::Tuple(targets, _) => targets.iter().for_each(|it| it.for_each_name(f)),
            Target::Place(_) => {}
        }
    }
}

impl Stmt {
    /// Calls `f` with the expressions of the statement itself: for a block, only those of its header.
    pub fn for_each_expr(&self, f: &mut dyn FnMut(ExprId)) {
        match &self.kind {
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    target.for_each_expr(f);
                }
                f(*value);
            }
            StmtKind::AnnAssign {
                target,
                annotation,
                value,
            } => {
                target.for_each_expr(f);
                f(*annotation);
                value.iter().copied().for_each(f);
            }
            StmtKind::AugAssign { target, value, .. } => {
                target.for_each_expr(f);
                f(*value);
            }
            StmtKind::Expr(value) => f(*value),
            StmtKind::Return(value) => value.iter().copied().for_each(f),
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => f(*test),
            StmtKind::With { items, .. } => {
                for (context, target) in items {
                    f(*context);
                    if let Some(target) = target {
                        target.for_each_expr(f);
                    }
                }
            }
            StmtKind::For { target, iter, .. } => {
                target.for_each_expr(f);
                f(*iter);
            }
            StmtKind::Function(function) => function.for_each_header_expr(f),
            StmtKind::Assert { test, message } => {
                f(*test);
                message.iter().copied().for_each(f);
            }
            StmtKind::Pass | StmtKind::Python { .. } | StmtKind::Error => {}
        }
    }

    /// Calls `f` with the names that the statement binds, including nested blocks.
    pub fn for_each_bound(&self, f: &mut dyn FnMut(&Name)) {
        self.for_each_own_name(f);
        // Names bound in a local function are not visible outside.
        if !matches!(self.kind, StmtKind::Function(_)) {
            for stmt in self.blocks().into_iter().flatten() {
                stmt.for_each_bound(f);
            }
        }
    }

    /// Calls `f` with the names that the statement itself binds.
    pub fn for_each_own_name(&self, f: &mut dyn FnMut(&Name)) {
        match &self.kind {
            StmtKind::Assign { targets, .. } => targets.iter().for_each(|it| it.for_each_name(f)),
            StmtKind::AnnAssign { target, .. }
            | StmtKind::AugAssign { target, .. }
            | StmtKind::For { target, .. } => target.for_each_name(f),
            StmtKind::With { items, .. } => {
                let targets = items.iter().filter_map(|(_, target)| target.as_ref());
                targets.for_each(|target| target.for_each_name(f));
            }
            StmtKind::Function(function) => f(&function.name),
            StmtKind::Python { binds, .. } => binds.iter().for_each(f),
            _ => {}
        }
    }

    /// Returns the blocks inside the statement, in order.
    pub fn blocks(&self) -> Vec<&[Stmt]> {
        match &self.kind {
            StmtKind::If {
                then, otherwise, ..
            } => {
                let otherwise = otherwise.as_deref();
                std::iter::once(then.as_slice()).chain(otherwise).collect()
            }
            StmtKind::With { body, .. }
            | StmtKind::For { body, .. }
            | StmtKind::While { body, .. } => vec![body],
            StmtKind::Function(function) => vec![&function.body],
            _ => Vec::new(),
        }
    }
}

impl Function {
    fn for_each_header_expr(&self, f: &mut dyn FnMut(ExprId)) {
        self.decorators.iter().copied().for_each(&mut *f);
        self.type_params
            .iter()
            .filter_map(|param| param.bound)
            .for_each(&mut *f);
        for param in self.params.iter() {
            param
                .annotation
                .into_iter()
                .chain(param.default)
                .for_each(&mut *f);
        }
        self.ret.into_iter().for_each(f);
    }
}

impl Body {
    /// Returns the expression that a dotted name starts with: `a` for `a.b.c`.
    pub fn dotted_root(&self, mut expr: ExprId) -> ExprId {
        while let Expr::Attribute { base, .. } = &self.exprs[expr] {
            expr = *base;
        }
        expr
    }

    /// Returns the expressions around `range`, innermost first.
    pub fn exprs_around(&self, range: TextRange) -> Vec<ExprId> {
        let mut around = Vec::new();
        let mut inside = |root: ExprId| self.descend(root, range, &mut around);
        match self.stmt_around(range) {
            Some(stmt) => stmt.for_each_expr(&mut inside),
            None => self.function.for_each_header_expr(&mut inside),
        }
        around.reverse();
        around
    }

    /// Returns the innermost statement around `range`.
    pub fn stmt_around(&self, range: TextRange) -> Option<&Stmt> {
        self.stmts_around(range).last()
    }

    /// Returns the statements around `range`, outermost first. In a body of several pieces, these are the statements of
    /// one piece if it contains the range.
    pub fn stmts_around(&self, range: TextRange) -> impl Iterator<Item = &Stmt> {
        let first = match self.exprs.piece_at(range) {
            Some((piece, true)) => stmt_in(&piece.function.body, range),
            // The range spans several pieces.
            Some((_, false)) => stmt_in(&self.function.body, range),
            None => None,
        };
        std::iter::successors(first, move |stmt| {
            let mut blocks = stmt.blocks().into_iter();
            blocks.find_map(|block| stmt_in(block, range))
        })
    }

    fn descend(&self, root: ExprId, range: TextRange, around: &mut Vec<ExprId>) {
        let mut next = Some(root);
        while let Some(expr) = next.take() {
            if !self.range(expr).contains_range(range) {
                return;
            }
            around.push(expr);
            // Take the last one that fits: an unreadable expression has the range of its parent, and comes first.
            self.exprs[expr].for_each_child(&mut |child| {
                if self.range(child).contains_range(range) {
                    next = Some(child);
                }
            });
        }
    }
}

/// Returns the statement of a block that contains `range`.
fn stmt_in(block: &[Stmt], range: TextRange) -> Option<&Stmt> {
    let after = block.partition_point(|stmt| stmt.range.start() <= range.start());
    let stmt = &block[after.checked_sub(1)?];
    stmt.range.contains_range(range).then_some(stmt)
}
