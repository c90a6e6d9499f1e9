//! Answers about the structure of a file: its outline, folds, tokens, and what can be run.
#![expect(clippy::unnecessary_wraps, reason = "other questions have no answer")]

use std::fmt::Write;

use ide::{DocumentSymbol, LinkTarget, TokenModifier};

use super::Answer;
use super::navigation::place;
use crate::cases::program::{Opened, Program};

pub fn symbols(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let mut shown = String::new();
    let symbols = opened.analysis.document_symbols(opened.file).unwrap();
    show(program, &opened, &symbols, 0, &mut shown)?;
    Ok(Answer::Text(shown))
}

fn show(
    program: &Program,
    opened: &Opened,
    symbols: &[DocumentSymbol],
    depth: usize,
    shown: &mut String,
) -> Result<(), String> {
    for it in symbols {
        if !it.range.contains_range(it.name_range) {
            return Err(format!("the name is outside of its range: {it:?}"));
        }
        let at = place(program, opened, it.name_range);
        let detail = it
            .detail
            .as_deref()
            .map(|it| format!(" {it}"))
            .unwrap_or_default();
        let _ = writeln!(
            shown,
            "{:1$}{at} {2:?} {3}{detail}",
            "",
            depth * 2,
            it.kind,
            it.name
        );
        show(program, opened, &it.children, depth + 1, shown)?;
    }
    Ok(())
}

/// Shows the lines of each fold.
pub fn folds(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let line = |at| program.shown_line(opened.lines.line_col(at).line);
    let folds = opened.analysis.folding_ranges(opened.file).unwrap();
    let lines = folds.iter().map(|it| {
        format!(
            "{}-{} {:?}\n",
            line(it.range.start()),
            line(it.range.end()),
            it.kind
        )
    });
    Ok(Answer::Text(lines.collect()))
}

/// Shows the kind and the modifiers of each token.
pub fn tokens(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let tokens = opened
        .analysis
        .semantic_tokens(opened.file, opened.whole())
        .unwrap();
    if tokens
        .windows(2)
        .any(|it| it[0].range.end() > it[1].range.start())
    {
        return Err("two tokens overlap".to_owned());
    }
    let mut shown = String::new();
    for token in tokens
        .iter()
        .filter(|it| usize::from(it.range.start()) >= program.hidden)
    {
        let (at, text) = (
            place(program, &opened, token.range),
            &opened.text[token.range],
        );
        let _ = write!(shown, "{at} {text} {}", token.kind.name());
        for (bit, modifier) in TokenModifier::ALL.iter().enumerate() {
            if token.modifiers & 1 << bit != 0 {
                let _ = write!(shown, " {}", modifier.name());
            }
        }
        shown.push('\n');
    }
    Ok(Answer::Text(shown))
}

/// Shows the functions that can be run, their dimensions and parameters.
pub fn runnables(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let found = opened.analysis.runnables(opened.file).unwrap();
    let lines = found.iter().map(|it| {
        let params = it
            .params
            .iter()
            .map(|it| format!("{}: {}", it.name, it.struct_info));
        let params = params.collect::<Vec<_>>().join("; ");
        let at = place(program, &opened, it.name_range);
        format!("{at} {} {:?} {params}\n", it.function, it.dims)
    });
    Ok(Answer::Text(lines.collect()))
}

/// Shows the links with their targets.
pub fn links(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let links = opened.analysis.document_links(opened.file).unwrap();
    let lines = links.iter().map(|it| {
        let to = match &it.target {
            LinkTarget::Address(address) => address.clone(),
            LinkTarget::Place(range) => place(program, &opened, *range),
        };
        let at = place(program, &opened, it.range);
        format!("{at} {} → {to}\n", &opened.text[it.range])
    });
    Ok(Answer::Text(lines.collect()))
}

/// Shows the texts that a growing selection takes in.
pub fn selections(program: &Program, _: &[String]) -> Result<Answer, String> {
    let opened = program.open();
    let ranges = opened
        .analysis
        .selection_ranges(opened.position()?)
        .unwrap();
    let lines = ranges.iter().map(|&it| format!("{:?}\n", &opened.text[it]));
    Ok(Answer::Text(lines.collect()))
}
