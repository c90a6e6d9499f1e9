//! The canonical form of functions: rows of tokens that don't depend on names.
//!
//! A row binds or does one thing: a parameter, an attribute, a binding, a statement of a PrimFunc. Its tokens refer to
//! other rows by index and to shape variables by number, so functions that differ only in names have equal forms. The
//! bindings of a dataflow block are marked as free: their order follows from what they use.
//!
//! The form is used for equality, hashing (to match functions and rows in linear time) and the
//! [difference](crate::difference). It is plain data, so forms of two files from two databases can be compared.
//! PrimFuncs come from the typed program of [`tir`](crate::tir); Python, and PrimFuncs that cannot be typed, are read
//! from the text.

mod contents;
mod hash;

mod prim;
mod relax;
mod unlowered;
mod value;
mod written;

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use ::relax::FunctionKind;
use ::relax::ops::OpDef;
use ::relax::sinfo::StructInfo;
use rustc_hash::FxHashMap;
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
    /// The first function of each name in each module.
    by_name: FxHashMap<(Option<u32>, SmolStr), usize>,
    contents: OnceLock<ContentHashes>,
}

/// The form of a function with its position in a file. Versions of the file share the form while the function stays
/// the same.
#[derive(Clone, Debug)]
pub struct PlacedForm {
    form: Arc<FunctionForm>,
    start: TextSize,
}

/// A function in canonical form. Ranges are relative to its start.
#[derive(Clone, Debug)]
pub struct FunctionForm {
    pub name: SmolStr,
    /// The index of the module in the file.
    pub module: Option<u32>,
    pub kind: FunctionKind,
    range: TextRange,
    name_range: TextRange,
    pub rows: Vec<Row>,
    pub(crate) tokens: Vec<Token>,
    /// The functions of the module that it names.
    pub callees: Vec<SmolStr>,
    /// The number of shape variables in its signature.
    pub(crate) signature_syms: u32,
    own_hash: OwnHash,
}

/// A row, which binds or does one thing.
#[derive(Clone, Debug)]
pub struct Row {
    pub kind: RowKind,
    /// The name of the variable, or the key of an attribute; empty if there is none.
    pub name: SmolStr,
    range: TextRange,
    /// The StructInfo of a binding's variable.
    pub struct_info: Option<StructInfo>,
    /// The operator that the binding calls.
    pub op: Option<&'static OpDef>,
    /// Why LegalizeOps leaves the call of the operator, or stops at it, though all shapes are known.
    pub unlowered: Option<SmolStr>,
    /// The function of the module or of the host that it calls.
    pub callee: Option<SmolStr>,
    /// The row of the enclosing block.
    pub parent: Option<u32>,
    /// `true` if its position in the block follows only from what it uses.
    pub is_free: bool,
    pub(crate) parts: Vec<Part>,
    /// The end of its tokens in those of the function.
    pub(crate) end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowKind {
    /// `@R.function(private=True)`.
    Decorator,
    Signature,
    Attribute,
    Parameter,
    Binding,
    /// `with R.dataflow()`, or a branch.
    Block,
    Return,
    /// A buffer of a PrimFunc.
    Buffer,
    /// The axes of a block that one statement binds.
    Axes,
    /// What a block of a PrimFunc declares to read or write.
    Region,
    /// A loop or a block of a PrimFunc.
    Nest,
    /// Any other statement of a PrimFunc or of Python.
    Statement,
}

/// A named range of tokens: an argument, the StructInfo.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub label: &'static str,
    pub start: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Token {
    /// The hash of something that is compared literally.
    Word(u64),
    /// What a row binds: the only variable, or the `nth`.
    Row { row: u32, nth: u32 },
    /// A shape variable, numbered by its first mention.
    Sym(u32),
    /// An index into the callees of the function.
    Callee(u32),
}

impl ModuleForm {
    pub fn of(db: &dyn Db, file: SourceFile) -> ModuleForm {
        let functions = file_items(db, file).functions.iter();
        let placed = functions.map(|&it| PlacedForm {
            form: Arc::clone(function_form(db, it)),
            start: it.offset(db),
        });
        let functions: Vec<PlacedForm> = placed.collect();
        let mut by_name: FxHashMap<(Option<u32>, SmolStr), usize> = FxHashMap::default();
        for (at, function) in functions.iter().enumerate() {
            let key = (function.module, function.name.clone());
            by_name.entry(key).or_insert(at);
        }
        ModuleForm {
            functions,
            by_name,
            contents: OnceLock::new(),
        }
    }

    pub(crate) fn contents(&self) -> &ContentHashes {
        self.contents.get_or_init(|| ContentHashes::of(self))
    }

    /// Returns a hash of what a function does, with the functions that it calls.
    pub fn content_hash(&self, function: usize) -> u64 {
        self.contents().deep[function]
    }

    /// Returns the function of the file that a name refers to in another function.
    pub fn named(&self, name: &str, module: Option<u32>) -> Option<usize> {
        self.by_name.get(&(module, SmolStr::from(name))).copied()
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
    /// Returns the range in the file.
    pub fn range(&self) -> TextRange {
        self.form.range + self.start
    }

    /// Returns the range of the name in the file.
    pub fn name_range(&self) -> TextRange {
        self.form.name_range + self.start
    }

    /// Returns the range of a row in the file.
    pub fn row_range(&self, row: u32) -> TextRange {
        self.form.own_range(row) + self.start
    }

    /// Returns `true` if both share one form.
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

    /// Returns the range of a row, relative to the function.
    pub(crate) fn own_range(&self, row: u32) -> TextRange {
        self.rows[row as usize].range
    }

    pub(crate) fn tokens(&self, row: u32) -> &[Token] {
        let row = &self.rows[row as usize];
        let start = row.parts.first().map_or(row.end, |part| part.start);
        &self.tokens[start as usize..row.end as usize]
    }

    /// Returns the parts of a row with their tokens.
    pub(crate) fn parts(&self, row: u32) -> impl Iterator<Item = (&'static str, &[Token])> {
        let row = &self.rows[row as usize];
        row.parts.iter().enumerate().map(move |(at, part)| {
            let end = row.parts.get(at + 1).map_or(row.end, |next| next.start);
            (part.label, &self.tokens[part.start as usize..end as usize])
        })
    }

    /// Returns the row whose value a binding only gives other names to, or the row itself.
    pub fn named_row(&self, row: u32) -> u32 {
        let mut at = row;
        while let Some(Token::Row { row, .. }) = self.renamed(at)
            && row < at
        {
            at = row;
        }
        at
    }

    /// Returns the value to which a binding only gives another name.
    pub(crate) fn renamed(&self, row: u32) -> Option<Token> {
        if self.rows[row as usize].kind != RowKind::Binding {
            return None;
        }
        match self.parts(row).next()? {
            ("value", &[token @ Token::Row { .. }]) => Some(token),
            _ => None,
        }
    }

    /// Returns the rows that a row refers to.
    pub fn operands(&self, row: u32) -> impl Iterator<Item = u32> {
        self.tokens(row).iter().filter_map(|token| match token {
            Token::Row { row, .. } => Some(*row),
            _ => None,
        })
    }

    /// Returns the number of bindings and statements.
    pub fn size(&self) -> usize {
        let counts = |row: &&Row| matches!(row.kind, RowKind::Binding | RowKind::Statement);
        self.rows.iter().filter(counts).count()
    }
}
