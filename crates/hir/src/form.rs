//! The canonical form of functions: rows of tokens in which names do not matter.
//!
//! A row is what binds or does one thing: a parameter, an attribute, a binding, a statement of a PrimFunc. Its tokens name
//! other rows by position and shape variables by number, so functions that differ in names alone have equal forms. The
//! bindings of a dataflow block are marked as free: their order follows from what they use.
//!
//! One form serves equality, hashing (to match functions and rows in linear time) and the [difference](crate::difference).
//! It is meaning, which editors and the vm do not change, so it lives here; it is plain data, so forms of two files, from
//! two databases, are compared like those of one. PrimFuncs come from the typed program of [`tir`](crate::tir); what that
//! reader refuses, and Python, is read as written.

mod contents;
mod hash;
mod prim;
mod relax;
mod value;
mod written;

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use ::relax::FunctionKind;
use ::relax::ops::OpDef;
use ::relax::sinfo::StructInfo;
use smol_str::SmolStr;
use text_size::{TextRange, TextSize};

pub(crate) use contents::ContentHashes;
use contents::OwnHash;
pub(crate) use hash::{Hashes, fold, word};
use value::Writer;

use crate::db::{Db, SourceFile};
use crate::item_tree::{FunctionItem, file_items};

/// The functions of a file in canonical form.
#[derive(Clone, Debug, Default)]
pub struct ModuleForm {
    pub functions: Vec<PlacedForm>,
    contents: OnceLock<ContentHashes>,
}

/// The form of a function where it stands in a file. Versions of the file share the form as long as the function is the
/// same.
#[derive(Clone, Debug)]
pub struct PlacedForm {
    form: Arc<FunctionForm>,
    start: TextSize,
}

/// A function in canonical form. Ranges are relative to its start.
#[derive(Clone, Debug)]
pub struct FunctionForm {
    pub name: SmolStr,
    /// The module's position among the file's modules.
    pub module: Option<u32>,
    pub kind: FunctionKind,
    range: TextRange,
    name_range: TextRange,
    pub rows: Vec<Row>,
    pub(crate) tokens: Vec<Token>,
    /// The functions of the module that it names.
    pub callees: Vec<SmolStr>,
    /// How many shape variables its signature names.
    pub(crate) signature_syms: u32,
    own_hash: OwnHash,
}

/// What binds or does one thing.
#[derive(Clone, Debug)]
pub struct Row {
    pub kind: RowKind,
    /// The variable, the key of an attribute; empty for what has no name.
    pub name: SmolStr,
    range: TextRange,
    /// Of a binding's variable.
    pub struct_info: Option<StructInfo>,
    /// The operator that the binding calls.
    pub op: Option<&'static OpDef>,
    /// The function of the module or of the host that it calls.
    pub callee: Option<SmolStr>,
    /// The row of the block around it.
    pub parent: Option<u32>,
    /// Whether its place among the rows of its block follows from what it uses alone.
    pub is_free: bool,
    pub(crate) parts: Vec<Part>,
    /// Where its tokens end in those of the function.
    pub(crate) end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowKind {
    Signature,
    Attribute,
    Parameter,
    Binding,
    /// `with R.dataflow()`, a branch.
    Block,
    Return,
    /// A buffer of a PrimFunc.
    Buffer,
    /// A loop or a block of a PrimFunc.
    Nest,
    /// Any other statement of a PrimFunc or of Python.
    Statement,
}

/// A stretch of tokens with a name of its own: an argument, the StructInfo.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub label: &'static str,
    pub start: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Token {
    /// What is compared as it is, by its hash.
    Word(u64),
    /// What a row binds: the only thing, or the `nth`.
    Row { row: u32, nth: u32 },
    /// A shape variable, numbered by its first mention.
    Sym(u32),
    /// Into the callees of the function.
    Callee(u32),
}

impl ModuleForm {
    pub fn of(db: &dyn Db, file: SourceFile) -> ModuleForm {
        let functions = file_items(db, file).functions.iter();
        let placed = functions.map(|&it| PlacedForm {
            form: Arc::clone(function_form(db, it)),
            start: it.offset(db),
        });
        ModuleForm {
            functions: placed.collect(),
            contents: OnceLock::new(),
        }
    }

    pub(crate) fn contents(&self) -> &ContentHashes {
        self.contents.get_or_init(|| ContentHashes::of(self))
    }

    /// A function that another function of the file names.
    pub fn named(&self, name: &str, module: Option<u32>) -> Option<usize> {
        let is_it = |it: &PlacedForm| it.name == name && it.module == module;
        self.functions.iter().position(is_it)
    }
}

#[salsa::tracked(returns(ref), no_eq)]
pub(crate) fn function_form<'db>(db: &'db dyn Db, item: FunctionItem<'db>) -> Arc<FunctionForm> {
    Arc::new(FunctionForm::of(db, item))
}

impl Deref for PlacedForm {
    type Target = FunctionForm;

    fn deref(&self) -> &FunctionForm {
        &self.form
    }
}

impl PlacedForm {
    /// Of the file.
    pub fn range(&self) -> TextRange {
        self.form.range + self.start
    }

    /// Of the file.
    pub fn name_range(&self) -> TextRange {
        self.form.name_range + self.start
    }

    /// Of the file.
    pub fn row_range(&self, row: u32) -> TextRange {
        self.form.own_range(row) + self.start
    }

    /// Whether both are one form.
    pub(crate) fn is(&self, other: &PlacedForm) -> bool {
        Arc::ptr_eq(&self.form, &other.form)
    }
}

impl FunctionForm {
    fn of(db: &dyn Db, item: FunctionItem<'_>) -> FunctionForm {
        let mut writer = Writer::new(db, item);
        match item.kind(db) {
            FunctionKind::Relax => relax::write(&mut writer),
            FunctionKind::PrimFunc => prim::write(&mut writer),
            FunctionKind::Macro | FunctionKind::Python => written::write(&mut writer),
        }
        writer.finish()
    }

    /// Of the function.
    pub(crate) fn own_range(&self, row: u32) -> TextRange {
        self.rows[row as usize].range
    }

    pub(crate) fn tokens(&self, row: u32) -> &[Token] {
        let row = &self.rows[row as usize];
        let start = row.parts.first().map_or(row.end, |part| part.start);
        &self.tokens[start as usize..row.end as usize]
    }

    /// The parts of a row with their tokens.
    pub(crate) fn parts(&self, row: u32) -> impl Iterator<Item = (&'static str, &[Token])> {
        let row = &self.rows[row as usize];
        row.parts.iter().enumerate().map(move |(at, part)| {
            let end = row.parts.get(at + 1).map_or(row.end, |next| next.start);
            (part.label, &self.tokens[part.start as usize..end as usize])
        })
    }

    /// The rows that a row names.
    pub fn operands(&self, row: u32) -> impl Iterator<Item = u32> {
        self.tokens(row).iter().filter_map(|token| match token {
            Token::Row { row, .. } => Some(*row),
            _ => None,
        })
    }

    /// How many bindings and statements it has.
    pub fn size(&self) -> usize {
        let counts = |row: &&Row| matches!(row.kind, RowKind::Binding | RowKind::Statement);
        self.rows.iter().filter(counts).count()
    }
}
