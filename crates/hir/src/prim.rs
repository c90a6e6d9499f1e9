//! Reads a PrimFunc once, into its names and errors ([`PrimFacts`]) and the typed program ([`PrimFunc`]).
//!
//! Incomplete functions, and functions that cannot run here, are read to the end: what is not understood is a hole in
//! the program, with the reason among the refusals. An editor needs the facts, the vm a program without holes.
//!
//! An error that TVM rejects is *reported*: it gives a diagnostic and a hole. What TVM accepts but the vm does not is
//! *refused*: it only gives a hole.

mod args;
mod arith;
mod assign;
mod block;
mod bounds;
mod buffer;
mod call;
mod collective;
mod element;
mod expr;
mod fixed_point;
mod lanes;
mod let_in;
mod matched;
mod misfits;
mod nest;
mod operator;
mod packed;
mod param;
mod returns;
mod scalars;
mod schedulable;
mod scope;
mod stmt;
mod undeclared;
mod value;
mod view;
mod with;

use relax::diagnostics::Severity;
use relax::release::{Release, Releases};
use relax::script::{Namespace, ScriptPath};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

use crate::body::{Body, ExprId};
use crate::consequences::without_consequences;
use crate::decorators;
use crate::enclosing::{Env, PyValue, script_path};
use crate::prim_facts::{PrimDefId, PrimDefKind, PrimFacts};
use crate::tir::{BufferId, Combiner, Expr, PrimFunc, Stmt, ThreadAxis, TirError, VarId};
use block::OpenBlock;
use value::Named;

/// The surroundings of a PrimFunc.
#[derive(Clone, Copy)]
pub(crate) struct Outside<'a> {
    pub release: Release,
    pub releases: Releases,
    /// `true` if TVM checks the function's well-formedness.
    pub checked: bool,
    /// `true` if it is declared as made of schedulable blocks.
    pub s_tir: bool,
    pub env: &'a Env,
    /// Returns `true` for names of functions in the module.
    pub globals: &'a dyn Fn(&str) -> bool,
    /// `true` for a macro, whose names may come from its caller.
    pub open: bool,
    /// Unwinds if an edit waits.
    pub give_way: &'a dyn Fn(),
}

impl Outside<'_> {
    /// Returns `true` if TVM checks the function, and all releases that the file may be for have a rule.
    fn is_required(&self, has_rule: impl Fn(Release) -> bool) -> bool {
        let mut releases = Release::ALL.into_iter();
        self.checked && releases.all(|it| !self.releases.contains(it) || has_rule(it))
    }
}

/// The result of reading a PrimFunc.
pub(crate) struct Reading {
    pub facts: PrimFacts,
    func: PrimFunc,
    refusals: Vec<TirError>,
    /// The program entity of each definition in the facts, by index.
    entities: Vec<Entity>,
}

/// A program, as far as it is understood.
pub(crate) struct WithHoles {
    pub func: PrimFunc,
    /// The parts that are not understood.
    pub refused: Vec<TirError>,
    pub facts: PrimFacts,
    entities: Vec<Entity>,
}

/// What a name stands for in a program that may have holes.
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
    /// Returns the program, or the reasons for its holes.
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
    /// Nothing that can run. The definition's kind says what it is.
    Hole,
    Var(VarId),
    Buffer(BufferId),
    /// A `T.handle` parameter, by index.
    Handle(usize),
    /// The memory of a buffer.
    Pointer(BufferId),
    /// An expression that replaces every use.
    Alias(Expr),
    /// The variables of a `T.grid` with a single target.
    Items(Vec<Expr>),
    /// A thread axis that has not been launched.
    Thread(ThreadAxis),
    Python(PyValue),
}

struct Reader<'a> {
    body: &'a Body,
    around: Outside<'a>,
    facts: PrimFacts,
    func: PrimFunc,
    refusals: Vec<TirError>,
    /// The program entity of each definition in the facts, by index.
    entities: Vec<Entity>,
    /// The definitions of each visible name, the innermost last.
    visible: FxHashMap<SmolStr, Vec<PrimDefId>>,
    scopes: Vec<Scope>,
    /// Shape variables of the surrounding code.
    shape_vars: FxHashMap<SmolStr, VarId>,
    /// The statements of the suite that is being read.
    out: Vec<Stmt>,
    /// Frames that contain the rest of their suite.
    frames: Vec<with::Frame>,
    blocks: Vec<OpenBlock>,
    cells: scalars::Cells,
    /// The lanes of the vectors in the statement.
    lanes: Option<lanes::Lanes>,
    /// The function of the reduction over threads that was read last.
    combiner: Option<Combiner>,
    /// The start and the extent of each loop variable.
    loops: FxHashMap<VarId, (Expr, Expr)>,
    /// The number of open frames that may be blocks.
    unknown_frames: u32,
    /// A cache of resolved Python paths.
    namespaces: std::cell::RefCell<FxHashMap<SmolStr, Option<ScriptPath>>>,
    /// Undefined names that are already reported.
    undefined: FxHashSet<SmolStr>,
    /// The attributes of the function so far.
    attributes: FxHashMap<SmolStr, TextRange>,
    /// The callees whose arguments are already checked.
    checked_calls: FxHashSet<ExprId>,
    /// Buffers without a declaration, with the name of the function that makes them.
    undeclared: FxHashMap<PrimDefId, TextRange>,
    /// Handles that are matched again: the buffer before, the handle, and the place.
    rematched: Vec<(BufferId, SmolStr, TextRange)>,
    /// `false` in a part of a block that TVM evaluates before it enters the block.
    inside_block: bool,
    /// Greater than 0 in code that Python may not execute, where no error is certain.
    doubt: u32,
    depth: u32,
    /// The number of copied expressions.
    copied: usize,
}

struct Scope {
    defs: Vec<PrimDefId>,
    end: TextSize,
}

fn is_jit(body: &Body, env: &Env) -> bool {
    body.function.decorators.iter().any(|it| {
        let path = script_path(body, *it, env);
        path.is_some_and(|it| it.namespace == Namespace::Tir && it.rest == "jit")
    })
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
        lanes: None,
        combiner: None,
        loops: FxHashMap::default(),
        unknown_frames: 0,
        namespaces: std::cell::RefCell::default(),
        undefined: FxHashSet::default(),
        attributes: FxHashMap::default(),
        checked_calls: FxHashSet::default(),
        undeclared: FxHashMap::default(),
        rematched: Vec::new(),
        inside_block: true,
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
    // `T.jit` reads the body when the function gets its compile-time parameters, if ever.
    let is_jit = is_jit(body, around.env);
    if is_jit {
        reader.compile_time_params(function.params.iter());
    }
    for (at, param) in function.params.iter().enumerate() {
        reader.param(at, param);
    }
    let of_signature = reader.facts.diagnostics.len();
    if let Some(ret) = function.ret {
        reader.silent(|it| it.value(ret));
    }
    reader.func.body = reader.suite(&function.body);
    if !reader.cells.is_empty() {
        scalars::to_memory(&mut reader.func.body, &reader.cells);
    }
    reader.write_out_extents();
    reader.returns_last();
    reader.check_rematched();
    // A macro's buffers are those of its caller.
    if !around.open {
        reader.facts.diagnostics.extend(bounds::check(&reader.func));
        let undeclared = schedulable::undeclared(body, &around, &reader.facts);
        reader.facts.diagnostics.extend(undeclared);
    }
    if is_jit {
        let of_body = reader.facts.diagnostics.iter_mut().skip(of_signature);
        let errors = of_body.filter(|it| it.severity == Severity::Error);
        errors.for_each(|it| it.severity = Severity::Warning);
    }
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
    facts.diagnostics = without_consequences(facts.diagnostics);
    Reading {
        facts,
        func,
        refusals,
        entities,
    }
}
