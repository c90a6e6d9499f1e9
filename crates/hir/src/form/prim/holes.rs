//! Rows of the statements for which a PrimFunc's typed program has holes: their expressions as written, with names
//! replaced by what they refer to.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use text_size::TextRange;

use super::super::written::own_names;
use super::super::{RowKind, Token};
use super::Prim;
use crate::body::Stmt;
use crate::prim::Meaning;
use crate::prim_facts::{PrimDefId, Target};

pub(super) fn write(prim: &mut Prim<'_, '_, '_>) {
    let mut written: FxHashSet<TextRange> = FxHashSet::default();
    for refused in &prim.program.refused {
        let stmt = prim.writer.body.stmt_around(refused.range);
        if written.insert(stmt.map_or(refused.range, |it| it.range)) {
            match stmt {
                Some(stmt) => prim.hole(stmt),
                None => prim.header(refused.range),
            }
        }
    }
}

impl Prim<'_, '_, '_> {
    fn hole(&mut self, stmt: &Stmt) {
        let body = self.writer.body;
        let mut ranges: Vec<TextRange> = Vec::new();
        stmt.for_each_expr(&mut |expr| ranges.push(body.range(expr)));
        self.name(&ranges);
        let bound = own_names(stmt);
        let row = self.writer.stmt_alone(stmt, &bound);
        for (nth, name) in (0..).zip(&bound) {
            let def = self.defs_in(name.range).next();
            if let Some(def) = def {
                self.bound.insert(def, Token::Row { row, nth });
            }
        }
    }

    /// Adds an expression of the signature.
    fn header(&mut self, range: TextRange) {
        let body = self.writer.body;
        let Some(expr) = body.exprs_around(range).first().copied() else {
            return;
        };
        self.name(&[body.range(expr)]);
        self.writer
            .row(RowKind::Statement, &SmolStr::default(), range);
        self.writer.part("statement");
        self.writer.written(expr);
    }

    /// Resolves the names in these ranges, for code that is read as written.
    pub fn name(&mut self, ranges: &[TextRange]) {
        let mentioned = ranges.iter().flat_map(|range| self.defs_in(*range));
        let mentioned: Vec<PrimDefId> = mentioned.collect();
        self.writer.names.clear();
        for def in mentioned {
            let token = match self.program.meaning(def) {
                Meaning::Var(var) => Some(self.var_token(var)),
                Meaning::Buffer(buffer) => self.buffers.get(&buffer).copied(),
                Meaning::Other => None,
            };
            let token = self.bound.get(&def).copied().or(token);
            let name = &self.program.facts.defs[def.0 as usize].name;
            if let Some(token) = token {
                self.writer.names.insert(name.clone(), token);
            }
        }
    }

    /// Returns what the names in a range refer to.
    fn defs_in(&self, range: TextRange) -> impl Iterator<Item = PrimDefId> + use<'_> {
        let mentions = &self.program.facts.mentions;
        let first = mentions.partition_point(|it| it.range.start() < range.start());
        let inside = mentions[first..].iter();
        let inside = inside.take_while(move |it| it.range.start() < range.end());
        inside.filter_map(|it| match it.target {
            Target::Def(def) => Some(def),
            _ => None,
        })
    }
}
