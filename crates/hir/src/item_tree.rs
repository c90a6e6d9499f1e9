//! The TVMScript of a file without function bodies: modules, functions, and the Python scope of each.
//!
//! A function's subtree is stored separately from its offset, so that moving it changes no facts.

mod loaded;
mod unbound;

use std::rc::Rc;
use std::sync::Arc;

use relax::FunctionKind;
use relax::diagnostics::Diagnostic;
use relax::script::{Namespace, ScriptPath};
use relax::sinfo::VDevice;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use syntax::ast::{self, AstNode};
use syntax::{GreenNode, SyntaxNode};
use text_size::{TextRange, TextSize};

use crate::attributes;
use crate::body::{self, Expr};
use crate::class_body;
use crate::db::{Db, Language, SourceFile};
use crate::decorators;
use crate::devices::vdevices;
use crate::enclosing::{
    Budget, Env, PyValue, Reach, Scanner, ScriptKind, mistake_of_type_var, script_path,
    undefined_name,
};
use unbound::Unbound;

/// In a module with more devices, none is known by its number.
const MOST_DEVICES: usize = 256;

/// The subtree of one function. Two are equal if their texts and trees are.
#[derive(Clone, Debug)]
pub struct Subtree(pub GreenNode);

impl PartialEq for Subtree {
    fn eq(&self, other: &Subtree) -> bool {
        syntax::pieces::are_equal(&self.0, &other.0)
    }
}

impl Eq for Subtree {}

impl Subtree {
    /// Returns the function as the root of a tree, so that positions are relative to its start.
    pub fn def(&self) -> Option<ast::FunctionDef> {
        ast::FunctionDef::cast(SyntaxNode::new_root(self.0.clone()))
    }
}

/// A TVMScript function at the top level of a module or of Python code.
#[salsa::tracked(debug)]
pub struct FunctionItem<'db> {
    #[returns(copy)]
    pub file: SourceFile,
    #[returns(clone)]
    pub name: SmolStr,
    #[returns(copy)]
    pub kind: FunctionKind,
    /// The index of the module in the file.
    #[returns(copy)]
    pub module: Option<u32>,
    /// Distinguishes functions of the same name in one place.
    #[returns(copy)]
    pub ordinal: u32,
    #[tracked]
    #[returns(ref)]
    pub source: Subtree,
    /// The function without its suite. Its signature depends only on this.
    #[tracked]
    #[returns(ref)]
    pub header: Subtree,
    #[tracked]
    #[returns(ref)]
    pub env: Arc<Env>,
    /// `true` if TVM checks its well-formedness: `check_well_formed=` of its module, or of itself if it has none.
    #[tracked]
    #[returns(copy)]
    pub checked: bool,
    /// `true` if it or its module says that it is made of schedulable blocks: `s_tir=True`.
    #[tracked]
    #[returns(copy)]
    pub s_tir: bool,
    /// The offset of the function in the file. Facts do not depend on it.
    #[tracked]
    #[returns(copy)]
    pub offset: TextSize,
}

/// A class decorated with `I.ir_module`.
#[salsa::tracked(debug)]
pub struct ModuleItem<'db> {
    #[returns(copy)]
    pub file: SourceFile,
    #[returns(clone)]
    pub name: SmolStr,
    #[returns(copy)]
    pub index: u32,
    #[tracked]
    #[returns(ref)]
    pub functions: Vec<FunctionItem<'db>>,
    /// The virtual devices of `I.module_global_infos`, in order, or `None` if they cannot be read.
    #[tracked]
    #[returns(ref)]
    pub listed_vdevices: Option<Vec<VDevice>>,
    /// The range from the decorator to the end of the class.
    #[tracked]
    #[returns(copy)]
    pub range: TextRange,
    #[tracked]
    #[returns(copy)]
    pub name_range: TextRange,
    /// `true` for a module decorated with `R.rewriter`.
    #[tracked]
    #[returns(copy)]
    pub is_rewriter: bool,
    /// Errors in its decorators, with positions in the file.
    #[tracked]
    #[returns(ref)]
    pub mistakes: Vec<Diagnostic>,
}

impl<'db> ModuleItem<'db> {
    /// Returns the virtual devices that can be read, in order.
    pub fn vdevices(self, db: &'db dyn Db) -> &'db [VDevice] {
        self.listed_vdevices(db).as_deref().unwrap_or_default()
    }
}

/// The TVMScript of a file, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct FileItems<'db> {
    pub modules: Vec<ModuleItem<'db>>,
    /// Every function, including those of modules.
    pub functions: Vec<FunctionItem<'db>>,
    /// Errors in decorators outside of modules that prevent a TVMScript function, with positions in the file.
    pub mistakes: Vec<Diagnostic>,
    /// Names of TVMScript that the file's imports lack, with positions in the file.
    pub unbound: Vec<Diagnostic>,
}

/// Returns the TVMScript of `file`.
#[salsa::tracked(returns(ref))]
pub fn file_items(db: &dyn Db, file: SourceFile) -> FileItems<'_> {
    let tree = file.source(db).parse.tree();
    let give_way = || db.give_way();
    let mut walk = Walk {
        db,
        file,
        scanner: scanner_of(db, file, &tree, &give_way),
        reach: Reach::default(),
        unbound: Unbound::of(&tree, &file.source(db).text),
        items: FileItems::default(),
        named: FxHashMap::default(),
    };
    let is_script = |stmt: &ast::Stmt, env: &Env| match stmt {
        ast::Stmt::FunctionDef(def) => {
            matches!(decorated(def.decorators(), env), Decorated::Function(_))
        }
        ast::Stmt::ClassDef(class) => {
            matches!(decorated(class.decorators(), env), Decorated::Module)
        }
        _ => false,
    };
    walk.reach = Reach::of(&tree, &is_script, &give_way);
    walk.scanner.hoist(tree.stmts());
    walk.stmts(tree.stmts());
    walk.items
}

/// Returns the names that the top-level Python code of a file binds.
#[salsa::tracked(returns(clone), no_eq)]
pub fn file_env(db: &dyn Db, file: SourceFile) -> Arc<Env> {
    let tree = file.source(db).parse.tree();
    let give_way = || db.give_way();
    let mut scanner = scanner_of(db, file, &tree, &give_way);
    scanner.hoist(tree.stmts());
    tree.stmts().for_each(|stmt| scanner.run(&stmt));
    Arc::clone(scanner.env())
}

fn scanner_of<'a>(
    db: &dyn Db,
    file: SourceFile,
    tree: &ast::SourceFile,
    give_way: &'a dyn Fn(),
) -> Scanner<'a> {
    let source = file.source(db);
    let budget = Rc::new(Budget::of_file(source.text.len(), give_way));
    let scanner = if source.language == Language::Cell {
        Scanner::open(budget)
    } else {
        Scanner::new(budget)
    };
    let scanner = scanner.with_loaded(loaded::loaded(db, file, tree));
    match file.constants(db) {
        Some(constants) => scanner.with_constants(constants),
        None => scanner,
    }
}

struct Walk<'db, 'a> {
    db: &'db dyn Db,
    file: SourceFile,
    scanner: Scanner<'a>,
    reach: Reach,
    unbound: Unbound,
    items: FileItems<'db>,
    /// The number of functions of each name so far, by module.
    named: FxHashMap<(Option<u32>, SmolStr), u32>,
}

enum Decorated {
    Function(FunctionKind),
    Module,
    No,
}

impl<'db> Walk<'db, '_> {
    fn stmts(&mut self, stmts: impl Iterator<Item = ast::Stmt>) {
        for stmt in stmts {
            self.db.give_way();
            self.stmt(&stmt);
        }
    }

    fn suite(&mut self, suite: Option<ast::Suite>) {
        if let Some(suite) = suite {
            self.stmts(suite.stmts());
            self.scanner.forget(suite.stmts());
        }
    }

    fn stmt(&mut self, stmt: &ast::Stmt) {
        match stmt {
            ast::Stmt::FunctionDef(def) => self.function_def(def),
            ast::Stmt::ClassDef(class) => self.class_def(class),
            ast::Stmt::IfStmt(it) => {
                it.branches().for_each(|branch| self.suite(branch.suite));
                self.suite(it.else_suite());
            }
            ast::Stmt::WithStmt(it) => {
                // The body of a `with` always runs, so its bindings are known afterwards.
                if let Some(body) = it.body() {
                    self.stmts(body.stmts());
                }
            }
            ast::Stmt::ForStmt(it) => self.suite(it.body()),
            ast::Stmt::WhileStmt(it) => self.suite(it.body()),
            ast::Stmt::TryStmt(it) => {
                self.suite(it.body());
                it.except_clauses()
                    .for_each(|clause| self.suite(clause.suite()));
                self.suite(it.else_clause().and_then(|e| e.suite()));
                self.suite(it.finally_clause().and_then(|f| f.suite()));
            }
            ast::Stmt::MatchStmt(it) => it.cases().for_each(|case| self.suite(case.suite())),
            _ => {
                self.scanner.run(stmt);
                let mistake = mistake_of_type_var(stmt, self.scanner.env());
                self.items.mistakes.extend(mistake);
            }
        }
    }

    fn function_def(&mut self, def: &ast::FunctionDef) {
        let name: SmolStr = def.name().map(|n| n.text().into()).unwrap_or_default();
        if let Decorated::Function(kind) = self.decorated(def.decorators()) {
            self.scanner.know(self.reach.at(def.range().start()));
            let item = self.item(def, kind, None);
            self.scanner.leave_known();
            self.items.functions.push(item);
            let script = match kind {
                FunctionKind::PrimFunc => PyValue::Script(ScriptKind::PrimFunc),
                FunctionKind::Relax => PyValue::Script(ScriptKind::Relax),
                FunctionKind::Python => PyValue::Unknown,
                FunctionKind::Macro => return self.scanner.define_macro(&name, def),
            };
            self.scanner.set(&name, script);
            return;
        }
        self.unread_decorators(|| def.decorators());
        let Some(body) = def.body() else { return };
        self.scanner.enter(body.stmts(), def.params());
        self.stmts(body.stmts());
        self.scanner.leave();
        self.scanner.define_helper(&name, def);
    }

    fn class_def(&mut self, class: &ast::ClassDef) {
        let name: SmolStr = class.name().map(|n| n.text().into()).unwrap_or_default();
        if matches!(self.decorated(class.decorators()), Decorated::Module) {
            self.scanner.set(&name, PyValue::IrModule(name.clone()));
            self.scanner.know(self.reach.at(class.range().start()));
            self.module(class, name);
            self.scanner.leave_known();
            return;
        }
        self.unread_decorators(|| class.decorators());
        let mistake = unbound::module(class, self.scanner.env());
        self.items.unbound.extend(mistake);
        let Some(body) = class.body() else { return };
        self.scanner.enter(body.stmts(), None);
        self.stmts(body.stmts());
        self.scanner.leave();
    }

    fn module(&mut self, class: &ast::ClassDef, name: SmolStr) {
        let index = self.items.modules.len() as u32;
        let checks = Checks::of(class.decorators());
        let mut functions: Vec<FunctionItem<'db>> = Vec::new();
        let mut devices = Some(Vec::new());
        let mut mistakes = self.mistakes(class.decorators());
        for decorator in class.decorators() {
            self.unbound_letters(decorator.syntax());
        }
        let mut given = Vec::new();
        let mut undefined: Vec<(SmolStr, TextRange)> = Vec::new();
        if let Some(body) = class.body() {
            self.scanner.enter(std::iter::empty(), None);
            for stmt in body.stmts() {
                match &stmt {
                    ast::Stmt::FunctionDef(def) => {
                        mistakes.extend(decorators::missing(def));
                        mistakes.extend(self.misspelt(def.decorators()));
                        self.unbound_decorator(def.decorators());
                        mistakes.extend(self.misplaced(class, def.decorators()));
                        let kind = match self.decorated(def.decorators()) {
                            Decorated::Function(kind) => kind,
                            _ => FunctionKind::Python,
                        };
                        functions.push(self.item(def, kind, Some((index, checks))));
                    }
                    ast::Stmt::ExprStmt(it) => {
                        if let Some(expr) = it.expr() {
                            let (body, id) = body::lower_expr(&expr);
                            match vdevices(&body, id, self.scanner.env()) {
                                Some(listed) => devices
                                    .iter_mut()
                                    .for_each(|it| it.extend_from_slice(&listed)),
                                None => devices = None,
                            }
                            let env = self.scanner.env();
                            if let Expr::Name(name) = &body.exprs[id]
                                && env.is_undefined(name)
                            {
                                undefined.push((name.clone(), body.range(id)));
                            }
                            mistakes.extend(attributes::mistake_of_attributes(
                                &body, id, env, &mut given,
                            ));
                        }
                    }
                    _ => {
                        self.scanner.hoist(std::iter::once(stmt.clone()));
                        if !matches!(stmt, ast::Stmt::ClassDef(_)) {
                            self.scanner.run(&stmt);
                        }
                        mistakes.extend(class_body::unread(&stmt, self.scanner.env()));
                    }
                }
            }
            self.scanner.leave();
        }
        if !undefined.is_empty() {
            let own: FxHashSet<SmolStr> = functions.iter().map(|it| it.name(self.db)).collect();
            undefined.retain(|(name, _)| !own.contains(name));
            let undefined = undefined.iter();
            mistakes.extend(undefined.map(|(name, range)| undefined_name(name, *range)));
        }
        let devices = devices.filter(|it| it.len() <= MOST_DEVICES);
        self.items.functions.extend(functions.iter().copied());
        let name_range = class.name().map_or(class.range(), |n| n.text_range());
        let env = self.scanner.env();
        let is_rewriter = class.decorators().any(|decorator| {
            let path = decorator_path(&decorator, env);
            path.is_some_and(|it| {
                (it.namespace, it.rest.as_str()) == (Namespace::Relax, "rewriter")
            })
        });
        let module = ModuleItem::new(
            self.db,
            self.file,
            name,
            index,
            functions,
            devices,
            class.range(),
            name_range,
            is_rewriter,
            mistakes,
        );
        self.items.modules.push(module);
    }

    fn item(
        &mut self,
        def: &ast::FunctionDef,
        kind: FunctionKind,
        module: Option<(u32, Checks)>,
    ) -> FunctionItem<'db> {
        let name: SmolStr = def.name().map(|n| n.text().into()).unwrap_or_default();
        let syntax = def.syntax();
        self.unbound_letters(syntax);
        let green = syntax.green().into_owned();
        let header = syntax::pieces::header(&green);
        let own = Checks::of(def.decorators());
        let (module, around) = module.map_or((None, own), |(index, it)| (Some(index), it));
        let named = self.named.entry((module, name.clone())).or_default();
        let ordinal = *named;
        *named += 1;
        FunctionItem::new(
            self.db,
            self.file,
            name,
            kind,
            module,
            ordinal,
            Subtree(green),
            Subtree(header),
            self.scanner.env().of_function(def),
            around.checked,
            around.s_tir || own.s_tir,
            syntax.text_range().start(),
        )
    }

    fn unbound_letters(&mut self, node: &SyntaxNode) {
        let found = self.unbound.letters(node, self.scanner.env());
        self.items.unbound.extend(found);
    }

    fn unbound_decorator(&mut self, decorators: impl Iterator<Item = ast::Decorator>) {
        let found = self.unbound.decorator(decorators, self.scanner.env());
        self.items.unbound.extend(found);
    }

    /// Reports decorators of a function or class that TVMScript does not read because of them.
    fn unread_decorators<D: Iterator<Item = ast::Decorator>>(
        &mut self,
        decorators: impl Fn() -> D,
    ) {
        let misspelt = self.misspelt(decorators());
        self.items.mistakes.extend(misspelt);
        let mistakes = self.mistakes(decorators());
        self.items.mistakes.extend(mistakes);
        self.unbound_decorator(decorators());
    }

    fn mistakes(&self, decorators: impl Iterator<Item = ast::Decorator>) -> Vec<Diagnostic> {
        let exprs = decorators.filter_map(|it| it.expr());
        let mistakes = exprs.filter_map(|expr| {
            let (body, id) = body::lower_expr(&expr);
            decorators::mistake(&body, id, self.scanner.env())
        });
        mistakes.collect()
    }

    fn misspelt(&self, decorators: impl Iterator<Item = ast::Decorator>) -> Option<Diagnostic> {
        let mut exprs = decorators.filter_map(|it| it.expr());
        exprs.find_map(|expr| {
            let (body, id) = body::lower_expr(&expr);
            decorators::misspelt(&body, id, self.scanner.env())
        })
    }

    fn misplaced(
        &self,
        class: &ast::ClassDef,
        decorators: impl Iterator<Item = ast::Decorator>,
    ) -> Option<Diagnostic> {
        let mut exprs = decorators.filter_map(|it| it.expr());
        exprs.find_map(|expr| {
            let (body, id) = body::lower_expr(&expr);
            decorators::misplaced(class, &body, id, self.scanner.env())
        })
    }

    fn decorated(&self, decorators: impl Iterator<Item = ast::Decorator>) -> Decorated {
        decorated(decorators, self.scanner.env())
    }
}

fn decorator_path(decorator: &ast::Decorator, env: &Env) -> Option<ScriptPath> {
    let (body, id) = body::lower_expr(&decorator.expr()?);
    script_path(&body, id, env)
}

/// Returns what the decorators turn a function or a class into.
fn decorated(decorators: impl Iterator<Item = ast::Decorator>, env: &Env) -> Decorated {
    for decorator in decorators {
        let Some(path) = decorator_path(&decorator, env) else {
            continue;
        };
        match (path.namespace, path.rest.as_str()) {
            (Namespace::Relax, "function" | "func") => {
                return Decorated::Function(FunctionKind::Relax);
            }
            (Namespace::Tir, "prim_func" | "jit") => {
                return Decorated::Function(FunctionKind::PrimFunc);
            }
            (Namespace::Relax | Namespace::Tir, "macro" | "inline") => {
                return Decorated::Function(FunctionKind::Macro);
            }
            (Namespace::Ir, "pyfunc") => return Decorated::Function(FunctionKind::Python),
            (Namespace::Ir, "ir_module") | (Namespace::Relax, "rewriter") => {
                return Decorated::Module;
            }
            _ => {}
        }
    }
    Decorated::No
}

/// What decorators say about the checks of TVM's parser.
#[derive(Clone, Copy)]
struct Checks {
    checked: bool,
    s_tir: bool,
}

impl Checks {
    fn of(decorators: impl Iterator<Item = ast::Decorator>) -> Checks {
        let mut checks = Checks {
            checked: true,
            s_tir: false,
        };
        for expr in decorators.filter_map(|it| it.expr()) {
            let (body, id) = body::lower_expr(&expr);
            let Expr::Call { args, .. } = &body.exprs[id] else {
                continue;
            };
            for arg in args {
                let given = &body.exprs[arg.value];
                match arg.keyword.as_ref().map(|it| it.text.as_str()) {
                    // A value that only Python knows may be either.
                    Some("check_well_formed") => {
                        checks.checked &= matches!(given, Expr::Bool(true));
                    }
                    Some("s_tir") => checks.s_tir |= !matches!(given, Expr::Bool(false)),
                    _ => {}
                }
            }
        }
        checks
    }
}
