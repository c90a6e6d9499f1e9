//! Finds the annotations of a function's header that name a shape variable.

use rustc_hash::FxHashMap;
use syntax::ast::{self, AstNode, Expr};

use super::Pass;

/// The header of a function, read once per pass.
#[derive(Default)]
pub struct Signature {
    /// The elements of the parameters' shapes, without quotes.
    dimensions: FxHashMap<String, Params>,
    /// All words. Those of the return annotation count as another parameter.
    words: FxHashMap<String, Params>,
}

/// The first parameter whose annotation contains something, and whether another one contains it too.
struct Params {
    first: usize,
    has_others: bool,
}

impl Params {
    fn has_other_than(&self, param: usize) -> bool {
        self.has_others || self.first != param
    }
}

impl Signature {
    pub fn of(pass: &Pass<'_>, function: &ast::FunctionDef) -> Signature {
        let mut signature = Signature::default();
        let params = function.params().into_iter();
        for param in params.flat_map(|it| it.params().collect::<Vec<_>>()) {
            if let Some(annotation) = param.annotation() {
                let at = param.range().start();
                signature.read_words(pass, at.into(), &annotation);
                signature.read_dimensions(pass, at.into(), &annotation);
            }
        }
        if let Some(ret) = function.ret() {
            signature.read_words(pass, ret.range().start().into(), &ret);
        }
        signature
    }

    fn read_words(&mut self, pass: &Pass<'_>, param: usize, annotation: &Expr) {
        for word in words(pass.slice(annotation.range())) {
            add(&mut self.words, word, param);
        }
    }

    fn read_dimensions(&mut self, pass: &Pass<'_>, param: usize, annotation: &Expr) {
        for expr in annotation.syntax().descendants().filter_map(Expr::cast) {
            let elements: Vec<Expr> = match &expr {
                Expr::TupleExpr(it) => it.elements().collect(),
                Expr::ListExpr(it) => it.elements().collect(),
                _ => continue,
            };
            for element in elements {
                let text = pass.slice(element.range());
                let text = text.trim_matches(['"', '\'']);
                add(&mut self.dimensions, text, param);
            }
        }
    }

    /// Returns `true` if a parameter other than `besides` has a shape with this dimension.
    pub fn has_dimension(&self, name: &str, besides: &ast::Param) -> bool {
        has(&self.dimensions, name, besides)
    }

    /// Returns `true` if a parameter other than `besides`, or the return annotation, contains this word.
    pub fn has_word(&self, name: &str, besides: &ast::Param) -> bool {
        has(&self.words, name, besides)
    }
}

fn add(all: &mut FxHashMap<String, Params>, text: &str, param: usize) {
    let new = Params {
        first: param,
        has_others: false,
    };
    let known = all.entry(text.to_owned()).or_insert(new);
    known.has_others |= known.first != param;
}

fn has(all: &FxHashMap<String, Params>, name: &str, besides: &ast::Param) -> bool {
    let params = all.get(name);
    params.is_some_and(|it| it.has_other_than(besides.range().start().into()))
}

pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_')
}
