//! Compares mistakes in Relay modules with TVM 0.19: whether they are reported, and where.
//!
//! TVM names one line, the first of the place that it means. Its parser gives some expressions another place than
//! their own: the value of a block gets the whole block, which starts with the first binding, and the value of a graph
//! binding gets its last use. A result of another type than the annotated one is reported for the whole function, unless
//! it is the result of an operator. The test counts errors on TVM's line, errors that an editor shows there with a note,
//! and errors at TVM's place.

use std::collections::{BTreeMap, BTreeSet};

use hir::RelayFile;
use hir::relay::Facts;
use hir::relay::body::{Body, Definition, Expr, ExprId, Item, LocalId, LocalKind, Statement};
use relax::Diagnostic;
use syntax::relay::parse;
use syntax::{TextRange, TextSize};

use super::data::{read, recorded};

/// Which part of the mistakes must be reported, in percent.
const CAUGHT: usize = 97;
/// Which part of the mistakes must be shown on TVM's line, by an error or by a note of one, in percent.
const SHOWN: usize = 95;

/// The lines at which TVM 0.19 may report the errors of a text.
pub struct Places {
    /// The lines of the errors themselves.
    pub own: BTreeSet<usize>,
    /// These, and the lines of their notes.
    pub shown: BTreeSet<usize>,
    /// The first lines of the places that TVM's parser gives to what is wrong.
    pub tvms: BTreeSet<usize>,
}

/// Returns the places of the errors, or `None` if there are none.
pub fn places(text: &str) -> Option<Places> {
    let file = RelayFile::new(parse(text));
    let errors = file.diagnostics(text).into_iter();
    let errors: Vec<Diagnostic> = errors
        .filter(|it| it.severity == relax::Severity::Error)
        .collect();
    let line = |at: TextSize| text[..usize::from(at)].matches('\n').count() + 1;
    let own: BTreeSet<usize> = { errors.iter() }
        .flat_map(|it| line(it.range.start())..=line(it.range.end()))
        .collect();
    let notes = errors.iter().flat_map(|it| &it.related);
    let mut shown = own.clone();
    shown.extend(notes.map(|it| line(it.0.start())));
    let mut tvms = own.clone();
    for (definition, facts) in file.module.definitions.iter().zip(&file.facts.definitions) {
        let moved = Moved::of(definition, facts);
        let starts = errors.iter().flat_map(|it| moved.starts(it.range));
        tvms.extend(starts.map(line));
    }
    (!own.is_empty()).then_some(Places { own, shown, tvms })
}

/// The expressions of a definition whose place is another one in TVM: their ranges, and where TVM's place starts.
struct Moved(Vec<(TextRange, TextSize)>);

impl Moved {
    fn of(definition: &Definition, facts: &Facts) -> Moved {
        let body = &*definition.body;
        let mut found = Vec::new();
        let mut last_uses: BTreeMap<LocalId, TextSize> = BTreeMap::new();
        for (id, expr) in body.exprs() {
            if let (Expr::Local(_), Some(local)) = (expr, facts.use_of(id)) {
                let last = last_uses.entry(local).or_default();
                *last = (*last).max(body.range(id).start());
            }
        }
        let functions = body.exprs().filter_map(|(id, expr)| match expr {
            Expr::Function(function) => Some((body.range(id).start(), function.body)),
            _ => None,
        });
        let outermost = match &body.item {
            Item::Function { name, function } => Some((name.range.start(), function.body)),
            _ => None,
        };
        for (start, result) in functions.chain(outermost) {
            let result = tail(body, result);
            if !matches!(body[result], Expr::Call { .. }) {
                found.push((body.range(result), start));
            }
        }
        for (_, expr) in body.exprs() {
            let Expr::Block { statements, value } = expr else {
                continue;
            };
            if let Some(first) = statements.first() {
                found.push((body.range(*value), start(body, first)));
            }
            for statement in statements {
                if let Statement::Binding { local, value } = statement
                    && body[*local].kind == LocalKind::Graph
                    && let Some(last) = last_uses.get(local)
                {
                    found.push((body.range(*value), *last));
                }
            }
        }
        let found = found.into_iter();
        Moved(
            found
                .map(|(range, to)| (range + definition.start, to + definition.start))
                .collect(),
        )
    }

    /// Returns where the places start that TVM gives to the expressions around a range. A graph binding may be used in
    /// the value of the block, which has another place again.
    fn starts(&self, range: TextRange) -> BTreeSet<TextSize> {
        let mut found = BTreeSet::new();
        let mut open = vec![range];
        while let Some(range) = open.pop() {
            for (moved, start) in &self.0 {
                if moved.contains_range(range) && found.insert(*start) {
                    open.push(TextRange::empty(*start));
                }
            }
        }
        found
    }
}

/// Returns the expression that gives a block its value.
fn tail(body: &Body, mut expr: ExprId) -> ExprId {
    while let Expr::Block { value, .. } = body[expr] {
        expr = value;
    }
    expr
}

fn start(body: &Body, statement: &Statement) -> TextSize {
    let of_value = |value: &ExprId| body.range(*value).start();
    match statement {
        Statement::Binding { local, .. } | Statement::Free(local) => {
            body.name_range(*local).start()
        }
        Statement::Effect(value) => of_value(value),
    }
}

#[test]
fn mutants_are_caught_where_tvm_says() {
    let Some(path) = recorded("tvm-0.19/relay-mutants.jsonl.gz") else {
        return;
    };
    let (mut rejected, mut caught, mut placed) = (0, 0, 0);
    let (mut on_line, mut shown, mut at_place) = (0, 0, 0);
    let mut alarms = Vec::new();
    for record in read(&path) {
        let text = record["text"].as_str().unwrap();
        let found = places(text);
        if record["verdict"] == "ok" {
            alarms.extend(found.map(|_| text.to_owned()));
            continue;
        }
        rejected += 1;
        caught += usize::from(found.is_some());
        let lines = record["diags"].as_array().into_iter().flatten();
        let lines: Vec<usize> = lines
            .filter_map(|it| it[0].as_u64())
            .map(|it| it as usize)
            .collect();
        if lines.is_empty() {
            continue;
        }
        placed += 1;
        if let Some(found) = found {
            let is_on = |places: &BTreeSet<usize>| lines.iter().any(|it| places.contains(it));
            on_line += usize::from(is_on(&found.own));
            shown += usize::from(is_on(&found.shown));
            at_place += usize::from(is_on(&found.tvms));
            if !is_on(&found.shown) && !is_on(&found.tvms) {
                eprintln!("TVM reports line {lines:?} of\n{text}");
            }
        }
    }
    eprintln!("{caught} of {rejected} mutants are caught");
    eprintln!("{on_line} of {placed} on TVM's line, {shown} with notes, {at_place} at TVM's place");
    assert_eq!(alarms, [""; 0]);
    assert!(caught * 100 >= rejected * CAUGHT);
    assert!(shown * 100 >= placed * SHOWN);
}
