//! Edits, analyses and formats Relay texts.

use hir::{Database, Source, SourceFile, file_diagnostics};
use ide::{Analysis, Config, FilePosition, FormatOptions, Language};
use salsa::Setter;
use syntax::relay::parse;
use syntax::{TextRange, TextSize};

use super::{assert_within, edited, split};

/// After any edits, reparsing gives the same result as a full parse, the diagnostics are those of the new text, all
/// ranges are within the text, and formatting is idempotent.
pub fn relay(data: &[u8]) {
    let (text, script) = split(data);
    let mut db = Database::default();
    let file = SourceFile::new(&db, Source::of(text.as_str(), Language::Relay));
    let text = edited(text, script, |replaced, inserted, text| {
        let source = file.source(&db);
        let source = source.reparse(replaced, inserted, text.into());
        assert!(source.relay == Some(parse(text)), "{text:?}");
        file.set_source(&mut db).to(source);
        file_diagnostics(&db, file);
    });
    let found = file_diagnostics(&db, file);
    let afresh = SourceFile::new(&db, Source::of(text.as_str(), Language::Relay));
    assert_eq!(found, file_diagnostics(&db, afresh), "{text:?}");
    for diagnostic in found {
        assert_within(diagnostic.range, &text);
    }
    features(&text);
    formatted(&text);
}

fn features(text: &str) {
    let (analysis, file) = Analysis::from_file_in(Language::Relay, text, Config::default());
    let whole = TextRange::up_to(TextSize::of(text));
    let tokens = analysis.semantic_tokens(file, whole).unwrap();
    assert!(
        tokens
            .windows(2)
            .all(|it| it[0].range.end() <= it[1].range.start())
    );
    let hints = analysis.inlay_hints(file, whole).unwrap();
    assert!(hints.iter().all(|it| it.offset <= whole.end()));
    for token in tokens.iter().step_by(7) {
        let position = FilePosition {
            file,
            offset: token.range.end(),
        };
        let found = analysis.references(position, true).unwrap();
        assert!(found.iter().all(|it| whole.contains_range(*it)));
        analysis.completions(position, None).unwrap();
        analysis.signature_help(position).unwrap();
    }
    analysis.document_symbols(file).unwrap();
    analysis.folding_ranges(file).unwrap();
}

fn formatted(text: &str) {
    let format = |text: &str| {
        let (analysis, file) = Analysis::from_file_in(Language::Relay, text, Config::default());
        let options = FormatOptions { line_length: None };
        analysis.format(file, None, options).unwrap().apply(text)
    };
    let once = format(text);
    let solid = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(solid(text), solid(&once), "{text:?}");
    if parse(text).errors.is_empty() {
        assert_eq!(parse(&once).errors[..], [], "{text:?}");
        assert_eq!(format(&once), once, "{text:?}");
    }
}
