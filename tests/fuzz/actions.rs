//! Tests that all offered edits can be applied to any text: fixes, assists and inlay hints.

use ide::{AnalysisHost, Change, CodeAction, FileId, Resolve};
use syntax::{TextRange, TextSize};

use super::{boundary, text_of};

/// The number of positions at which assists are requested.
const PLACES: usize = 12;

/// Every offered edit can be applied to the text.
pub fn actions(data: &[u8]) {
    let text = text_of(data);
    let file = FileId(0);
    let mut host = AnalysisHost::default();
    host.apply_change(Change::new(file, text.as_str()));
    let analysis = host.analysis();
    let whole = TextRange::up_to(TextSize::of(text.as_str()));
    let apply = |actions: Vec<CodeAction>| {
        for edit in actions.iter().filter_map(|it| it.edit.as_ref()) {
            edit.apply(&text);
        }
    };
    apply(analysis.fixes(file, whole, &[]).expect("no edit cancels"));
    let all = analysis
        .fix_all(file, ide::Sure::Certain)
        .expect("no edit cancels");
    apply(all.into_iter().collect());
    let offset = |at: usize| TextSize::new(boundary(&text, at) as u32);
    for place in 0..PLACES {
        let start = offset(text.len() * place / PLACES);
        let end = offset((usize::from(start) + place * place).min(text.len())).max(start);
        let range = TextRange::new(start, end);
        let assists = analysis.assists(file, range, &Resolve::All);
        apply(assists.expect("no edit cancels"));
    }
    for hint in analysis.inlay_hints(file, whole).expect("no edit cancels") {
        assert!(text.is_char_boundary(hint.offset.into()), "{hint:?}");
        if let Some(edit) = &hint.insert {
            edit.apply(&text);
        }
    }
}
