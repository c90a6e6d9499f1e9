//! Rows of what a PrimFunc declares besides its program: the regions that a block reads and writes, annotations of blocks
//! and loops.
//!
//! TVM completes the regions that a block does not declare, so only regions that both sides declare are compared.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::super::RowKind;
use super::Prim;
use crate::body::{Body, Expr, ExprId, Stmt, StmtKind};

/// The declarations of a PrimFunc, by the start of their block or loop.
#[derive(Default)]
pub(super) struct Declared {
    of_blocks: FxHashMap<TextSize, Vec<Declaration>>,
    /// The annotations of loops.
    of_loops: FxHashMap<TextSize, ExprId>,
}

#[derive(Clone, Copy)]
struct Declaration {
    verb: &'static str,
    call: ExprId,
    range: TextRange,
}

const VERBS: &[&str] = &["reads", "writes", ANNOTATIONS, "block_attr"];
const ANNOTATIONS: &str = "sblock_attr";

impl Declared {
    pub fn of(body: &Body) -> Declared {
        let mut declared = Declared::default();
        let mut open: Vec<&[Stmt]> = vec![&body.function.body];
        while let Some(suite) = open.pop() {
            for stmt in suite {
                match &stmt.kind {
                    StmtKind::With { body: suite, .. } => {
                        let own: Vec<Declaration> = suite
                            .iter()
                            .filter_map(|it| declaration(it, body))
                            .collect();
                        declared.of_blocks.insert(stmt.range.start(), own);
                    }
                    StmtKind::For { iter, .. } => {
                        if let Some(value) = annotations(*iter, body) {
                            declared.of_loops.insert(stmt.range.start(), value);
                        }
                    }
                    _ => {}
                }
                open.extend(stmt.blocks());
            }
        }
        declared
    }
}

fn declaration(stmt: &Stmt, body: &Body) -> Option<Declaration> {
    let StmtKind::Expr(call) = stmt.kind else {
        return None;
    };
    let Expr::Call { callee, .. } = &body.exprs[call] else {
        return None;
    };
    let Expr::Attribute { name, .. } = &body.exprs[*callee] else {
        return None;
    };
    let verb = VERBS.iter().find(|verb| **verb == name.text)?;
    Some(Declaration {
        verb,
        call,
        range: stmt.range,
    })
}

fn annotations(iter: ExprId, body: &Body) -> Option<ExprId> {
    let Expr::Call { args, .. } = &body.exprs[iter] else {
        return None;
    };
    let is_it = |name: &SmolStr| name == "annotations";
    let mut args = args.iter();
    let given = args.find(|arg| arg.keyword.as_ref().is_some_and(|it| is_it(&it.text)))?;
    Some(given.value)
}

impl Prim<'_, '_, '_> {
    pub fn declarations_of_block(&mut self, block: TextRange) {
        let declarations = self.declared.of_blocks.remove(&block.start());
        for it in declarations.into_iter().flatten() {
            let body = self.writer.body;
            self.name(&[body.range(it.call)]);
            let Expr::Call { args, .. } = &body.exprs[it.call] else {
                continue;
            };
            if matches!(it.verb, "reads" | "writes") {
                let name = SmolStr::new_static(it.verb);
                self.writer.row(RowKind::Region, &name, it.range);
                self.writer.part("regions");
                for arg in args {
                    self.writer.written(arg.value);
                }
            } else if let [arg] = args.as_slice() {
                self.writer.entries(arg.value);
            }
        }
    }

    pub fn annotations_of_loop(&mut self, nest: TextRange) {
        if let Some(value) = self.declared.of_loops.remove(&nest.start()) {
            self.name(&[self.writer.body.range(value)]);
            self.writer.entries(value);
        }
    }
}
