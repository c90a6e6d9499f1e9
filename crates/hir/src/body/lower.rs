//! Lowers the typed tree of a function to its [`Body`]. Reports nothing: what is missing becomes `Missing`.

use smol_str::SmolStr;
use syntax::ast::{self, AstNode, FStringPart, Stars, StringPiece};
use syntax::pieces::{Piece, pieces};
use syntax::{GreenNodeData, SyntaxToken};
use text_size::{TextRange, TextSize};

use super::bound::{Bound, bound_by};
use super::exprs::{Arena, Part, Parts};
use super::{
    Arg, Body, CompClause, Comprehension, ELSE_IF, Expr, ExprId, Exprs, FormatPart, Function,
    Header, Lambda, Name, Param, ParamKind, Place, Stmt, StmtKind, Suite, Target, TypeParam,
};

/// Lowers a function. The header is taken from `before`, another version, if it is the same.
pub fn lower(function: &GreenNodeData, before: Option<&Body>) -> Body {
    let old = before.into_iter().flat_map(Body::pieces);
    let mut pieces = pieces(function, old.map(|(piece, _)| piece)).into_iter();
    let Some(first) = pieces.next() else {
        return Body::default();
    };
    let known = before.and_then(|before| before.header_from(&first));
    let lowered = || first.header().map(|def| header(&def));
    let mut body = known.or_else(lowered).unwrap_or_default();
    body.header = Some(Header(first));
    body.function.range = TextRange::up_to(function.text_len());
    let parts = pieces.enumerate().map(|(index, piece)| Part {
        place: Place::of(&piece, index + 1),
        piece,
    });
    body.with_pieces(Parts::new(parts.collect()))
}

/// Lowers the function without its statements.
fn header(def: &ast::FunctionDef) -> Body {
    let mut lower = Lower::new(Place::default());
    let function = lower.function(def, false);
    lower.finish(function)
}

/// Lowers a piece after the header, as the body of a function that contains nothing else.
pub(super) fn piece(piece: &Piece, place: Place) -> Body {
    let mut lower = Lower::new(place);
    let stmts = match piece.with() {
        Some(with) => vec![lower.stmt(&ast::Stmt::WithStmt(with))],
        None => piece.stmts().map(|stmt| lower.stmt(&stmt)).collect(),
    };
    lower.finish(Function {
        body: stmts.into(),
        ..Function::default()
    })
}

/// Lowers one expression to a separate body.
pub fn lower_expr(expr: &ast::Expr) -> (Body, ExprId) {
    let mut lower = Lower::new(Place::default());
    let id = lower.expr(Some(expr.clone()), expr.range());
    (lower.finish(Function::default()), id)
}

struct Lower {
    exprs: Arena,
    /// The id of the first expression.
    base: u32,
    /// The offset of the tree's root in the function.
    offset: TextSize,
}

/// The maximum number of branches of an `if`; a further `elif` stands for the rest. Each is in the `else` of the
/// previous one, and TVM recurses over them within Python's limit.
const LONGEST_CHAIN: usize = 256;

impl Lower {
    fn new(place: Place) -> Lower {
        Lower {
            exprs: Arena::default(),
            base: place.base,
            offset: place.offset,
        }
    }

    fn finish(self, function: Function) -> Body {
        Body {
            exprs: Exprs::new(self.base, self.exprs),
            function,
            header: None,
        }
    }

    fn alloc(&mut self, expr: Expr, range: TextRange) -> ExprId {
        let id = ExprId(self.base + self.exprs.len());
        self.exprs.push(expr, range);
        id
    }

    fn name(&self, token: Option<SyntaxToken>) -> Name {
        token.map_or_else(Name::default, |t| Name {
            text: t.text().into(),
            range: t.text_range() + self.offset,
        })
    }

    /// Returns the range of a node, relative to the function.
    fn at(&self, node: &impl AstNode) -> TextRange {
        node.range() + self.offset
    }

    fn function(&mut self, def: &ast::FunctionDef, with_body: bool) -> Function {
        let range = self.at(def);
        let suite = def.body();
        let header_start = def
            .def_token()
            .map_or(range.start(), |t| t.text_range().start() + self.offset);
        let header_end = suite
            .as_ref()
            .map_or(range.end(), |s| s.range().start() + self.offset);
        Function {
            name: self.name(def.name()),
            decorators: def
                .decorators()
                .map(|d| self.expr(d.expr(), self.at(&d)))
                .collect(),
            type_params: def
                .type_params()
                .into_iter()
                .flat_map(|list| list.params())
                .map(|p| TypeParam {
                    name: self.name(p.name()),
                    bound: p.bound().map(|b| self.expr(Some(b), self.at(&p))),
                })
                .collect(),
            params: self.params(def.params()).into(),
            ret: def.ret().map(|ret| self.expr(Some(ret), range)),
            body: if with_body {
                self.suite(suite).into()
            } else {
                Suite::default()
            },
            range,
            header: TextRange::new(header_start, header_end.max(header_start)),
            is_async: def.is_async(),
        }
    }

    fn params(&mut self, params: Option<ast::ParamList>) -> Vec<Param> {
        let Some(list) = params else {
            return Vec::new();
        };
        let start = |token: Option<SyntaxToken>| token.map(|it| it.text_range().start());
        let slash = start(list.slash());
        let mut star = start(list.star());
        let mut kind = |param: &ast::Param| {
            let at = param.range().start();
            match param.stars() {
                Stars::None if slash.is_some_and(|slash| at < slash) => ParamKind::PositionalOnly,
                Stars::None if star.is_some_and(|star| at > star) => ParamKind::KeywordOnly,
                Stars::None => ParamKind::Plain,
                _ => {
                    star.get_or_insert(at);
                    ParamKind::Starred
                }
            }
        };
        list.params()
            .map(|p| Param {
                name: self.name(p.name()),
                annotation: p.annotation().map(|a| self.expr(Some(a), self.at(&p))),
                default: p.default().map(|d| self.expr(Some(d), self.at(&p))),
                kind: kind(&p),
            })
            .collect()
    }

    fn suite(&mut self, suite: Option<ast::Suite>) -> Vec<Stmt> {
        suite
            .into_iter()
            .flat_map(|s| s.stmts())
            .map(|stmt| self.stmt(&stmt))
            .collect()
    }

    fn stmt(&mut self, stmt: &ast::Stmt) -> Stmt {
        let range = self.at(stmt);
        let kind = match stmt {
            ast::Stmt::AssignStmt(it) => StmtKind::Assign {
                targets: it.targets().map(|t| self.target(Some(t), range)).collect(),
                value: self.expr(it.value(), range),
            },
            ast::Stmt::AnnAssignStmt(it) => StmtKind::AnnAssign {
                target: self.target(it.target(), range),
                annotation: self.expr(it.annotation(), range),
                value: it.value().map(|v| self.expr(Some(v), range)),
            },
            ast::Stmt::AugAssignStmt(it) => match it.op() {
                Some(op) => StmtKind::AugAssign {
                    target: self.target(it.target(), range),
                    op: op.op,
                    value: self.expr(it.value(), range),
                },
                None => StmtKind::Error,
            },
            ast::Stmt::ExprStmt(it) => StmtKind::Expr(self.expr(it.expr(), range)),
            ast::Stmt::ReturnStmt(it) => {
                StmtKind::Return(it.value().map(|v| self.expr(Some(v), range)))
            }
            ast::Stmt::IfStmt(it) => self.if_stmt(it),
            ast::Stmt::WithStmt(it) => StmtKind::With {
                items: it
                    .items()
                    .map(|item| {
                        let target = item.target().map(|t| self.target(Some(t), self.at(&item)));
                        (self.expr(item.context(), self.at(&item)), target)
                    })
                    .collect(),
                body: self.suite(it.body()),
            },
            ast::Stmt::ForStmt(it) => StmtKind::For {
                target: self.target(it.target(), range),
                iter: self.expr(it.iterable(), range),
                body: self.suite(it.body()),
            },
            ast::Stmt::WhileStmt(it) => StmtKind::While {
                test: self.expr(it.test(), range),
                body: self.suite(it.body()),
            },
            ast::Stmt::FunctionDef(it) => StmtKind::Function(Box::new(self.function(it, true))),
            ast::Stmt::AssertStmt(it) => StmtKind::Assert {
                test: self.expr(it.test(), range),
                message: it.message().map(|m| self.expr(Some(m), range)),
            },
            ast::Stmt::PassStmt(_) => StmtKind::Pass,
            ast::Stmt::ErrorNode(_) => StmtKind::Error,
            ast::Stmt::ClassDef(_) => self.python("class", stmt),
            ast::Stmt::TryStmt(_) => self.python("try", stmt),
            ast::Stmt::MatchStmt(_) => self.python("match", stmt),
            ast::Stmt::ImportStmt(_) | ast::Stmt::ImportFromStmt(_) => self.python("import", stmt),
            ast::Stmt::BreakStmt(_) => self.python("break", stmt),
            ast::Stmt::ContinueStmt(_) => self.python("continue", stmt),
            ast::Stmt::DelStmt(_) => self.python("del", stmt),
            ast::Stmt::GlobalStmt(_) => self.python("global", stmt),
            ast::Stmt::NonlocalStmt(_) => self.python("nonlocal", stmt),
            ast::Stmt::RaiseStmt(_) => self.python("raise", stmt),
            ast::Stmt::TypeAliasStmt(_) => self.python("type", stmt),
        };
        Stmt { kind, range }
    }

    fn python(&self, keyword: &'static str, stmt: &ast::Stmt) -> StmtKind {
        StmtKind::Python {
            keyword,
            binds: self.names_bound_by(stmt).collect(),
        }
    }

    fn names_bound_by(&self, stmt: &ast::Stmt) -> impl Iterator<Item = Name> + use<'_> {
        bound_by(stmt).into_iter().filter_map(|it| match it {
            Bound::Name(token) => Some(self.name(Some(token))),
            Bound::Exports(_) => None,
        })
    }

    /// Returns the names bound in a suite that is not lowered.
    fn names_of(&self, suite: Option<ast::Suite>) -> Vec<Name> {
        let stmts = suite.into_iter().flat_map(|it| it.stmts());
        stmts.flat_map(|stmt| self.names_bound_by(&stmt)).collect()
    }

    fn if_stmt(&mut self, it: &ast::IfStmt) -> StmtKind {
        let mut branches: Vec<(ExprId, Vec<Stmt>, TextRange)> = Vec::new();
        let mut rest: Option<(TextRange, Vec<Name>)> = None;
        for branch in it.branches() {
            let start = branch.keyword.text_range().start() + self.offset;
            let at = TextRange::new(start, self.at(it).end());
            if branches.len() < LONGEST_CHAIN {
                branches.push((self.expr(branch.test, at), self.suite(branch.suite), at));
            } else {
                let (_, names) = rest.get_or_insert_with(|| (at, Vec::new()));
                names.extend(self.names_of(branch.suite));
            }
        }
        let otherwise = it.else_clause().map(|it| it.suite());
        let mut otherwise = match (rest, otherwise) {
            (Some((range, mut names)), suite) => {
                names.extend(self.names_of(suite.flatten()));
                let kind = StmtKind::Python {
                    keyword: ELSE_IF,
                    binds: names.into(),
                };
                Some(vec![Stmt { kind, range }])
            }
            (None, suite) => suite.map(|suite| self.suite(suite)),
        };
        while let Some((test, then, range)) = branches.pop() {
            let kind = StmtKind::If {
                test,
                then,
                otherwise,
            };
            if branches.is_empty() {
                return kind;
            }
            otherwise = Some(vec![Stmt { kind, range }]);
        }
        StmtKind::Error
    }

    fn target(&mut self, expr: Option<ast::Expr>, within: TextRange) -> Target {
        match expr.and_then(ast::Expr::unparenthesized) {
            Some(ast::Expr::NameExpr(it)) => Target::Name(self.name(it.token())),
            Some(ast::Expr::TupleExpr(it)) => {
                let range = self.at(&it);
                Target::Tuple(
                    it.elements().map(|e| self.target(Some(e), range)).collect(),
                    range,
                )
            }
            Some(ast::Expr::ListExpr(it)) => {
                let range = self.at(&it);
                Target::Tuple(
                    it.elements().map(|e| self.target(Some(e), range)).collect(),
                    range,
                )
            }
            other => Target::Place(self.expr(other, within)),
        }
    }

    fn exprs(&mut self, exprs: impl Iterator<Item = ast::Expr>, within: TextRange) -> Vec<ExprId> {
        exprs.map(|e| self.expr(Some(e), within)).collect()
    }

    /// Lowers elements. After an unclosed bracket, there may be unknown further elements.
    fn items(
        &mut self,
        elements: impl Iterator<Item = ast::Expr>,
        is_unclosed: bool,
        within: TextRange,
    ) -> Vec<ExprId> {
        let mut items = self.exprs(elements, within);
        if is_unclosed {
            let end = TextRange::empty(within.end());
            let rest = self.alloc(Expr::Missing, end);
            items.push(self.alloc(Expr::Star(rest), end));
        }
        items
    }

    /// `within` is the range for a missing expression.
    fn expr(&mut self, expr: Option<ast::Expr>, within: TextRange) -> ExprId {
        let Some(expr) = expr else {
            return self.alloc(Expr::Missing, within);
        };
        let range = self.at(&expr);
        let lowered = match expr {
            // The contents of an unclosed bracket are unknown.
            ast::Expr::ParenExpr(it) if it.is_unclosed() => {
                Expr::Python(vec![self.expr(it.expr(), range)])
            }
            ast::Expr::ParenExpr(it) => return self.expr(it.expr(), range),
            ast::Expr::NameExpr(it) => {
                Expr::Name(it.token().map(|t| t.text().into()).unwrap_or_default())
            }
            ast::Expr::NumberLit(it) => number(&it),
            ast::Expr::StringLit(it) => self.string(&it),
            ast::Expr::BoolLit(it) => Expr::Bool(it.value()),
            ast::Expr::NoneLit(_) => Expr::None,
            ast::Expr::EllipsisLit(_) => Expr::Ellipsis,
            ast::Expr::TupleExpr(it) => {
                Expr::Tuple(self.items(it.elements(), it.is_unclosed(), range))
            }
            ast::Expr::ListExpr(it) => {
                Expr::List(self.items(it.elements(), it.is_unclosed(), range))
            }
            ast::Expr::SetExpr(it) => Expr::Python(self.exprs(it.elements(), range)),
            ast::Expr::DictExpr(it) => self.dict(&it, range),
            ast::Expr::ListComp(it) => self.comprehension(None, it.element(), it.clauses(), range),
            ast::Expr::SetComp(it) => self.comprehension(None, it.element(), it.clauses(), range),
            ast::Expr::GeneratorExpr(it) => {
                self.comprehension(None, it.element(), it.clauses(), range)
            }
            ast::Expr::DictComp(it) => {
                let entry = it.entry();
                let (key, value) = entry.map_or((None, None), |it| (it.key(), it.value()));
                self.comprehension(key, value, it.clauses(), range)
            }
            ast::Expr::CallExpr(it) => self.call(&it, range),
            ast::Expr::AttributeExpr(it) => Expr::Attribute {
                base: self.expr(it.base(), range),
                name: self.name(it.name()),
            },
            ast::Expr::SubscriptExpr(it) => Expr::Subscript {
                base: self.expr(it.base(), range),
                index: self.expr(it.index(), range),
            },
            ast::Expr::SliceExpr(it) => self.slice(it.parts(), range),
            ast::Expr::BinaryExpr(it) => match it.op() {
                Some(op) => Expr::Binary {
                    op,
                    lhs: self.expr(it.lhs(), range),
                    rhs: self.expr(it.rhs(), range),
                },
                None => Expr::Missing,
            },
            ast::Expr::UnaryExpr(it) => match it.op() {
                Some(op) => Expr::Unary {
                    op,
                    operand: self.expr(it.operand(), range),
                },
                None => Expr::Missing,
            },
            ast::Expr::NotExpr(it) => Expr::Not(self.expr(it.operand(), range)),
            ast::Expr::CompareExpr(it) => self.comparison(&it, range),
            ast::Expr::BoolExpr(it) => match it.op() {
                Some(op) => Expr::BoolOp {
                    op,
                    operands: self.exprs(it.operands(), range),
                },
                None => Expr::Missing,
            },
            ast::Expr::IfExpr(it) => Expr::IfElse {
                test: self.expr(it.test(), range),
                then: self.expr(it.then(), range),
                otherwise: self.expr(it.or_else(), range),
            },
            ast::Expr::LambdaExpr(it) => Expr::Lambda(Box::new(Lambda {
                params: self.params(it.params()),
                body: self.expr(it.body(), range),
            })),
            ast::Expr::WalrusExpr(it) => Expr::Walrus {
                name: self.name(it.name().and_then(|n| n.token())),
                value: self.expr(it.value(), range),
            },
            ast::Expr::StarExpr(it) => Expr::Star(self.expr(it.expr(), range)),
            ast::Expr::AwaitExpr(it) => Expr::Suspended {
                keyword: "await",
                value: Some(self.expr(it.expr(), range)),
            },
            ast::Expr::YieldExpr(it) => Expr::Suspended {
                keyword: "yield",
                value: it.value().map(|value| self.expr(Some(value), range)),
            },
            ast::Expr::TooDeepExpr(it) => too_deep(&it),
        };
        self.alloc(lowered, range)
    }

    fn dict(&mut self, it: &ast::DictExpr, range: TextRange) -> Expr {
        let entries = it.entries().map(|entry| {
            let key = entry.key().map(|k| self.expr(Some(k), range));
            (key, self.expr(entry.value(), range))
        });
        Expr::Dict(entries.collect())
    }

    fn call(&mut self, it: &ast::CallExpr, range: TextRange) -> Expr {
        let callee = self.expr(it.callee(), range);
        let args = it.arg_list().into_iter().flat_map(|it| it.args());
        let args = args.map(|it| self.arg(&it)).collect();
        Expr::Call { callee, args }
    }

    fn slice(&mut self, parts: ast::SliceParts, range: TextRange) -> Expr {
        let mut part = |it: Option<ast::Expr>| it.map(|it| self.expr(Some(it), range));
        Expr::Slice {
            start: part(parts.lower),
            stop: part(parts.upper),
            step: part(parts.step),
        }
    }

    fn comparison(&mut self, it: &ast::CompareExpr, range: TextRange) -> Expr {
        let operands = self.exprs(it.operands(), range);
        let mut operands = operands.into_iter();
        match operands.next() {
            Some(first) => Expr::Compare {
                first,
                rest: it.ops().zip(operands).collect(),
            },
            None => Expr::Missing,
        }
    }

    fn string(&mut self, it: &ast::StringLit) -> Expr {
        if let Some(value) = it.value() {
            return Expr::Str(SmolStr::from(value));
        }
        let mut parts = Vec::new();
        let mut plain = true;
        for piece in it.pieces() {
            let StringPiece::Formatted(string) = piece else {
                plain = false;
                continue;
            };
            plain &= !string.is_template();
            for part in string.parts() {
                parts.push(match part {
                    FStringPart::Text(text) => FormatPart::Text(text.into()),
                    FStringPart::Field(field) => {
                        let formatted = field.is_debug()
                            || field.conversion().is_some()
                            || field.format_spec().is_some();
                        plain &= !formatted;
                        let at = field.range() + self.offset;
                        FormatPart::Field(self.expr(field.expr(), at))
                    }
                });
            }
        }
        if plain {
            return Expr::Format(parts);
        }
        let fields = parts.into_iter().filter_map(|part| match part {
            FormatPart::Field(field) => Some(field),
            FormatPart::Text(_) => None,
        });
        Expr::Python(fields.collect())
    }

    fn arg(&mut self, arg: &ast::Arg) -> Arg {
        Arg {
            keyword: arg.keyword().map(|t| self.name(Some(t))),
            starred: arg.stars() != Stars::None,
            is_mapping: arg.stars() == Stars::Two,
            value: self.expr(arg.value(), self.at(arg)),
        }
    }

    fn comprehension(
        &mut self,
        key: Option<ast::Expr>,
        element: Option<ast::Expr>,
        clauses: impl Iterator<Item = ast::CompClause>,
        range: TextRange,
    ) -> Expr {
        let clauses = clauses
            .map(|clause| match clause {
                ast::CompClause::CompFor(it) => CompClause::For {
                    target: self.target(it.target(), range),
                    iter: self.expr(it.iterable(), range),
                },
                ast::CompClause::CompIf(it) => CompClause::If(self.expr(it.test(), range)),
            })
            .collect();
        let key = key.map(|k| self.expr(Some(k), range));
        let element = self.expr(element, range);
        Expr::Comprehension(Box::new(Comprehension {
            key,
            element,
            clauses,
        }))
    }
}

fn number(it: &ast::NumberLit) -> Expr {
    match it.value() {
        Some(ast::NumberValue::Int(value)) => match i64::try_from(value) {
            Ok(value) => Expr::Int(value),
            Err(_) => Expr::BigNumber(u64::try_from(value).ok()),
        },
        Some(ast::NumberValue::Float(value)) => Expr::Float(value),
        Some(_) => Expr::BigNumber(None),
        None => Expr::Missing,
    }
}

fn too_deep(it: &ast::TooDeepExpr) -> Expr {
    let mut parts = it.syntax().children();
    if parts.any(|part| ast::Expr::can_cast(part.kind())) {
        Expr::Endless
    } else {
        // Too deep to be an expression, which is reported as a syntax error.
        Expr::Missing
    }
}
