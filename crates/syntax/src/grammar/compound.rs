//! Compound statements.

use super::blocks::{block_of, suite};
use super::expressions::{can_start, expr, expr_list, named_expr, named_expr_list};
use super::lists::separated;
use super::statements::simple_line;
use super::{arguments, params, patterns, targets};
use crate::kind::SyntaxKind::{
    self, AS_KW, ASYNC_KW, AT, CASE_CLAUSE, CASE_GUARD, CASE_KW, CLASS_DEF, CLASS_KW, COLON,
    COLON_EQ, COMMA, DECORATOR, DEDENT, DEF_KW, ELIF_CLAUSE, ELIF_KW, ELSE_CLAUSE, ELSE_KW, END,
    ERROR, EXCEPT_CLAUSE, EXCEPT_KW, FINALLY_CLAUSE, FINALLY_KW, FOR_KW, FOR_STMT, FSTRING_END,
    FSTRING_START, FUNCTION_DEF, IDENT, IF_KW, IF_STMT, IN_KW, INDENT, L_BRACE, L_BRACKET, L_PAREN,
    MATCH_KW, MATCH_STMT, NEWLINE, NOT_KW, R_BRACE, R_BRACKET, R_PAREN, STAR, TRY_KW, TRY_STMT,
    WHILE_KW, WHILE_STMT, WITH_ITEM, WITH_KW, WITH_STMT, YIELD_KW,
};
use crate::parser::{ListKind, Mark, Parser, Surroundings};

/// Parses a compound statement, if one begins here.
pub(super) fn statement(p: &mut Parser<'_>) -> bool {
    match p.current() {
        AT => decorated(p),
        DEF_KW => {
            let mark = p.start();
            function_def(p, mark);
        }
        CLASS_KW => {
            let mark = p.start();
            class_def(p, mark);
        }
        IF_KW => if_stmt(p),
        FOR_KW => {
            let mark = p.start();
            for_stmt(p, mark);
        }
        WHILE_KW => while_stmt(p),
        WITH_KW => {
            let mark = p.start();
            with_stmt(p, mark);
        }
        TRY_KW => try_stmt(p),
        ASYNC_KW => async_stmt(p),
        IDENT if p.text() == "match" && begins_match(p) => match_stmt(p),
        _ => return false,
    }
    true
}

/// Parses the suite of a function, class or loop, which decides where `return` and `break` are allowed.
fn suite_in(p: &mut Parser<'_>, surroundings: Surroundings, what: &str) {
    let outer = std::mem::replace(&mut p.surroundings, surroundings);
    suite(p, what);
    p.surroundings = outer;
}

/// Reports and parses a compound statement where only a simple one is allowed, such as after a colon.
pub(super) fn misplaced(p: &mut Parser<'_>) -> bool {
    if !matches!(
        p.current(),
        AT | DEF_KW | CLASS_KW | IF_KW | FOR_KW | WHILE_KW | WITH_KW | TRY_KW | ASYNC_KW
    ) {
        return false;
    }
    p.error(format!(
        "{} must begin a line of its own",
        p.current().describe()
    ));
    if p.at(AT) {
        // The decorated function is on another line.
        let mark = p.start();
        p.skip_until(|_| false);
        p.finish_node(mark, ERROR);
        return true;
    }
    p.nested(statement).is_some()
}

fn decorated(p: &mut Parser<'_>) {
    let mark = p.start();
    let mut line_ended = true;
    while p.at(AT) && line_ended {
        let decorator = p.start();
        p.bump();
        named_expr(p);
        p.finish_node(decorator, DECORATOR);
        p.skip_line("the end of the line after this decorator");
        line_ended = p.eat(NEWLINE);
    }
    match p.current() {
        DEF_KW => function_def(p, mark),
        CLASS_KW => class_def(p, mark),
        ASYNC_KW if p.next() == DEF_KW => {
            p.bump();
            function_def(p, mark);
        }
        _ => {
            p.error_before(
                mark,
                "no function or class follows that this could decorate",
            );
            p.finish_node(mark, ERROR);
        }
    }
}

fn async_stmt(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    match p.current() {
        DEF_KW => function_def(p, mark),
        FOR_KW => for_stmt(p, mark),
        WITH_KW => with_stmt(p, mark),
        _ => {
            p.expected("`def`, `for` or `with` after `async`");
            p.finish_node(mark, ERROR);
            simple_line(p);
        }
    }
}

fn function_def(p: &mut Parser<'_>, mark: Mark) {
    p.bump();
    name(p, "the name of the function");
    params::type_params(p);
    if p.at(L_PAREN) {
        params::param_list(p);
    } else {
        p.expected("`(` and the parameters of the function");
    }
    if p.eat(SyntaxKind::ARROW) {
        expr_list(p);
    }
    let surroundings = Surroundings {
        function: true,
        looped: false,
    };
    suite_in(p, surroundings, "the function's header");
    p.finish_node(mark, FUNCTION_DEF);
}

fn class_def(p: &mut Parser<'_>, mark: Mark) {
    p.bump();
    name(p, "the name of the class");
    params::type_params(p);
    if p.at(L_PAREN) {
        arguments::arg_list(p, "the class's bases");
    }
    suite_in(p, Surroundings::default(), "the class's header");
    p.finish_node(mark, CLASS_DEF);
}

fn name(p: &mut Parser<'_>, what: &str) {
    if !p.eat(IDENT) {
        p.expected(what);
        if p.current().is_keyword() {
            p.skip_one();
        }
    }
}

fn if_stmt(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    named_expr(p);
    suite(p, "`if`");
    while p.at(ELIF_KW) {
        let clause = p.start();
        p.bump();
        named_expr(p);
        suite(p, "`elif`");
        p.finish_node(clause, ELIF_CLAUSE);
    }
    else_clause(p);
    p.finish_node(mark, IF_STMT);
}

fn else_clause(p: &mut Parser<'_>) {
    if p.at(ELSE_KW) {
        let mark = p.start();
        p.bump();
        suite(p, "`else`");
        p.finish_node(mark, ELSE_CLAUSE);
    }
}

fn loop_suite(p: &mut Parser<'_>, what: &str) {
    let surroundings = Surroundings {
        looped: true,
        ..p.surroundings
    };
    suite_in(p, surroundings, what);
}

fn while_stmt(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    named_expr(p);
    loop_suite(p, "`while`");
    else_clause(p);
    p.finish_node(mark, WHILE_STMT);
}

fn for_stmt(p: &mut Parser<'_>, mark: Mark) {
    p.bump();
    targets::target_list(p);
    if p.expect(IN_KW) {
        expr_list(p);
    }
    loop_suite(p, "`for`");
    else_clause(p);
    p.finish_node(mark, FOR_STMT);
}

fn try_stmt(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    suite(p, "`try`");
    let mut handled = false;
    while p.at(EXCEPT_KW) {
        handled = true;
        except_clause(p);
    }
    if handled {
        else_clause(p);
    }
    if p.at(FINALLY_KW) {
        handled = true;
        let clause = p.start();
        p.bump();
        suite(p, "`finally`");
        p.finish_node(clause, FINALLY_CLAUSE);
    }
    if !handled {
        p.error_at_keyword(mark, "this `try` has neither `except` nor `finally`");
    }
    p.finish_node(mark, TRY_STMT);
}

fn except_clause(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    let group = p.eat(STAR);
    if can_start(p.current()) {
        let exceptions = p.start();
        expr_list(p);
        let several = p.tuple_without_parens(exceptions);
        if p.eat(AS_KW) {
            if several {
                p.error_since(
                    exceptions,
                    "more than one exception before `as` needs parentheses",
                );
            }
            name(p, "a name");
        }
    } else if group {
        p.expected("the exceptions of this group");
    }
    suite(p, "`except`");
    p.finish_node(mark, EXCEPT_CLAUSE);
}

fn with_stmt(p: &mut Parser<'_>, mark: Mark) {
    p.bump();
    if p.at(L_PAREN) && parenthesis_holds_items(p) {
        let opener = p.open(ListKind::Other);
        separated(p, "a context", with_item);
        p.close(R_PAREN, opener, "this list of contexts");
    } else {
        with_item(p);
        while p.eat(COMMA) {
            with_item(p);
        }
    }
    suite(p, "`with`");
    p.finish_node(mark, WITH_STMT);
}

fn with_item(p: &mut Parser<'_>) -> bool {
    let mark = p.start();
    if !expr(p) {
        return false;
    }
    if p.eat(AS_KW) {
        targets::single_target(p);
    }
    p.finish_node(mark, WITH_ITEM);
    true
}

/// Whether the parenthesis after `with` contains items. Otherwise it belongs to one expression.
fn parenthesis_holds_items(p: &Parser<'_>) -> bool {
    if matches!(p.next(), YIELD_KW | STAR | R_PAREN) {
        return false;
    }
    let mut depth = 0;
    let mut several = false;
    let mut named = false;
    let mut ahead = p.kinds_ahead();
    while let Some(kind) = ahead.next() {
        match kind {
            L_PAREN | L_BRACKET | L_BRACE | FSTRING_START => depth += 1,
            R_PAREN | R_BRACKET | R_BRACE | FSTRING_END => {
                depth -= 1;
                if depth == 0 {
                    return (several || named)
                        && matches!(ahead.next(), Some(COLON | NEWLINE | END));
                }
            }
            AS_KW if depth == 1 => named = true,
            COMMA if depth == 1 => several = true,
            COLON_EQ | FOR_KW if depth == 1 => return false,
            NEWLINE | END => break,
            _ => {}
        }
    }
    named
}

/// Whether the name `match` begins a statement: the line ends in a colon, or the next token cannot follow a name in an
/// expression.
fn begins_match(p: &Parser<'_>) -> bool {
    let next = p.next();
    if matches!(
        next,
        L_PAREN | L_BRACKET | STAR | SyntaxKind::MINUS | SyntaxKind::PLUS | NOT_KW
    ) {
        let mut last = END;
        let mut depth = 0;
        for kind in p.kinds_ahead() {
            match kind {
                NEWLINE | END => break,
                L_PAREN | L_BRACKET | L_BRACE => depth += 1,
                R_PAREN | R_BRACKET | R_BRACE => depth -= 1,
                SyntaxKind::EQ if depth == 0 => return false,
                _ => {}
            }
            last = kind;
        }
        return last == COLON;
    }
    can_start(next)
}

fn match_stmt(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump_as(MATCH_KW);
    named_expr_list(p);
    block_of(p, "`match`", cases);
    p.finish_node(mark, MATCH_STMT);
}

fn cases(p: &mut Parser<'_>) {
    loop {
        match p.current() {
            END | DEDENT => break,
            INDENT => {
                p.skip_mark();
                cases(p);
                if p.at(DEDENT) {
                    p.skip_mark();
                }
            }
            IDENT if p.text() == "case" => case_clause(p),
            _ => {
                p.expected("`case`");
                if !statement(p) {
                    simple_line(p);
                }
            }
        }
    }
}

fn case_clause(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump_as(CASE_KW);
    patterns::top_pattern(p);
    if p.at(IF_KW) {
        let guard = p.start();
        p.bump();
        named_expr(p);
        p.finish_node(guard, CASE_GUARD);
    }
    suite(p, "`case`");
    p.finish_node(mark, CASE_CLAUSE);
}
