//! Finds the names in a piece, and the keywords of calls. Walks the green tree instead of typed views, because it visits
//! every name of a long text. Does not resolve names.

use rowan::{GreenNodeData, NodeOrToken};
use text_size::{TextRange, TextSize};

use super::Piece;
use crate::kind::SyntaxKind::{
    self, ANN_ASSIGN_STMT, ARG_LIST, ASSIGN_STMT, ATTRIBUTE_EXPR, CALL_EXPR, EQ, IDENT,
    KEYWORD_ARG, NAME_EXPR, STRING_LIT, SUBSCRIPT_EXPR, TYPE_PARAM_LIST,
};
use crate::subtrees::GreenChild;

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameUse<'a> {
    /// `a.b`
    Plain,
    /// `a.b(...)`
    Called,
    /// `a.b[...]`
    Subscripted,
    /// `a.b(..., keyword=...)`: one for each keyword, in addition to `Called`.
    Keyword(&'a str),
    /// `a.b(f, ...)`, in addition to `Called`.
    First(FirstArgument<'a>),
    /// `n`: a name without dots.
    Alone,
    /// `[n]` in `def f[n]`. Has no names.
    TypeParams,
}

/// The first argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstArgument<'a> {
    /// `f`
    Name(&'a str),
    /// `cls.f`
    Dotted,
    /// `"f"`
    Text,
}

/// A name, and its range in the piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DottedName<'a> {
    pub usage: NameUse<'a>,
    /// The parts of the dotted name: `a` and `b` for `a.b`.
    pub names: Vec<&'a str>,
    pub range: TextRange,
    /// The range of the last name, or of the keyword.
    pub part: TextRange,
}

impl Piece {
    /// Returns `false` if all statements are assignments to single names, and none of these is wanted.
    pub fn may_bind(&self, is_wanted: &dyn Fn(&str) -> bool) -> bool {
        let mut statements = self.green.children().filter_map(GreenChild::into_node);
        statements.any(|it| single_target(it).is_none_or(is_wanted))
    }

    /// Visits the names for which `wanted` is true. Its arguments are the last part of the name and the use.
    pub fn names<'a>(
        &'a self,
        wanted: &dyn Fn(&str, NameUse<'_>) -> bool,
        visit: &mut dyn FnMut(DottedName<'a>),
    ) {
        let mut stack: Vec<(&GreenNodeData, TextSize, NameUse<'_>)> =
            vec![(&self.green, TextSize::new(0), NameUse::Plain)];
        while let Some((node, start, usage)) = stack.pop() {
            let kind = kind(node);
            match kind {
                ATTRIBUTE_EXPR => {
                    if let Some((last, _)) = last_name(node)
                        && wanted(last, usage)
                        && let Some(name) = dotted(node, start, usage)
                    {
                        visit(name);
                    }
                }
                CALL_EXPR => {
                    let callee = first_node(node).filter(|it| self::kind(it) == ATTRIBUTE_EXPR);
                    if let Some(callee) = callee {
                        first_argument(node, callee, start, wanted, visit);
                        keywords(node, callee, start, wanted, visit);
                    }
                }
                NAME_EXPR => {
                    if let Some((name, _)) = last_name(node)
                        && wanted(name, NameUse::Alone)
                    {
                        let range = TextRange::at(start, node.text_len());
                        visit(DottedName {
                            usage: NameUse::Alone,
                            names: vec![name],
                            range,
                            part: range,
                        });
                    }
                    continue;
                }
                TYPE_PARAM_LIST => {
                    let range = TextRange::at(start, node.text_len());
                    visit(DottedName {
                        usage: NameUse::TypeParams,
                        names: Vec::new(),
                        range,
                        part: range,
                    });
                }
                _ => {}
            }
            let mut offset = start;
            let mut is_first = true;
            for child in node.children() {
                if let NodeOrToken::Node(inner) = child {
                    let usage = match kind {
                        CALL_EXPR if is_first => NameUse::Called,
                        SUBSCRIPT_EXPR if is_first => NameUse::Subscripted,
                        _ => NameUse::Plain,
                    };
                    is_first = false;
                    stack.push((inner, offset, usage));
                }
                offset += child.text_len();
            }
        }
    }
}

/// Returns `a` for `a = ...` and `a: ... = ...`.
fn single_target(statement: &GreenNodeData) -> Option<&str> {
    let signs = statement.children().filter(|it| it.kind() == EQ.into());
    let is_single = match kind(statement) {
        ANN_ASSIGN_STMT => true,
        ASSIGN_STMT => signs.count() == 1,
        _ => false,
    };
    let target = first_node(statement).filter(|it| is_single && kind(it) == NAME_EXPR)?;
    let name = target.children().find_map(GreenChild::into_token);
    name.map(rowan::GreenTokenData::text)
}

fn kind(node: &GreenNodeData) -> SyntaxKind {
    SyntaxKind::of_green(node.kind())
}

/// The last part of a dotted name, and its offset in the node.
fn last_name(node: &GreenNodeData) -> Option<(&str, TextSize)> {
    let mut end = node.text_len();
    for child in node.children().rev() {
        end -= child.text_len();
        if let NodeOrToken::Token(token) = child
            && token.kind() == IDENT.into()
        {
            return Some((token.text(), end));
        }
    }
    None
}

fn first_node(node: &GreenNodeData) -> Option<&GreenNodeData> {
    node.children().find_map(GreenChild::into_node)
}

/// The whole dotted name; `None` if its first part is not a name, as in `f().a`.
fn dotted<'a>(
    node: &'a GreenNodeData,
    start: TextSize,
    usage: NameUse<'a>,
) -> Option<DottedName<'a>> {
    let (_, last) = last_name(node)?;
    let range = TextRange::at(start, node.text_len());
    let part = TextRange::new(start + last, range.end());
    let mut names = Vec::new();
    let mut at = node;
    loop {
        names.push(last_name(at)?.0);
        match kind(at) {
            ATTRIBUTE_EXPR => at = first_node(at)?,
            NAME_EXPR => break,
            _ => return None,
        }
    }
    names.reverse();
    Some(DottedName {
        usage,
        names,
        range,
        part,
    })
}

fn first_argument<'a>(
    call: &'a GreenNodeData,
    callee: &'a GreenNodeData,
    start: TextSize,
    wanted: &dyn Fn(&str, NameUse<'_>) -> bool,
    visit: &mut dyn FnMut(DottedName<'a>),
) {
    let args = call.children().filter_map(GreenChild::into_node);
    let first = args.skip(1).find(|it| kind(it) == ARG_LIST);
    let argument = match first.and_then(first_node).map(|it| (kind(it), it)) {
        Some((NAME_EXPR, name)) => last_name(name).map(|it| FirstArgument::Name(it.0)),
        Some((ATTRIBUTE_EXPR, _)) => Some(FirstArgument::Dotted),
        Some((STRING_LIT, _)) => Some(FirstArgument::Text),
        _ => None,
    };
    if let Some(usage) = argument.map(NameUse::First)
        && let Some((last, _)) = last_name(callee)
        && wanted(last, usage)
        && let Some(name) = dotted(callee, start, usage)
    {
        visit(name);
    }
}

fn keywords<'a>(
    call: &'a GreenNodeData,
    callee: &'a GreenNodeData,
    start: TextSize,
    wanted: &dyn Fn(&str, NameUse<'_>) -> bool,
    visit: &mut dyn FnMut(DottedName<'a>),
) {
    let mut offset = start;
    for child in call.children() {
        if let NodeOrToken::Node(args) = child
            && kind(args) == ARG_LIST
        {
            let mut at = offset;
            for arg in args.children() {
                if let NodeOrToken::Node(node) = arg
                    && kind(node) == KEYWORD_ARG
                    && let Some(NodeOrToken::Token(keyword)) = node.children().next()
                    && let Some((last, _)) = last_name(callee)
                    && wanted(last, NameUse::Keyword(keyword.text()))
                    && let Some(name) = dotted(callee, start, NameUse::Keyword(keyword.text()))
                {
                    let part = TextRange::at(at, keyword.text_len());
                    visit(DottedName { part, ..name });
                }
                at += arg.text_len();
            }
        }
        offset += child.text_len();
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;
    use crate::parse;

    fn names_of(text: &str) -> String {
        let parse = parse(text);
        let function = parse.green.children().find_map(GreenChild::into_node);
        let function = function.expect("a function");
        let mut lines: Vec<(TextSize, String)> = Vec::new();
        for piece in super::super::pieces(function, std::iter::empty()) {
            piece.names(&|_, _| true, &mut |name| {
                let (usage, part) = (name.usage, name.part + piece.offset);
                let line = format!("{} {usage:?} {}", name.names.join("."), &text[part]);
                lines.push((part.start(), line));
            });
        }
        lines.sort();
        lines.iter().fold(String::new(), |mut all, (_, line)| {
            let _ = writeln!(all, "{line}");
            all
        })
    }

    #[test]
    fn dotted_names_are_found_with_their_use() {
        let text = "@T.prim_func(private=True)\ndef f[n](x: R.Tensor[n]):\n    y = R.nn.relu(x)\n    g().h\n    R.call_tir(cls.g, x)\n";
        expect_test::expect![[r#"
            T Alone T
            T.prim_func Called prim_func
            T.prim_func Keyword("private") private
             TypeParams [n]
            R Alone R
            R.Tensor Subscripted Tensor
            n Alone n
            y Alone y
            R Alone R
            R.nn Plain nn
            R.nn.relu Called relu
            R.nn.relu First(Name("x")) relu
            x Alone x
            g Alone g
            R Alone R
            R.call_tir Called call_tir
            R.call_tir First(Dotted) call_tir
            cls Alone cls
            cls.g Plain g
            x Alone x
        "#]]
        .assert_eq(&names_of(text));
    }
}
