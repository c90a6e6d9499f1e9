//! Hover for names under `R`, `T` and `I`, using the tree only, so that it also works in decorators, annotations and
//! PrimFuncs. Also covers dtypes and attribute keys in strings.

use hir::{Database, SourceFile};
use relax::arguments::bind;
use relax::dtype::DType;
use relax::release::{Release, Releases};
use relax::script::{self, Entry, Mark, Marked, Role};
use relax::script::{Namespace, ScriptPath};
use relax::{FunctionKind, ops};
use smol_str::SmolStr;
use syntax::ast::{Arg, AstNode, CallExpr, Expr};
use syntax::{SyntaxKind as K, SyntaxNode, SyntaxToken};
use text_size::{TextRange, TextSize};

use super::{code, dtype, operator};
use crate::cursor::WrittenArgument;
use crate::markdown::{Code, Markdown, markdown};
use crate::semantics::function_at;
use crate::types::Hover;

pub fn hover(db: &Database, file: SourceFile, offset: TextSize) -> Option<Hover> {
    let tree = file.source(db).parse.syntax();
    let tokens = syntax::tokens_at(&tree, offset);
    let token = tokens.max_by_key(|token| matches!(token.kind(), K::IDENT | K::STRING))?;
    let function = function_at(db, file, offset);
    let at = At {
        env: function.map_or_else(|| hir::file_env(db, file), |it| it.env(db).clone()),
        release: hir::file_release(db, file),
        kind: function.map_or(FunctionKind::Python, |it| it.kind(db)),
    };
    let (range, markdown) = match token.kind() {
        K::STRING => (token.text_range(), at.string(&token)?),
        K::IDENT => at.keyword(&token).or_else(|| at.path(&token))?,
        _ => return None,
    };
    Some(Hover { range, markdown })
}

struct At {
    env: std::sync::Arc<hir::enclosing::Env>,
    release: Release,
    kind: FunctionKind,
}

impl At {
    fn string(&self, token: &SyntaxToken) -> Option<Markdown> {
        let text = token.text().trim_matches(['"', '\'']);
        if self.is_attr_key(token) {
            let attr = script::function_attr(text, self.kind, self.release)?;
            return Some(markdown!(
                "{}{}",
                code(&format!("\"{}\": {}", attr.key, attr.example)),
                attr.doc
            ));
        }
        if let Some(mark) = self.mark(token, text) {
            return Some(mark_page(mark));
        }
        if let Some(page) = self.word(token, text) {
            return Some(page);
        }
        if let Some(kinds) = self.axis_kinds(token, text) {
            return Some(kinds);
        }
        // A word such as a name is only a dtype if it has digits or the parameter takes a dtype.
        let is_dtype = text == "bool"
            || self.is_of_dtype(token)
            || text.ends_with(|c: char| c.is_ascii_digit() || c == 'n' || c == 'z' || c == 'u');
        DType::parse(text)
            .filter(|_| is_dtype && self.kind != FunctionKind::Python)
            .map(dtype::page)
    }

    /// Describes `T.axis.remap("SSR", [i, j, k])`: the axis kind of each loop variable.
    fn axis_kinds(&self, token: &SyntaxToken, letters: &str) -> Option<Markdown> {
        let call = token.parent()?.ancestors().find_map(CallExpr::cast)?;
        let path = self.callee(call.syntax())?;
        let args: Vec<_> = call
            .arg_list()?
            .args()
            .filter_map(|it| it.value())
            .collect();
        let [kinds, Expr::ListExpr(bindings), ..] = args.as_slice() else {
            return None;
        };
        if path.rest != "axis.remap" || kinds.range() != token.text_range() {
            return None;
        }
        let lines: Option<Vec<Markdown>> = letters
            .chars()
            .zip(bindings.elements())
            .map(|(letter, binding)| {
                let kind = match letter {
                    'S' => "spatial",
                    'R' => "reduce",
                    _ => return None,
                };
                Some(markdown!(
                    "- {}: {}, {}",
                    Code(letter),
                    kind,
                    Code(binding.syntax().text())
                ))
            })
            .collect();
        Some(markdown!(
            "{}{}",
            code(&format!("{letters:?}")),
            Markdown::joined(lines?, "\n")
        ))
    }

    /// Returns the description of an annotation key, in a dict argument or as an argument of its own.
    fn mark(&self, token: &SyntaxToken, key: &str) -> Option<&'static Mark> {
        let literal = token.parent()?;
        let (entry, param, value) = self.argument(&literal)?;
        let is_key = match literal.parent().filter(|it| it.kind() == K::DICT_ENTRY) {
            Some(entry) => entry.first_child().as_ref() == Some(&literal),
            None => value == literal,
        };
        script::mark(key, Marked::by(entry.name, &param)?, self.release).filter(|_| is_key)
    }

    /// Describes a string that is one of few possible words, such as a memory scope or a thread.
    fn word(&self, token: &SyntaxToken, text: &str) -> Option<Markdown> {
        let literal = token.parent()?;
        let (_, param, value) = self.argument(&literal)?;
        let mut words = script::words_of(&param).iter();
        let (word, doc) = words.find(|(word, _)| *word == text && value == literal)?;
        Some(markdown!("{}{}", code(&format!("\"{word}\"")), *doc))
    }

    fn is_of_dtype(&self, token: &SyntaxToken) -> bool {
        let argument = token.parent().and_then(|literal| self.argument(&literal));
        argument.is_some_and(|(_, param, _)| param.ends_with("dtype"))
    }

    /// Returns the script function, the parameter and the whole argument around an expression.
    fn argument(&self, inside: &SyntaxNode) -> Option<(&'static Entry, String, SyntaxNode)> {
        let call = inside.ancestors().find_map(CallExpr::cast)?;
        let path = self.callee(call.syntax())?;
        let entry = script::find(path.namespace, &path.rest, self.release)?;
        let range = inside.text_range();
        let holds = |arg: &Arg| arg.syntax().text_range().contains_range(range);
        let args: Vec<Arg> = call.arg_list()?.args().collect();
        let at = args.iter().position(holds)?;
        let arg = &args[at];
        let param = match arg.keyword() {
            Some(keyword) => keyword.text().to_owned(),
            None => {
                let given = args.iter().map(|arg| WrittenArgument {
                    keyword: arg.keyword().map(|it| it.text().into()),
                    ..WrittenArgument::default()
                });
                let params = entry.params();
                params[bind(&params, given).param(at)?].name.to_owned()
            }
        };
        Some((entry, param, arg.value()?.syntax().clone()))
    }

    /// Returns `true` for a key of `R.func_attr({"key": ...})`.
    fn is_attr_key(&self, token: &SyntaxToken) -> bool {
        let literal = token.parent();
        let entry = literal.as_ref().and_then(SyntaxNode::parent);
        let (Some(literal), Some(entry)) = (literal, entry.filter(|it| it.kind() == K::DICT_ENTRY))
        else {
            return false;
        };
        let first = entry.first_child().is_some_and(|key| key == literal);
        let call = entry.ancestors().find(|node| node.kind() == K::CALL_EXPR);
        let callee = call.and_then(|call| self.callee(&call));
        first && callee.is_some_and(|path| path.rest == "func_attr")
    }

    fn callee(&self, call: &SyntaxNode) -> Option<ScriptPath> {
        let callee = call.first_child()?;
        let names: Vec<SmolStr> = names_of(&callee)?;
        self.env.script_path(&names)
    }

    /// Describes a keyword argument of a script function.
    fn keyword(&self, token: &SyntaxToken) -> Option<(TextRange, Markdown)> {
        let argument = token
            .parent()
            .filter(|node| node.kind() == K::KEYWORD_ARG)?;
        if argument.first_token().as_ref() != Some(token) {
            return None;
        }
        let call = argument
            .ancestors()
            .find(|node| node.kind() == K::CALL_EXPR)?;
        let path = self.callee(&call)?;
        let entry = script::find(path.namespace, &path.rest, self.release)?;
        let mut params = entry.forms().into_iter().flatten();
        let param = params.find(|param| param.name == token.text())?;
        let of = callee_text(&call)?;
        let doc = match script::param_doc(entry, param.name) {
            "" => Markdown::default(),
            doc => markdown!("{}\n\n", doc),
        };
        Some((
            token.text_range(),
            markdown!("{}{}parameter of {}", code(param.text), doc, Code(of)),
        ))
    }

    /// Returns the namespaced name up to the word at the cursor.
    fn path(&self, token: &SyntaxToken) -> Option<(TextRange, Markdown)> {
        let node = token
            .parent()
            .filter(|node| matches!(node.kind(), K::NAME_EXPR | K::ATTRIBUTE_EXPR))?;
        let names = names_of(&node)?;
        let path = self.env.script_path(&names)?;
        let shown = names.join(".");
        Some((node.text_range(), self.page(&shown, &path)?))
    }

    fn page(&self, shown: &str, path: &ScriptPath) -> Option<Markdown> {
        let (namespace, rest) = (path.namespace, path.rest.as_str());
        if rest.is_empty() {
            let (module, what) = match namespace {
                Namespace::Relax => (
                    "tvm.script.relax",
                    "operators, StructInfo and statements of Relax",
                ),
                Namespace::Tir => (
                    "tvm.script.tir",
                    "PrimFuncs, and shape expressions of Relax",
                ),
                Namespace::Ir => ("tvm.script.ir", "modules"),
                Namespace::Python => ("tvm.relax", "the same operators, called from Python"),
            };
            let module = match namespace {
                Namespace::Tir if self.release.has_tirx() => "tvm.script.tirx",
                _ => module,
            };
            return Some(markdown!("{}{}", code(module), what));
        }
        if let Some(entry) = script::find(namespace, rest, self.release) {
            let mut page = entry_page(shown, entry, namespace);
            if entry.role == Role::Namespace {
                let count = script::below(namespace, rest, self.release).len();
                page.push(markdown!("\n\n{} names", count));
            }
            return Some(page);
        }
        if let Namespace::Tir | Namespace::Ir = namespace {
            let dtype = DType::of_constructor(rest).filter(|_| namespace == Namespace::Tir);
            return dtype.map(dtype::page).or_else(|| {
                let count = script::below(namespace, rest, self.release).len();
                (count > 0).then(|| markdown!("{}{} names", code(shown), count))
            });
        }
        if let Some(op) = ops::by_script(rest, self.release) {
            return Some(operator::page(op));
        }
        let ops = ops::all().filter(|op| op.releases.contains(self.release));
        let count = ops.filter(|op| is_below(op.script(), rest)).count();
        (count > 0).then(|| markdown!("{}{} operators", code(shown), count))
    }
}

/// Returns `true` if a dotted name is in the namespace `space`.
fn is_below(name: &str, space: &str) -> bool {
    let rest = name.strip_prefix(space);
    rest.is_some_and(|rest| rest.starts_with('.'))
}

pub fn mark_page(mark: &Mark) -> Markdown {
    let head = code(&format!("\"{}\": {}", mark.key, mark.example));
    markdown!("{}{}\n\nannotation of a {}", head, mark.doc, mark.of.name())
}

/// Writes the overloads of a script function, one per line.
pub fn written(name: &str, entry: &Entry) -> String {
    let forms = entry.forms().into_iter().map(|form| {
        let mut params: Vec<&str> = form.iter().map(|param| param.text).collect();
        if let Some(at) = script::lone_star(&form) {
            params.insert(at, "*");
        }
        format!("{name}({})", params.join(", "))
    });
    let forms: Vec<String> = forms.collect();
    match forms.as_slice() {
        [] => name.to_owned(),
        forms => forms.join("\n"),
    }
}

fn entry_page(shown: &str, entry: &Entry, namespace: Namespace) -> Markdown {
    // Other dialects may have a separate row.
    let rows = script::entries(namespace).filter(|row| row.name == entry.name);
    let all = rows.fold(entry.releases, |all, row| Releases {
        since: all.since.min(row.releases.since),
        until: all.until.max(row.releases.until),
    });
    let note = operator::range(all);
    let at = if entry.role == Role::Decorator {
        "@"
    } else {
        ""
    };
    let mut text = code(&written(&format!("{at}{shown}"), entry));
    text.push(entry.doc);
    if let Some(note) = note {
        text.push(markdown!("\n\n{}", note));
    }
    text
}

/// Returns the parts of an expression that is a dotted name.
fn names_of(node: &SyntaxNode) -> Option<Vec<SmolStr>> {
    let mut names = Vec::new();
    let mut at = node.clone();
    loop {
        let last = at
            .children_with_tokens()
            .filter_map(syntax::NodeOrToken::into_token);
        let last = last.filter(|token| !token.kind().is_trivia()).last()?;
        names.push(SmolStr::from(last.text()));
        match at.kind() {
            K::NAME_EXPR => break,
            K::ATTRIBUTE_EXPR => at = at.first_child()?,
            _ => return None,
        }
    }
    names.reverse();
    Some(names)
}

fn callee_text(call: &SyntaxNode) -> Option<String> {
    Some(names_of(&call.first_child()?)?.join("."))
}
