//! Simple statements.

use super::expressions::{can_start, expr, expr_list, yield_or_expr_list};
use super::params;
use super::targets::{check_single_target, check_target};
use crate::ast::BinaryOp;
use crate::error::RETURN_OUTSIDE;
use crate::kind::SyntaxKind::{
    ANN_ASSIGN_STMT, AS_KW, ASSERT_KW, ASSERT_STMT, ASSIGN_STMT, AUG_ASSIGN_STMT, BREAK_KW,
    BREAK_STMT, COLON, COLON_EQ, COMMA, CONTINUE_KW, CONTINUE_STMT, DEL_KW, DEL_STMT, DOT,
    ELLIPSIS, EQ, ERROR, EXPR_STMT, FROM_KW, GLOBAL_KW, GLOBAL_STMT, IDENT, IMPORT_ALIAS,
    IMPORT_FROM_STMT, IMPORT_KW, IMPORT_STMT, L_PAREN, MODULE_PATH, NONLOCAL_KW, NONLOCAL_STMT,
    PASS_KW, PASS_STMT, R_BRACE, R_BRACKET, R_PAREN, RAISE_KW, RAISE_STMT, RETURN_KW, RETURN_STMT,
    STAR, TYPE_ALIAS_STMT, TYPE_KW, WALRUS_EXPR, YIELD_EXPR, YIELD_KW,
};
use crate::parser::{ListKind, Parser};

/// Parses one simple statement. Takes at least one token.
pub(super) fn statement(p: &mut Parser<'_>) {
    match p.current() {
        PASS_KW => keyword_stmt(p, PASS_STMT),
        BREAK_KW => loop_keyword(p, BREAK_STMT),
        CONTINUE_KW => loop_keyword(p, CONTINUE_STMT),
        RETURN_KW => return_stmt(p),
        IMPORT_KW => import(p),
        FROM_KW => import_from(p),
        RAISE_KW => raise(p),
        ASSERT_KW => assert(p),
        DEL_KW => del(p),
        GLOBAL_KW => names(p, GLOBAL_STMT),
        NONLOCAL_KW => names(p, NONLOCAL_STMT),
        IDENT if p.next() == IDENT && p.text() == "type" => type_alias(p),
        kind if can_start(kind) || matches!(kind, STAR | YIELD_KW) => expression_or_assignment(p),
        kind => {
            // A closing bracket here is usually a consequence of the error in the line before.
            let is_closing = matches!(kind, R_PAREN | R_BRACKET | R_BRACE) && p.at_line_start();
            if !(is_closing && p.last_line_failed()) {
                p.expected("a statement");
            }
            let mark = p.start();
            if !p.at_line_end() {
                p.bump();
            }
            p.skip_until(|it| it == crate::SyntaxKind::SEMICOLON);
            if p.has_grown(mark) {
                p.finish_node(mark, ERROR);
            }
        }
    }
}

fn keyword_stmt(p: &mut Parser<'_>, kind: crate::SyntaxKind) {
    let mark = p.start();
    p.bump();
    p.finish_node(mark, kind);
}

fn expression_or_assignment(p: &mut Parser<'_>) {
    let mark = p.start();
    if !yield_or_expr_list(p) {
        p.skip_one();
    }
    match p.current() {
        EQ => {
            while p.at(EQ) {
                check_target(p, mark, "assign to");
                p.bump();
                let value = p.start();
                yield_or_expr_list(p);
                if p.at(EQ) {
                    check_target(p, value, "assign to");
                }
            }
            p.finish_node(mark, ASSIGN_STMT);
        }
        COLON => {
            check_single_target(p, mark);
            p.bump();
            expr(p);
            if p.eat(EQ) {
                yield_or_expr_list(p);
            }
            p.finish_node(mark, ANN_ASSIGN_STMT);
        }
        COLON_EQ => {
            p.error("`:=` needs parentheses around it here; an assignment is written `=`");
            p.bump();
            expr(p);
            p.finish_node(mark, WALRUS_EXPR);
            p.finish_node(mark, EXPR_STMT);
        }
        kind if BinaryOp::from_assign(kind).is_some() => {
            check_single_target(p, mark);
            p.bump();
            yield_or_expr_list(p);
            p.finish_node(mark, AUG_ASSIGN_STMT);
        }
        _ => p.finish_node(mark, EXPR_STMT),
    }
}

/// Parses `break` or `continue`.
fn loop_keyword(p: &mut Parser<'_>, kind: crate::SyntaxKind) {
    if !p.surroundings.looped {
        p.error(format!("{} is not in a loop", p.current().describe()));
    }
    keyword_stmt(p, kind);
}

fn return_stmt(p: &mut Parser<'_>) {
    let mark = p.start();
    if !p.surroundings.function {
        p.error(RETURN_OUTSIDE);
    }
    p.bump();
    if can_start(p.current()) || p.at(STAR) {
        expr_list(p);
    }
    p.finish_node(mark, RETURN_STMT);
}

fn raise(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    if can_start(p.current()) {
        expr(p);
        if p.eat(FROM_KW) {
            expr(p);
        }
    }
    p.finish_node(mark, RAISE_STMT);
}

fn assert(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    expr(p);
    if p.eat(COMMA) {
        expr(p);
    }
    p.finish_node(mark, ASSERT_STMT);
}

fn del(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    loop {
        let target = p.start();
        if !expr(p) {
            break;
        }
        if p.last_kind() == Some(YIELD_EXPR) {
            break;
        }
        check_target(p, target, "delete");
        if !p.eat(COMMA) || !can_start(p.current()) {
            break;
        }
    }
    p.finish_node(mark, DEL_STMT);
}

fn names(p: &mut Parser<'_>, kind: crate::SyntaxKind) {
    let mark = p.start();
    p.bump();
    p.expect(IDENT);
    while p.eat(COMMA) {
        p.expect(IDENT);
    }
    p.finish_node(mark, kind);
}

fn type_alias(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump_as(TYPE_KW);
    p.expect(IDENT);
    params::type_params(p);
    if p.expect(EQ) {
        expr(p);
    }
    p.finish_node(mark, TYPE_ALIAS_STMT);
}

fn import(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    loop {
        let alias = p.start();
        if !module_path(p) {
            break;
        }
        as_name(p);
        p.finish_node(alias, IMPORT_ALIAS);
        if !p.eat(COMMA) {
            break;
        }
    }
    p.finish_node(mark, IMPORT_STMT);
}

fn as_name(p: &mut Parser<'_>) {
    if p.eat(AS_KW) {
        p.expect(IDENT);
    }
}

/// Names joined by dots.
fn module_path(p: &mut Parser<'_>) -> bool {
    if !p.at(IDENT) {
        p.expected("the name of a module");
        return false;
    }
    let mark = p.start();
    p.bump();
    while p.eat(DOT) {
        p.expect(IDENT);
    }
    p.finish_node(mark, MODULE_PATH);
    true
}

fn import_from(p: &mut Parser<'_>) {
    let mark = p.start();
    p.bump();
    let mut relative = false;
    while matches!(p.current(), DOT | ELLIPSIS) {
        relative = true;
        p.bump();
    }
    if !(relative && p.at(IMPORT_KW)) {
        module_path(p);
    }
    if p.expect(IMPORT_KW) {
        if p.at(STAR) {
            p.bump();
        } else if p.at(L_PAREN) {
            let opener = p.open(ListKind::Other);
            if p.at(R_PAREN) {
                p.expected("a name to import");
            }
            imported_names(p, true);
            if !p.at(R_PAREN) && !p.at_line_end() {
                p.expected("`,` or `)`");
                let rest = p.start();
                p.skip_until(|it| it == R_PAREN);
                if p.has_grown(rest) {
                    p.finish_node(rest, ERROR);
                }
            }
            p.close(R_PAREN, opener, "this list of names");
        } else {
            if !p.at(IDENT) {
                p.expected("a name to import");
            }
            imported_names(p, false);
        }
    }
    p.finish_node(mark, IMPORT_FROM_STMT);
}

fn imported_names(p: &mut Parser<'_>, in_parens: bool) {
    while p.at(IDENT) {
        let alias = p.start();
        let name = p.start();
        p.bump();
        p.finish_node(name, MODULE_PATH);
        as_name(p);
        p.finish_node(alias, IMPORT_ALIAS);
        if !p.at(COMMA) {
            return;
        }
        p.bump();
        if !p.at(IDENT) && !in_parens {
            p.expected("a name to import");
        }
    }
}
