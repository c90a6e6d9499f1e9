//! Answers a question about a large range part by part. The inference results of one part are dropped before the next
//! one begins, so that an answer about a whole printed model needs little more memory than one about a page.

use hir::{Database, Db as _};
use text_size::{TextRange, TextSize};

/// The approximate size of a part in bytes.
const PART: usize = 64 * 1024;

/// Calls `look` with parts of a range of `text`, in order. Each part consists of whole lines, and has its own
/// snapshot.
pub fn in_parts(
    db: &Database,
    text: &str,
    range: TextRange,
    mut look: impl FnMut(&Database, TextRange),
) {
    for part in parts(text, range) {
        if part == range {
            return look(db, range);
        }
        let db = db.part();
        db.give_way();
        look(&db, part);
    }
}

/// Calls `look` with sorted ranges. Ranges that are close together share a snapshot.
pub fn for_each_near(
    db: &Database,
    ranges: &[TextRange],
    mut look: impl FnMut(&Database, TextRange),
) {
    let mut rest = ranges;
    while let Some(first) = rest.first() {
        let is_near = |it: &&TextRange| usize::from(it.end() - first.start()) < PART;
        let near = rest.iter().take_while(is_near).count().max(1);
        let (near, others) = rest.split_at(near);
        let own = (!others.is_empty() || rest.len() < ranges.len()).then(|| db.part());
        let db = own.as_ref().unwrap_or(db);
        db.give_way();
        for range in near {
            look(db, *range);
        }
        rest = others;
    }
}

fn parts(text: &str, range: TextRange) -> impl Iterator<Item = TextRange> {
    let mut next = Some(range.start());
    std::iter::from_fn(move || {
        let start = next.take()?;
        let rest = &text.as_bytes()[usize::from(start)..range.end().into()];
        let line_end = |from: usize| rest[from..].iter().position(|byte| *byte == b'\n');
        let end = (rest.len() > PART).then(|| line_end(PART)).flatten();
        let end = end.map(|at| start + TextSize::new((PART + at + 1) as u32));
        next = end.filter(|end| *end < range.end());
        Some(TextRange::new(start, next.unwrap_or(range.end())))
    })
}

#[cfg(test)]
mod tests {
    use hir::{Source, SourceFile, file_items};

    use super::*;
    use crate::{inlay_hints, mentions, semantic_tokens};

    const PRINTED: &str = include_str!("../../../tests/fixtures/models/lm32-nn.tvm-0.27.py");

    #[test]
    fn an_answer_made_in_parts_is_the_answer_made_at_once() {
        let db = Database::default();
        let file = SourceFile::new(&db, Source::new(PRINTED));
        let whole = TextRange::up_to(TextSize::of(PRINTED));
        assert!(parts(PRINTED, whole).count() > 1);
        let tokens = semantic_tokens::tokens_of_part(&db, file, whole);
        assert_eq!(semantic_tokens::semantic_tokens(&db, file, whole), tokens);
        let hints = inlay_hints::hints_of_part(&db, file, whole);
        assert_eq!(inlay_hints::inlay_hints(&db, file, whole), hints);
        let function = file_items(&db, file).functions[0];
        let name = PRINTED.find("emb_weight").expect("a parameter");
        let name = TextSize::new(name as u32);
        let named = mentions::mention_at(&db, file, name).expect("a variable");
        let mut all = Vec::new();
        mentions::in_function(&db, function, whole, &mut |mention| {
            if mention.symbol == named.symbol {
                all.push(mention.range);
            }
        });
        let found = mentions::mentions_of(&db, file, &named.symbol);
        let found: Vec<TextRange> = found.into_iter().map(|it| it.range).collect();
        assert_eq!((found.len(), found), (2, all));
    }

    #[test]
    fn a_cancelled_request_gets_no_further_parts() {
        let db = Database::default();
        db.canceller().cancel();
        let mut looked = 0;
        let whole = TextRange::up_to(TextSize::of(PRINTED));
        let look = || in_parts(&db, PRINTED, whole, |_, _| looked += 1);
        let ended = salsa::Cancelled::catch(std::panic::AssertUnwindSafe(look));
        assert!(ended.is_err());
        assert_eq!(looked, 0);
    }

    fn visible_parts(text: &str, range: TextRange) -> Vec<(usize, usize)> {
        let parts = parts(text, range);
        let shown = parts.map(|it| (it.start().into(), it.end().into()));
        shown.collect()
    }

    #[test]
    fn parts_are_of_whole_lines_and_together_the_range() {
        let text = format!("{}\n", "x".repeat(99)).repeat(2000);
        let range = TextRange::new(50.into(), 199_990.into());
        let shown = visible_parts(&text, range);
        assert_eq!(
            shown,
            [
                (50, 65600),
                (65600, 131_200),
                (131_200, 196_800),
                (196_800, 199_990)
            ]
        );
    }

    #[test]
    fn short_texts_and_single_lines_are_one_part() {
        let line = "x".repeat(3 * PART);
        let whole = |text: &str| TextRange::up_to(TextSize::of(text));
        assert_eq!(visible_parts(&line, whole(&line)), [(0, 3 * PART)]);
        assert_eq!(visible_parts("", whole("")), [(0, 0)]);
        let line = format!("{line}\n");
        assert_eq!(visible_parts(&line, whole(&line)), [(0, 3 * PART + 1)]);
    }
}
