//! Hover for the names of a PrimFunc: buffers, loops, axes, variables.

use hir::prim_facts::{
    AxisFact, BlockFact, BufferFact, BufferOrigin, Dim, LoopFact, LoopKind, PrimDef, PrimDefId,
    PrimDefKind, Target,
};
use hir::{Database, FunctionItem, PrimFacts, SourceFile, function_prim_facts};
use relax::FunctionKind;
use relax::script;
use syntax::SyntaxKind;
use syntax::ast::AstNode;
use text_size::{TextRange, TextSize};

use super::code;
use super::script::written;
use crate::markdown::{Code, Markdown, Text, markdown};
use crate::mentions::{Access, Mention, Symbol};
use crate::semantics::function_at;
use crate::types::Hover;

/// Returns the PrimFunc or the macro at an offset, and the offset in it.
fn function_of(
    db: &Database,
    file: SourceFile,
    offset: TextSize,
) -> Option<(FunctionItem<'_>, TextSize)> {
    let function = function_at(db, file, offset)?;
    let kind = function.kind(db);
    let reads = matches!(kind, FunctionKind::PrimFunc | FunctionKind::Macro);
    reads.then(|| (function, offset - function.offset(db)))
}

/// Returns the name at an offset that a macro binds. No reference leads to it.
pub fn mention_in_macro(db: &Database, file: SourceFile, offset: TextSize) -> Option<Mention<'_>> {
    let (function, at) = function_of(db, file, offset)?;
    if function.kind(db) != FunctionKind::Macro {
        return None;
    }
    let mention = function_prim_facts(db, function).mention_at(TextRange::empty(at))?;
    let Target::Def(id) = mention.target else {
        return None;
    };
    Some(Mention {
        range: mention.range + function.offset(db),
        symbol: Symbol::Tir(function, id),
        access: Access::Read,
    })
}

/// Returns the page of a name that a PrimFunc or a macro defines.
pub fn definition(db: &Database, function: FunctionItem<'_>, id: PrimDefId) -> Markdown {
    let describer = Describer {
        text: &function.file(db).source(db).text,
        start: function.offset(db),
        facts: function_prim_facts(db, function),
    };
    describer.definition(id)
}

/// Returns the hover for a member of a buffer: `A.access_ptr`.
pub fn member(db: &Database, file: SourceFile, offset: TextSize) -> Option<Hover> {
    let (function, at) = function_of(db, file, offset)?;
    let facts = function_prim_facts(db, function);
    let tree = function.source(db).def()?;
    let mut tokens = syntax::tokens_at(tree.syntax(), at);
    let name = tokens.find(|token| token.kind() == SyntaxKind::IDENT)?;
    let access = name.parent()?;
    let base = access
        .first_child()
        .filter(|_| access.kind() == SyntaxKind::ATTRIBUTE_EXPR)?;
    let mention = facts.mention_at(base.text_range())?;
    let Target::Def(id) = mention.target else {
        return None;
    };
    let PrimDefKind::Buffer(_) = facts.def(id).kind else {
        return None;
    };
    let entry = script::buffer_member(name.text(), hir::file_release(db, file))?;
    let shown = format!("{}.{}", facts.def(id).name, entry.name);
    Some(Hover {
        range: name.text_range() + function.offset(db),
        markdown: markdown!("{}{}", code(&written(&shown, entry)), entry.doc),
    })
}

struct Describer<'a> {
    /// The text of the file.
    text: &'a str,
    /// The offset of the function in the file.
    start: TextSize,
    facts: &'a PrimFacts,
}

impl Describer<'_> {
    fn definition(&self, id: PrimDefId) -> Markdown {
        let def = self.facts.def(id);
        let name = &def.name;
        let mut text = match &def.kind {
            PrimDefKind::Buffer(buffer) => self.buffer(name, buffer),
            PrimDefKind::Loop(it) => self.loop_variable(name, it),
            PrimDefKind::Axis(it) => self.axis(name, it),
            PrimDefKind::Block(block) => self.block(id, def, block),
            PrimDefKind::Pointer(Some(memory)) => self.memory(name, memory),
            PrimDefKind::Handle | PrimDefKind::Pointer(None) => self.pointer(id, def),
            kind => {
                let dtype = def.dtype().map(|dtype| format!(": {dtype}"));
                let title = format!("{name}{}", dtype.unwrap_or_default());
                let mut text = code(&title);
                text.push(kind.role());
                match kind {
                    PrimDefKind::Thread(thread) if !thread.tag.is_empty() => {
                        text.push(markdown!(" {}", Code(&thread.tag)));
                        if let Some(extent) = thread.extent {
                            text.push(markdown!(", of {}", Code(self.source(extent))));
                        }
                    }
                    PrimDefKind::Python => text.push(" whose value only Python knows"),
                    PrimDefKind::ShapeVar(_) => {
                        if let Some((at, buffer)) = self.bound_by(def) {
                            text.push(markdown!(", dimension {} of {}", at, Code(buffer)));
                        }
                    }
                    _ => {}
                }
                text
            }
        };
        if let Some(block) = def.block
            && !matches!(def.kind, PrimDefKind::Block(_))
            && let name = &self.facts.def(block).name
            && !name.is_empty()
        {
            text.push(markdown!(" in the block {}", Code(name)));
        }
        text
    }

    /// Returns the first buffer dimension that is this shape variable.
    fn bound_by(&self, var: &PrimDef) -> Option<(usize, &str)> {
        let is_var = |dim: &Dim| {
            let mention = self.facts.mention_at(dim.range);
            mention.is_some_and(|it| match it.target {
                Target::Def(id) => std::ptr::eq(self.facts.def(id), var) && it.range == dim.range,
                _ => false,
            })
        };
        self.facts.defs.iter().find_map(|def| match &def.kind {
            PrimDefKind::Buffer(buffer) => {
                let at = buffer.shape.as_ref()?.iter().position(is_var)?;
                Some((at, def.name.as_str()))
            }
            _ => None,
        })
    }

    fn buffer(&self, name: &str, buffer: &BufferFact) -> Markdown {
        let shape = match &buffer.shape {
            Some(dims) => self.dims(dims),
            None => "(...)".to_owned(),
        };
        let dtype = match buffer.dtype {
            Some(dtype) => format!(", \"{dtype}\""),
            None => String::new(),
        };
        let mut text = code(&format!("{name}: T.Buffer({shape}{dtype})"));
        text.push(match buffer.origin {
            BufferOrigin::Param => "buffer parameter",
            BufferOrigin::Match => "buffer matched to memory that exists",
            BufferOrigin::Alloc => "allocated buffer",
            BufferOrigin::View => "view of memory",
        });
        if let Some(scope) = &buffer.scope {
            text.push(markdown!(", scope {}", Code(scope)));
        }
        text.push(self.room(buffer));
        if let Some(strides) = &buffer.strides {
            text.push(markdown!(", strides {}", Code(self.dims(strides))));
        }
        if let Some(offset) = buffer.offset {
            text.push(markdown!(", from element {}", Code(self.dim(offset))));
        }
        text
    }

    /// Returns the size of a buffer's elements in bytes, or as a formula.
    fn room(&self, buffer: &BufferFact) -> Markdown {
        if let (Some(elements), Some(bytes)) = (buffer.elements(), buffer.bytes()) {
            return markdown!(", {} elements in {}", elements, size(bytes));
        }
        let (Some(dims), Some(dtype)) = (&buffer.shape, buffer.dtype) else {
            return Markdown::default();
        };
        let bits = i64::from(dtype.bits) * i64::from(dtype.lanes);
        let known = dims.iter().filter_map(|dim| dim.value);
        let Some(bits) = known.into_iter().try_fold(bits, i64::checked_mul) else {
            return Markdown::default();
        };
        let open = dims.iter().filter(|dim| dim.value.is_none());
        let mut factors: Vec<String> = open.map(|&dim| self.factor(dim)).collect();
        if factors.iter().any(String::is_empty) {
            return Markdown::default();
        }
        match bits {
            8 => {}
            _ if bits % 8 == 0 => factors.insert(0, (bits / 8).to_string()),
            _ => factors.extend([format!("{bits} / 8")]),
        }
        markdown!(", {} bytes", Code(factors.join(" * ")))
    }

    /// Writes a dimension as a factor of a product.
    fn factor(&self, dim: Dim) -> String {
        let text = self.dim(dim);
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        if text.chars().all(is_name) {
            text
        } else {
            format!("({text})")
        }
    }

    /// Describes memory that `T.allocate` reserves.
    fn memory(&self, name: &str, memory: &BufferFact) -> Markdown {
        let quoted = |text: String| format!("\"{text}\"");
        let dtype = memory.dtype.map(|dtype| quoted(dtype.to_string()));
        let scope = memory.scope.as_ref().map(|scope| quoted(scope.to_string()));
        let args: Vec<String> = dtype.into_iter().chain(scope).collect();
        let mut text = code(&format!("{name}: T.handle({})", args.join(", ")));
        text.push("pointer to memory of its own");
        text.push(self.room(memory));
        text
    }

    /// Describes a pointer: its declaration, and the buffer in its memory.
    fn pointer(&self, id: PrimDefId, def: &PrimDef) -> Markdown {
        let declared = self.source(def.range);
        let is_short = declared.len() < 80 && !declared.contains('\n');
        let mut text = code(if is_short { declared } else { &def.name });
        text.push(def.kind.role());
        let mentions: Vec<TextRange> = self.facts.mentions_of(id).map(|it| it.range).collect();
        let matched = self.facts.defs.iter().find(|other| {
            matches!(&other.kind, PrimDefKind::Buffer(buffer) if buffer.origin != BufferOrigin::Alloc)
                && other.name != def.name
                && mentions.iter().any(|it| other.range.contains_range(*it))
        });
        if let Some(buffer) = matched {
            text.push(markdown!(", with the buffer {}", Code(&buffer.name)));
        }
        text
    }

    fn loop_variable(&self, name: &str, it: &LoopFact) -> Markdown {
        let dtype = it
            .dtype
            .map(|dtype| format!(": {dtype}"))
            .unwrap_or_default();
        let domain = self.domain(it.start, it.stop);
        let mut text = code(&format!("{name}{dtype} in {domain}"));
        let kind = match it.kind {
            LoopKind::Grid => "serial",
            kind => kind.name(),
        };
        text.push(markdown!("{} loop", kind));
        if let Some(thread) = &it.thread {
            text.push(markdown!(" over {}", Code(thread)));
        }
        if let Some(step) = it.step {
            text.push(markdown!(" in steps of {}", Code(self.dim(step))));
        }
        if let Some(extent) = it.extent() {
            let times = if extent == 1 {
                "iteration"
            } else {
                "iterations"
            };
            text.push(markdown!(", {} {}", extent, times));
        }
        text
    }

    fn axis(&self, name: &str, it: &AxisFact) -> Markdown {
        let dtype = it
            .dtype
            .map(|dtype| format!(": {dtype}"))
            .unwrap_or_default();
        let domain = self.domain(it.start, it.stop);
        let mut text = code(&format!("{name}{dtype} in {domain}"));
        text.push(markdown!("{} axis", it.kind.name()));
        if let Some(binding) = it.binding {
            text.push(markdown!(" bound to {}", Code(self.source(binding))));
        }
        text
    }

    /// Describes a block with its axes: `C(vi: spatial, vk: reduce)`.
    fn block(&self, id: PrimDefId, def: &PrimDef, fact: &BlockFact) -> Markdown {
        let inside = self.facts.defs.iter().filter(|it| it.block == Some(id));
        let axes: Vec<Markdown> = inside
            .filter_map(|it| match &it.kind {
                PrimDefKind::Axis(axis) => {
                    let domain = self.domain(axis.start, axis.stop);
                    let kind = axis.kind.name();
                    Some(markdown!(
                        "{} {}",
                        kind,
                        Code(format!("{} in {domain}", it.name))
                    ))
                }
                _ => None,
            })
            .collect();
        let mut text = code(&format!("block {}", def.name));
        text.push(Markdown::joined(axes, ", "));
        for (verb, regions) in [("reads", &fact.reads), ("writes", &fact.writes)] {
            let regions = regions
                .iter()
                .map(|it| markdown!("{}", Code(self.source(*it))));
            let regions = Markdown::joined(regions, ", ");
            if !regions.is_empty() {
                text.push(markdown!("\n\n{} {}", verb, regions));
            }
        }
        text
    }

    /// Writes a domain as `[0, 128)`.
    fn domain(&self, start: Option<Dim>, stop: Option<Dim>) -> String {
        let start = start.map_or("0".to_owned(), |dim| self.dim(dim));
        let stop = stop.map_or("...".to_owned(), |dim| self.dim(dim));
        format!("[{start}, {stop})")
    }

    fn dims(&self, dims: &[Dim]) -> String {
        let shown: Vec<String> = dims.iter().map(|&dim| self.dim(dim)).collect();
        match shown.as_slice() {
            [one] => format!("({one},)"),
            all => format!("({})", all.join(", ")),
        }
    }

    fn dim(&self, dim: Dim) -> String {
        match dim.value {
            Some(value) => value.to_string(),
            None => self.source(dim.range).trim_matches(['"', '\'']).to_owned(),
        }
    }

    fn source(&self, range: TextRange) -> &str {
        let range = std::ops::Range::<usize>::from(range + self.start);
        self.text.get(range).unwrap_or("...")
    }
}

/// Writes a size as `64 KiB` or `12 B`.
pub fn size(bytes: i64) -> Markdown {
    markdown!(
        "{}",
        Text(humansize::format_size_i(bytes, humansize::BINARY))
    )
}
