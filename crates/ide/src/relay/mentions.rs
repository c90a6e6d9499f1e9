//! Resolves every name of a file to a symbol.

use hir::RelayFile;
use hir::relay::Facts;
use hir::relay::body::{
    Definition, Expr, ExprId, Item, LocalId, Name, Pattern, PatternKind, TypeExpr,
};
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use super::definitions;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    /// A local of the definition with this index.
    Local(usize, LocalId),
    Global(SmolStr),
    Type(SmolStr),
    Constructor(SmolStr),
    /// A type parameter of the definition with this index.
    TypeParam(usize, SmolStr),
    Operator(SmolStr),
    /// An operator written as a sign, such as `+`.
    Sign(SmolStr),
}

/// A place where a symbol is named.
#[derive(Clone, Debug)]
pub(super) struct Mention {
    /// The range in the file, including the sigil.
    pub range: TextRange,
    pub symbol: Symbol,
    pub is_binding: bool,
    /// The index of the definition, and the expression that the name is.
    pub expr: Option<(usize, ExprId)>,
}

/// Returns all mentions of a file, definition by definition.
pub(super) fn all(file: &RelayFile) -> Vec<Mention> {
    let mut found = MentionCollector {
        file,
        mentions: Vec::new(),
    };
    for (at, definition, facts) in definitions(file) {
        found.definition(at, definition, facts);
    }
    found.mentions
}

/// Returns the mention at an offset; between two mentions, the first.
pub(super) fn at(file: &RelayFile, offset: TextSize) -> Option<Mention> {
    let touching = |it: &Mention| !it.range.is_empty() && it.range.contains_inclusive(offset);
    let mut mentions: Vec<Mention> = all_of_definition_at(file, offset);
    mentions.retain(touching);
    mentions.sort_by_key(|it| (!it.range.contains(offset), it.range.start()));
    mentions.into_iter().next()
}

/// Returns every mention of a symbol, in order.
pub(super) fn of(file: &RelayFile, symbol: &Symbol) -> Vec<Mention> {
    let mut mentions = match symbol {
        Symbol::Local(at, _) | Symbol::TypeParam(at, _) => of_definition(file, *at),
        _ => all(file),
    };
    mentions.retain(|it| it.symbol == *symbol && !it.range.is_empty());
    mentions.sort_by_key(|it| it.range.start());
    mentions
}

fn all_of_definition_at(file: &RelayFile, offset: TextSize) -> Vec<Mention> {
    let definitions = &file.module.definitions;
    let behind = definitions.partition_point(|it| it.start <= offset);
    let at = behind.checked_sub(1);
    at.map(|it| of_definition(file, it)).unwrap_or_default()
}

fn of_definition(file: &RelayFile, at: usize) -> Vec<Mention> {
    let mut found = MentionCollector {
        file,
        mentions: Vec::new(),
    };
    if let Some((at, definition, facts)) = definitions(file).nth(at) {
        found.definition(at, definition, facts);
    }
    found.mentions
}

struct MentionCollector<'a> {
    file: &'a RelayFile,
    mentions: Vec<Mention>,
}

impl MentionCollector<'_> {
    fn definition(&mut self, at: usize, definition: &Definition, facts: &Facts) {
        let body = &definition.body;
        let start = definition.start;
        let first = self.mentions.len();
        match &body.item {
            Item::Function { name, function } => {
                self.add(name.range, Symbol::Global(name.text.clone()), true);
                self.type_params(at, &function.type_params);
            }
            Item::Type(def) => {
                let name = &def.name;
                self.add(name.range, Symbol::Type(name.text.clone()), true);
                self.type_params(at, &def.params);
                for it in &def.constructors {
                    let name = &it.name;
                    self.add(name.range, Symbol::Constructor(name.text.clone()), true);
                }
            }
            Item::Expr(_) | Item::Missing => {}
        }
        for (id, _) in body.locals() {
            self.add(body.name_range(id), Symbol::Local(at, id), true);
        }
        for (id, expr) in body.exprs() {
            let symbol = match expr {
                Expr::Local(_) => facts.use_of(id).map(|it| Symbol::Local(at, it)),
                Expr::Global(name) => Some(Symbol::Global(name.clone())),
                Expr::Name(name) => Some(self.named(name, body.range(id))),
                Expr::Function(function) => {
                    self.type_params(at, &function.type_params);
                    None
                }
                Expr::Match { arms, .. } => {
                    for arm in arms {
                        self.pattern(&arm.pattern);
                    }
                    None
                }
                _ => None,
            };
            if let Some(symbol) = symbol {
                self.mentions.push(Mention {
                    range: body.range(id),
                    symbol,
                    is_binding: false,
                    expr: Some((at, id)),
                });
            }
        }
        for (_, ty) in body.types() {
            if let TypeExpr::Function { type_params, .. } = ty {
                self.type_params(at, type_params);
            }
        }
        let params: Vec<SmolStr> = self.mentions[first..]
            .iter()
            .filter_map(|it| match &it.symbol {
                Symbol::TypeParam(_, name) => Some(name.clone()),
                _ => None,
            })
            .collect();
        for (_, ty) in body.types() {
            if let TypeExpr::Named { name, .. } = ty {
                let range = name.range;
                if params.contains(&name.text) {
                    self.add(range, Symbol::TypeParam(at, name.text.clone()), false);
                } else if self.file.facts.env.adt(&name.text).is_some() {
                    self.add(range, Symbol::Type(name.text.clone()), false);
                }
            }
        }
        for mention in &mut self.mentions[first..] {
            mention.range += start;
        }
    }

    /// Returns the symbol of an operator or a constructor. An operator written as a sign has a longer name than its
    /// range.
    fn named(&self, name: &SmolStr, range: TextRange) -> Symbol {
        if self.file.facts.env.constructor(name).is_some() {
            Symbol::Constructor(name.clone())
        } else if usize::from(range.len()) < name.len() {
            Symbol::Sign(name.clone())
        } else {
            Symbol::Operator(name.clone())
        }
    }

    fn type_params(&mut self, at: usize, names: &[Name]) {
        for name in names {
            let symbol = Symbol::TypeParam(at, name.text.clone());
            self.add(name.range, symbol, true);
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Constructor { name, fields } => {
                self.add(name.range, Symbol::Constructor(name.text.clone()), false);
                fields.iter().for_each(|it| self.pattern(it));
            }
            PatternKind::Tuple(fields) => fields.iter().for_each(|it| self.pattern(it)),
            PatternKind::Missing | PatternKind::Wildcard | PatternKind::Local(_) => {}
        }
    }

    fn add(&mut self, range: TextRange, symbol: Symbol, is_binding: bool) {
        self.mentions.push(Mention {
            range,
            symbol,
            is_binding,
            expr: None,
        });
    }
}
