//! One reading of a PrimFunc: its names and mistakes ([`PrimFacts`]) and the typed program ([`PrimFunc`]).
//!
//! Half-typed functions are read to the end, and so are those that cannot run here: what is not understood is a hole
//! in the program, with the reason among the refusals. An editor asks for the facts, the vm for a program without
//! holes.
//!
//! A mistake that TVM refuses is *reported*: it is a diagnostic, and the program has a hole. What TVM takes and the
//! vm does not is *refused*: it is a hole alone.

mod args;
mod arith;
mod assign;
mod block;
mod buffer;
mod call;
mod element;
mod expr;
mod let_in;
mod nest;
mod operator;
mod packed;
mod param;
mod returns;
mod scalars;
mod scope;
mod stmt;
mod undeclared;
mod value;
mod with;

use relax::release::{Release, Releases};
use relax::script::ScriptPath;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::body::Body;
use crate::decorators;
use crate::enclosing::{Env, PyValue};
use crate::prim_facts::{PrimDefId, PrimDefKind, PrimFacts};
use crate::tir::{BufferId, Expr, PrimFunc, Stmt, ThreadAxis, TirError, VarId};
use block::OpenBlock;
use value::Named;

/// What surrounds a PrimFunc.
#[derive(Clone, Copy)]
pub(crate) struct Outside<'a> {
    pub release: Release,
    pub releases: Releases,
    /// Whether TVM checks that the function is well-formed.
    pub checked: bool,
    pub env: &'a Env,
    /// The functions of the module by name.
    pub globals: &'a dyn Fn(&str) -> bool,
    /// A macro: its names may come from where it is called.
    pub open: bool,
    /// Unwinds if an edit waits.
    pub give_way: &'a dyn Fn(),
}

/// What is read.
pub(crate) struct Reading {
    pub facts: PrimFacts,
    func: PrimFunc,
    refusals: Vec<TirError>,
    /// What each definition of the facts stands for, by its position.
    entities: Vec<Entity>,
}

/// A program as far as it is understood.
pub(crate) struct WithHoles {
    pub func: PrimFunc,
    /// What of it is not.
    pub refused: Vec<TirError>,
    pub facts: PrimFacts,
    entities: Vec<Entity>,
}

/// What a name stands for where the program may have a hole.
pub(crate) enum Meaning {
    Var(VarId),
    Buffer(BufferId),
    /// Nothing in the program.
    Other,
}

impl WithHoles {
    pub fn meaning(&self, def: PrimDefId) -> Meaning {
        match self.entities.get(def.0 as usize) {
            Some(Entity::Var(var)) => Meaning::Var(*var),
            Some(Entity::Buffer(buffer)) => Meaning::Buffer(*buffer),
            _ => Meaning::Other,
        }
    }
}

impl Reading {
    /// The program, or why it has holes.
    pub fn program(self) -> Result<PrimFunc, Vec<TirError>> {
        if self.refusals.is_empty() {
            Ok(self.func)
        } else {
            Err(self.refusals)
        }
    }

    pub fn with_holes(self) -> WithHoles {
        WithHoles {
            func: self.func,
            refused: self.refusals,
            facts: self.facts,
            entities: self.entities,
        }
    }
}

/// What a name stands for in the program.
#[derive(Clone, Debug)]
enum Entity {
    /// Nothing that could run: the kind of the definition says what it is.
    Hole,
    Var(VarId),
    Buffer(BufferId),
    /// A `T.handle` parameter, by position.
    Handle(usize),
    /// The memory of a buffer.
    Pointer(BufferId),
    /// An expression that stands for itself wherever it is named.
    Alias(Expr),
    /// The variables of a `T.grid` under one name.
    Items(Vec<Expr>),
    /// A thread axis that is not launched yet.
    Thread(ThreadAxis),
    Python(PyValue),
}

struct Reader<'a> {
    body: &'a Body,
    around: Outside<'a>,
    facts: PrimFacts,
    func: PrimFunc,
    refusals: Vec<TirError>,
    /// What each definition of the facts stands for, by its position.
    entities: Vec<Entity>,
    /// The definitions of each name in reach, the innermost last.
    visible: FxHashMap<SmolStr, Vec<PrimDefId>>,
    scopes: Vec<Scope>,
    /// Shape variables of the code around the function.
    shape_vars: FxHashMap<SmolStr, VarId>,
    /// The statements of the suite that is being read.
    out: Vec<Stmt>,
    /// Frames that hold the rest of their suite.
    frames: Vec<with::Frame>,
    blocks: Vec<OpenBlock>,
    cells: scalars::Cells,
    /// Start and extent of each loop variable.
    loops: FxHashMap<VarId, (Expr, Expr)>,
    /// Open frames that may be blocks.
    unknown_frames: u32,
    /// Python paths that were asked about, and what they are.
    namespaces: std::cell::RefCell<FxHashMap<SmolStr, Option<ScriptPath>>>,
    /// Undefined names that are reported already.
    undefined: FxHashSet<SmolStr>,
    /// Buffers without a declaration, with the name of what makes them.
    undeclared: FxHashMap<PrimDefId, TextRange>,
    /// Above 0 in text that Python may never run: no mistake is certain there.
    doubt: u32,
    depth: u32,
    /// Parts of expressions that were copied.
    copied: usize,
}

struct Scope {
    defs: Vec<PrimDefId>,
    end: TextSize,
}

/// Reads the PrimFunc `body`.
pub(crate) fn read(body: &Body, around: Outside<'_>) -> Reading {
    let function = &body.function;
    let mut reader = Reader {
        body,
        around,
        facts: PrimFacts::default(),
        func: PrimFunc {
            name: function.name.text.clone(),
            ..PrimFunc::default()
        },
        refusals: Vec::new(),
        entities: Vec::new(),
        visible: FxHashMap::default(),
        scopes: vec![Scope {
            defs: Vec::new(),
            end: function.range.end(),
        }],
        shape_vars: FxHashMap::default(),
        out: Vec::new(),
        frames: Vec::new(),
        blocks: Vec::new(),
        cells: scalars::Cells::default(),
        loops: FxHashMap::default(),
        unknown_frames: 0,
        namespaces: std::cell::RefCell::default(),
        undefined: FxHashSet::default(),
        undeclared: FxHashMap::default(),
        doubt: u32::from(around.open),
        depth: 0,
        copied: 0,
    };
    for param in &function.type_params {
        let named = Named::of(&param.name);
        reader.define_var(&named, named.range, relax::dtype::DType::I64, |dtype| {
            PrimDefKind::ShapeVar(Some(dtype))
        });
    }
    for decorator in &function.decorators {
        reader.silent(|it| it.doubtful(|it| it.value(*decorator)));
        let mistake = decorators::mistake(body, *decorator, around.env);
        reader.facts.diagnostics.extend(mistake);
    }
    let mistake = decorators::asynchronous(function);
    reader.facts.diagnostics.extend(mistake);
    for (at, param) in function.params.iter().enumerate() {
        reader.param(at, param);
    }
    if let Some(ret) = function.ret {
        reader.silent(|it| it.value(ret));
    }
    reader.func.body = reader.suite(&function.body);
    if !reader.cells.is_empty() {
        scalars::to_memory(&mut reader.func.body, &reader.cells);
    }
    reader.returns_last();
    let Reader {
        mut facts,
        func,
        refusals,
        entities,
        ..
    } = reader;
    facts
        .mentions
        .sort_by_key(|it| (it.range.start(), it.range.end()));
    facts.diagnostics.sort_by_key(|it| it.range.start());
    Reading {
        facts,
        func,
        refusals,
        entities,
    }
}
