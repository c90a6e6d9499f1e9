//! Rows of a PrimFunc: its buffers, loops, blocks and stores, from the typed program.
//!
//! What the program lacks has rows of its code as written: what a block declares to read and write, annotations
//! (`declared`), and statements that cannot be typed (`holes`).

mod declared;
mod holes;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::TextRange;

use super::value::{SymKey, Writer};
use super::{RowKind, Token};
use crate::body::StmtKind as Written;
use crate::prim::WithHoles;
use crate::prim_facts::PrimDefId;
use crate::queries::function_program_with_holes;
use crate::tir::{
    Block, Buffer, BufferId, Collective, Data, Expr, ExprKind, Iter, Packed, PackedArg, ParamKind,
    PrimFunc, Stmt, StmtKind, VarId,
};
use declared::Declared;

pub(super) fn write(writer: &mut Writer<'_>) {
    let program = function_program_with_holes(writer.db, writer.item);
    let (body, none) = (writer.body, SmolStr::default());
    writer.decorator(&body.function);
    writer.part("private");
    writer.word(writer.is_private());
    writer.row(RowKind::Signature, &none, body.function.header);
    for stmt in &body.function.body {
        if let Written::Expr(expr) = &stmt.kind {
            writer.attributes(*expr);
        }
    }
    let mut prim = Prim {
        func: &program.func,
        vars: FxHashMap::default(),
        buffers: FxHashMap::default(),
        declared: Declared::of(writer.body),
        program: &program,
        bound: FxHashMap::default(),
        writer,
    };
    prim.write_function();
    holes::write(&mut prim);
}

struct Prim<'w, 'db, 'f> {
    writer: &'w mut Writer<'db>,
    func: &'f PrimFunc,
    vars: FxHashMap<VarId, Token>,
    buffers: FxHashMap<BufferId, Token>,
    declared: Declared,
    program: &'f WithHoles,
    /// The names that statements outside of the program bind.
    bound: FxHashMap<PrimDefId, Token>,
}

impl Prim<'_, '_, '_> {
    fn write_function(&mut self) {
        let params = self.writer.body.function.params.clone();
        for (at, param) in self.func.params.iter().enumerate() {
            let range = params.get(at).map(|it| it.name.range).unwrap_or_default();
            let row = self.writer.row(RowKind::Parameter, &param.name, range);
            match param.kind {
                ParamKind::Buffer(id) => {
                    self.buffers.insert(id, Token::Row { row, nth: 0 });
                    self.buffer(self.func.buffer(id));
                }
                ParamKind::Scalar(var) => {
                    self.vars.insert(var, Token::Row { row, nth: 0 });
                    self.writer.part("dtype");
                    self.writer.dtype(Some(self.func.var(var).dtype));
                }
                ParamKind::Unused => self.writer.part("handle"),
            }
        }
        self.writer.end_signature();
        for (at, buffer) in (0..).zip(&self.func.buffers) {
            let id = BufferId(at);
            if !self.buffers.contains_key(&id) {
                let row = self.writer.row(RowKind::Buffer, &buffer.name, buffer.range);
                self.buffers.insert(id, Token::Row { row, nth: 0 });
                self.buffer(buffer);
            }
        }
        self.stmts(&self.func.body);
    }

    fn buffer(&mut self, buffer: &Buffer) {
        self.writer.part("shape");
        self.exprs(&buffer.shape);
        self.writer.part("dtype");
        self.writer.dtype(Some(buffer.dtype));
        self.writer.part("layout");
        self.writer.word(buffer.strides.is_some());
        self.exprs(buffer.strides.as_deref().unwrap_or_default());
        // No offset is the same as an offset of zero.
        let offset = buffer.offset.as_ref().filter(|it| it.as_int() != Some(0));
        if let Some(it) = offset {
            self.expr(it);
        }
        self.writer.word(buffer.scope.as_str());
        if let Data::View(of) = buffer.data {
            self.buffer_name(of);
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for it in stmts {
            self.stmt(it);
        }
    }

    fn write_nested(&mut self, row: u32, stmts: &[Stmt]) {
        let around = self.writer.parent.replace(row);
        self.stmts(stmts);
        self.writer.parent = around;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let none = SmolStr::default();
        let (kind, name) = match &stmt.kind {
            StmtKind::Store { buffer, .. } => (RowKind::Statement, &self.func.buffer(*buffer).name),
            StmtKind::Let { var, .. } => (RowKind::Statement, &self.func.var(*var).name),
            StmtKind::For { var, .. } => (RowKind::Nest, &self.func.var(*var).name),
            StmtKind::While { .. } | StmtKind::If { .. } | StmtKind::Block(_) => {
                (RowKind::Nest, &none)
            }
            StmtKind::Evaluate(_)
            | StmtKind::Assert { .. }
            | StmtKind::Packed(_)
            | StmtKind::Collective(_) => (RowKind::Statement, &none),
        };
        let row = self.writer.row(kind, name, stmt.range);
        match &stmt.kind {
            StmtKind::Store {
                buffer,
                indices,
                value,
            } => {
                self.writer.part("buffer");
                self.writer.word("store");
                self.buffer_name(*buffer);
                self.writer.part("indices");
                self.exprs(indices);
                self.writer.part("value");
                self.expr(value);
            }
            StmtKind::Let { var, value } => {
                self.writer.part("value");
                self.writer.word("let");
                self.expr(value);
                self.vars.insert(*var, Token::Row { row, nth: 0 });
            }
            StmtKind::For {
                var,
                min,
                extent,
                step,
                kind,
                body,
            } => {
                self.writer.part("kind");
                self.writer.word(("for", format!("{kind:?}")));
                self.writer.part("extent");
                self.expr(min);
                self.expr(extent);
                self.writer.word(step);
                self.vars.insert(*var, Token::Row { row, nth: 0 });
                let around = self.writer.parent.replace(row);
                self.annotations_of_loop(stmt.range);
                self.writer.parent = around;
                self.write_nested(row, body);
            }
            StmtKind::While { test, body } => {
                self.test("while", test);
                self.write_nested(row, body);
            }
            StmtKind::If {
                test,
                then,
                otherwise,
            } => {
                self.test("if", test);
                self.write_nested(row, then);
                self.branch("else", row, otherwise);
            }
            StmtKind::Block(block) => self.block(row, stmt.range, block),
            StmtKind::Evaluate(value) => self.test("evaluate", value),
            StmtKind::Assert { test, .. } => self.test("assert", test),
            StmtKind::Packed(call) => self.packed(call),
            StmtKind::Collective(it) => self.collective(row, it),
        }
    }

    fn test(&mut self, word: &'static str, test: &Expr) {
        self.writer.part("value");
        self.writer.word(word);
        self.expr(test);
    }

    /// Adds the second suite of a statement, which has its own row.
    fn branch(&mut self, word: &'static str, row: u32, stmts: &[Stmt]) {
        let Some(first) = stmts.first() else {
            return;
        };
        let around = self.writer.parent.replace(row);
        let branch = self
            .writer
            .row(RowKind::Nest, &SmolStr::default(), first.range);
        self.writer.part("kind");
        self.writer.word(word);
        self.write_nested(branch, stmts);
        self.writer.parent = around;
    }

    fn block(&mut self, row: u32, range: TextRange, block: &Block) {
        self.writer.part("block");
        self.writer.word(("block", block.iters.len()));
        let around = self.writer.parent.replace(row);
        self.axes(&block.iters);
        self.predicate(block);
        self.declarations_of_block(range);
        self.writer.parent = around;
        self.branch("init", row, &block.init);
        self.write_nested(row, &block.body);
    }

    /// Adds a row for each statement that binds axes.
    fn axes(&mut self, iters: &[Iter]) {
        let body = self.writer.body;
        let stmt = |iter: &Iter| body.stmt_around(iter.value.range).map(|it| it.range);
        for iters in iters.chunk_by(|a, b| stmt(a) == stmt(b)) {
            let Some(first) = iters.first() else {
                continue;
            };
            let name = &self.func.var(first.var).name;
            let range = stmt(first).unwrap_or(first.value.range);
            let row = self.writer.row(RowKind::Axes, name, range);
            self.writer.part("axes");
            for (nth, iter) in (0..).zip(iters) {
                self.writer.word(iter.reduce);
                self.expr(&iter.min);
                self.expr(&iter.extent);
                self.expr(&iter.value);
                self.vars.insert(iter.var, Token::Row { row, nth });
            }
        }
    }

    fn predicate(&mut self, block: &Block) {
        if let Some(it) = &block.predicate {
            self.writer
                .row(RowKind::Statement, &SmolStr::default(), it.range);
            self.test("where", it);
        }
    }

    fn packed(&mut self, call: &Packed) {
        self.writer.part("function");
        self.writer.word(("packed", call.symbol.as_str()));
        self.writer.part("arguments");
        for arg in &call.args {
            match arg {
                PackedArg::Buffer(buffer) => self.buffer_name(*buffer),
                PackedArg::Number(number) => self.expr(number),
                PackedArg::Text(text) => self.writer.word(text.as_str()),
            }
        }
    }

    fn collective(&mut self, row: u32, collective: &Collective) {
        self.writer.part("function");
        let bound: &[VarId] = match collective {
            Collective::Barrier(group) => {
                self.writer.word(("barrier", format!("{group:?}")));
                &[]
            }
            Collective::ActiveMask { var, warp } => {
                self.writer.word(("active", warp));
                &[*var]
            }
            Collective::Shuffle(it) => {
                self.writer
                    .word(("shuffle", format!("{:?}", it.source), it.warp));
                &[it.var]
            }
            Collective::Reduce(it) => {
                self.writer.word(("reduce", it.values.len()));
                &[it.combiner.left.as_slice(), &it.combiner.right].concat()
            }
        };
        for (nth, var) in bound.iter().enumerate() {
            let nth = nth as u32;
            self.vars.insert(*var, Token::Row { row, nth });
        }
        self.writer.part("arguments");
        for expr in collective.expressions() {
            self.expr(expr);
        }
        if let Collective::Reduce(it) = collective {
            for (buffer, _) in &it.results {
                self.buffer_name(*buffer);
            }
            for var in &it.over {
                let token = self.var_token(*var);
                self.writer.token(token);
            }
        }
    }

    fn var_token(&mut self, var: VarId) -> Token {
        match self.vars.get(&var) {
            Some(token) => *token,
            None => self.writer.sym_token(SymKey::Prim(var.0)),
        }
    }

    fn buffer_name(&mut self, id: BufferId) {
        match self.buffers.get(&id).copied() {
            Some(token) => self.writer.token(token),
            None => self.writer.word("buffer"),
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        self.writer.word(exprs.len());
        for it in exprs {
            self.expr(it);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let dtype = expr.dtype;
        match &expr.kind {
            ExprKind::Int(value) => self.writer.word(("int", dtype, value)),
            ExprKind::Float(value) => self.writer.word(("float", dtype, value.to_bits())),
            ExprKind::Var(var) => {
                let token = self.var_token(*var);
                self.writer.token(token);
            }
            ExprKind::Load(buffer, indices) => {
                self.writer.word(("load", indices.len()));
                self.buffer_name(*buffer);
            }
            ExprKind::Cast(_) => self.writer.word(("cast", dtype)),
            ExprKind::Reinterpret(_) => self.writer.word(("reinterpret", dtype)),
            ExprKind::Binary(op, ..) => self.writer.word(("binary", *op as u8)),
            ExprKind::Compare(op, ..) => self.writer.word(("compare", *op as u8)),
            ExprKind::Unary(op, _) => self.writer.word(("unary", op)),
            ExprKind::Math(op, ..) => self.writer.word(("math", op)),
            ExprKind::And(..) => self.writer.word("and"),
            ExprKind::Or(..) => self.writer.word("or"),
            ExprKind::Not(_) => self.writer.word("not"),
            ExprKind::Select(..) => self.writer.word("select"),
        }
        expr.for_each_child(&mut |child| self.expr(child));
    }
}
