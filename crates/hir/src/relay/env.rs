//! The environment of a module's definitions: signatures of functions, and ADTs with their constructors.

use std::sync::Arc;

use relax::relay::{Type, TypeVar};
use relax::{Code, Diagnostic};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::annotations::{Annotations, TypeArguments, type_var};
use super::body::{Body, Function, Item, LocalKind, Module, Name, TypeDef};
use crate::metadata::Metadata;

/// The signatures and ADTs of a module, for the inference of its definitions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Env {
    functions: FxHashMap<SmolStr, Signature>,
    adts: FxHashMap<SmolStr, Adt>,
    constructors: FxHashMap<SmolStr, Constructor>,
    pub metadata: Arc<Metadata>,
    /// Whether the module may have functions that the text lacks.
    pub is_excerpt: bool,
    /// Mistakes in signatures, by definition.
    pub diagnostics: Vec<Vec<Diagnostic>>,
}

/// A global function.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The index of its definition.
    pub definition: usize,
    /// The annotated type, with unknown in place of missing annotations. In a completed module, the inferred type.
    pub ty: Type,
    /// Whether every part is annotated.
    pub is_annotated: bool,
}

/// TVM's own type of memory, which every module may name.
const STORAGE: &str = "Storage";

/// An algebraic data type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Adt {
    /// The index of its definition, or `None` if TVM defines it.
    pub definition: Option<usize>,
    pub params: Vec<TypeVar>,
    pub constructors: Vec<SmolStr>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Constructor {
    pub definition: usize,
    pub adt: SmolStr,
    pub fields: Vec<Type>,
}

impl Env {
    pub fn of(module: &Module, is_excerpt: bool) -> Env {
        let mut env = Env {
            is_excerpt,
            metadata: Arc::clone(&module.metadata),
            diagnostics: vec![Vec::new(); module.definitions.len()],
            ..Env::default()
        };
        env.adts.insert(STORAGE.into(), Adt::default());
        for (at, definition) in module.definitions.iter().enumerate() {
            if let Item::Type(def) = &definition.body.item {
                env.declare(at, def);
            }
        }
        for (at, definition) in module.definitions.iter().enumerate() {
            let body = &definition.body;
            match &body.item {
                Item::Type(def) => env.define(at, body, def),
                Item::Function { name, function } => env.function_def(at, body, name, function),
                Item::Expr(_) | Item::Missing => {}
            }
        }
        env
    }

    pub fn function(&self, name: &str) -> Option<&Signature> {
        self.functions.get(name)
    }

    /// Returns the functions without complete annotations, in the order of the text.
    pub fn open_functions(&self) -> Vec<(&SmolStr, &Signature)> {
        let open = self.functions.iter().filter(|it| !it.1.is_annotated);
        let mut open: Vec<_> = open.collect();
        open.sort_unstable_by_key(|it| it.1.definition);
        open
    }

    pub fn function_names(&self) -> impl Iterator<Item = &SmolStr> {
        self.functions.keys()
    }

    pub fn adt(&self, name: &str) -> Option<&Adt> {
        self.adts.get(name)
    }

    pub fn adt_names(&self) -> impl Iterator<Item = &SmolStr> {
        self.adts.keys()
    }

    pub fn constructor(&self, name: &str) -> Option<&Constructor> {
        self.constructors.get(name)
    }

    pub fn constructor_names(&self) -> impl Iterator<Item = &SmolStr> {
        self.constructors.keys()
    }

    /// Returns the type of a constructor as a function.
    pub fn constructor_type(&self, constructor: &Constructor) -> Type {
        let params = self.adt(&constructor.adt).map(|it| it.params.clone());
        let params = params.unwrap_or_default();
        let args: Vec<Type> = params.iter().cloned().map(Type::Var).collect();
        let made = Type::adt(constructor.adt.clone(), args);
        Type::function(params, constructor.fields.clone(), made)
    }

    /// Sets the inferred signature of a function without complete annotations.
    pub(super) fn infer(&mut self, name: &str, ty: Type) {
        if let Some(signature) = self.functions.get_mut(name) {
            signature.ty = ty;
        }
    }

    fn declare(&mut self, at: usize, def: &TypeDef) {
        let is_taken = |env: &Env| {
            env.adt(&def.name.text)
                .is_some_and(|it| it.definition.is_some())
        };
        if self.is_new(at, &def.name, is_taken) {
            let adt = Adt {
                definition: Some(at),
                params: def.params.iter().map(type_var).collect(),
                constructors: def
                    .constructors
                    .iter()
                    .map(|it| it.name.text.clone())
                    .collect(),
            };
            self.adts.insert(def.name.text.clone(), adt);
        }
    }

    fn define(&mut self, at: usize, body: &Body, def: &TypeDef) {
        if def.is_extern && !def.constructors.is_empty() {
            let message = "an extern type has no constructors".to_owned();
            let range = def.constructors[0].name.range;
            self.diagnostics[at].push(Diagnostic::new(Code::InvalidAnnotation, range, message));
        }
        for constructor in &def.constructors {
            let name = &constructor.name;
            if !self.is_new(at, name, |env| env.constructors.contains_key(&name.text)) {
                continue;
            }
            let mut read = self.annotations(body);
            read.open(&def.params);
            let fields = constructor.fields.iter();
            let fields: Vec<Type> = fields
                .map(|it| read.read(*it, &mut || Type::Unknown))
                .collect();
            let found = read.diagnostics;
            self.diagnostics[at].extend(found);
            let constructor = Constructor {
                definition: at,
                adt: def.name.text.clone(),
                fields,
            };
            self.constructors.insert(name.text.clone(), constructor);
        }
    }

    fn function_def(&mut self, at: usize, body: &Body, name: &Name, function: &Function) {
        if !self.is_new(at, name, |env| env.functions.contains_key(&name.text)) {
            return;
        }
        let mut read = self.annotations(body);
        let mut is_annotated = true;
        let params = read.open(&function.type_params);
        let mut written = |ty| match ty {
            Some(ty) => read.read(ty, &mut || {
                is_annotated = false;
                Type::Unknown
            }),
            None => {
                is_annotated = false;
                Type::Unknown
            }
        };
        let types: Vec<Type> = function
            .params
            .iter()
            .map(|it| written(body[*it].annotation))
            .collect();
        debug_assert!(
            function
                .params
                .iter()
                .all(|it| body[*it].kind == LocalKind::Param)
        );
        let ret = written(function.ret);
        // The inference of the body reads the annotations again and reports their mistakes.
        let signature = Signature {
            definition: at,
            ty: Type::function(params, types, ret),
            is_annotated,
        };
        self.functions.insert(name.text.clone(), signature);
    }

    fn annotations<'a>(&'a self, body: &'a Body) -> Annotations<'a> {
        Annotations {
            env: self,
            body,
            params: Vec::new(),
            type_args: TypeArguments::default(),
            diagnostics: Vec::new(),
        }
    }

    /// Returns whether the name is free; reports a second definition, which is left out.
    fn is_new(&mut self, at: usize, name: &Name, is_taken: impl FnOnce(&Env) -> bool) -> bool {
        if name.text.is_empty() {
            return false;
        }
        if is_taken(self) {
            let message = format!("`{}` is defined already", name.text);
            self.diagnostics[at].push(Diagnostic::new(Code::Redefinition, name.range, message));
            return false;
        }
        true
    }
}
