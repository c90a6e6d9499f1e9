//! The incremental database: all salsa inputs, and the trait that queries take.

mod previous;
mod snapshot;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use relax::release::Release;
use relax::sym::SymCx;
use salsa::{CancellationToken, Database as _};
use syntax::Parse;
use text_size::{TextRange, TextSize};

use crate::metadata::Metadata;
use crate::text::Text;
use previous::PreviousValues;
use snapshot::SnapshotValues;

#[salsa::db]
pub trait Db: salsa::Database {
    fn previous(&self) -> &PreviousValues;

    fn snapshot(&self) -> &SnapshotValues;

    /// Returns `true` if bodies and types of expressions are kept once they are computed, for reading whole files.
    fn keeps_expressions(&self) -> bool;

    /// Unwinds if an edit waits or the request was cancelled. For long work between queries, which check this
    /// themselves.
    fn give_way(&self);
}

/// The language of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    Python,
    /// Python in a notebook cell: it uses names of other cells, and some lines may not be Python.
    Cell,
    /// Relay's text format.
    Relay,
}

impl Language {
    /// Returns the token that begins a line comment.
    pub fn comment(self) -> &'static str {
        match self {
            Language::Python | Language::Cell => "#",
            Language::Relay => "//",
        }
    }
}

/// The text of a file with its tree, which is stored because an edit only reparses part of it.
#[derive(Clone, Debug)]
pub struct Source {
    pub text: Text,
    pub language: Language,
    /// The Python tree. For a Relay text, that of an empty file.
    pub parse: Parse,
    /// The Relay tree, for a Relay text.
    pub relay: Option<syntax::relay::Parse>,
}

impl Source {
    pub fn new(text: impl Into<Text>) -> Source {
        Source::of(text, Language::Python)
    }

    pub fn of(text: impl Into<Text>, language: Language) -> Source {
        let text = text.into();
        let (parse, relay) = match language {
            Language::Python | Language::Cell => (syntax::parse(&text), None),
            Language::Relay => (syntax::parse(""), Some(syntax::relay::parse(&text))),
        };
        Source {
            text,
            language,
            parse,
            relay,
        }
    }

    /// Returns the comment around an offset.
    pub fn comment_at(&self, offset: TextSize) -> Option<TextRange> {
        match &self.relay {
            Some(relay) => relay.comment_at(offset),
            None => {
                let token = syntax::tokens_at(&self.parse.syntax(), offset).right_biased();
                let comment = token.filter(|it| it.kind() == syntax::SyntaxKind::COMMENT);
                comment.map(|it| it.text_range())
            }
        }
    }

    /// Returns `true` if a comment may be added at the end of a line of code.
    pub fn takes_comment(&self, offset: TextSize) -> bool {
        match &self.relay {
            Some(relay) => relay.is_between_tokens(offset),
            None => {
                let around = syntax::tokens_at(&self.parse.syntax(), offset).left_biased();
                let is_inside = around.is_some_and(|it| it.text_range().end() > offset);
                // Nothing may follow the backslash that joins two lines.
                !is_inside && !self.text[..usize::from(offset)].ends_with('\\')
            }
        }
    }

    /// Returns the source of `text`, in which `inserted` bytes replaced the range `replaced`.
    pub fn reparse(&self, replaced: TextRange, inserted: TextSize, text: Text) -> Source {
        match &self.relay {
            Some(_) => Source::of(text, Language::Relay),
            None => Source {
                parse: self.parse.reparse(replaced, inserted, &text),
                relay: None,
                text,
                language: self.language,
            },
        }
    }

    /// Like `reparse`, but returns `None` if the edit affects a large part of the text.
    pub fn reparse_nearby(
        &self,
        replaced: TextRange,
        inserted: TextSize,
        text: &Text,
    ) -> Option<Source> {
        if self.relay.is_some() {
            let is_short = text.len() <= syntax::NEARBY;
            return is_short.then(|| Source::of(text.clone(), Language::Relay));
        }
        Some(Source {
            text: text.clone(),
            language: self.language,
            parse: self.parse.reparse_nearby(replaced, inserted, text)?,
            relay: None,
        })
    }
}

/// One file, open or not.
#[salsa::input(debug)]
pub struct SourceFile {
    #[returns(ref)]
    pub source: Source,
    /// The release that its project is written for; `None` to detect it from the file.
    #[default]
    #[returns(copy)]
    pub target: Option<Release>,
    /// The types of the constants that the text names by index, if another file has the elements.
    #[default]
    #[returns(ref)]
    pub constants: Option<Arc<Metadata>>,
}

/// User settings that affect facts.
#[salsa::input(singleton)]
pub struct Config {
    /// The release of all files; `None` to use that of each file.
    #[returns(copy)]
    pub target: Option<Release>,
    /// Assumptions about shape variables of functions.
    #[default]
    #[returns(ref)]
    pub sizes: SymCx,
}

type EventLog = Arc<Mutex<Option<Vec<String>>>>;

/// The database. A clone is a snapshot for reading; setting an input cancels the computations of snapshots.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    events: EventLog,
    previous: PreviousValues,
    snapshot: SnapshotValues,
    given_up: GivenUp,
    keeps_expressions: bool,
    /// For a draft, the database that created it.
    above: Option<Box<Database>>,
}

/// Set when the request that a snapshot answers was cancelled. Each snapshot has its own.
#[derive(Default)]
struct GivenUp(Arc<AtomicBool>);

impl Clone for GivenUp {
    fn clone(&self) -> GivenUp {
        GivenUp::default()
    }
}

/// Cancels the computation of a snapshot, which unwinds as for an edit.
#[derive(Debug)]
pub struct Canceller {
    /// Salsa resets this when a query ends without checking it, hence `given_up`.
    token: CancellationToken,
    given_up: Arc<AtomicBool>,
}

impl Canceller {
    pub fn cancel(&self) {
        self.given_up.store(true, Ordering::Relaxed);
        self.token.cancel();
    }
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {
    fn previous(&self) -> &PreviousValues {
        &self.previous
    }

    fn snapshot(&self) -> &SnapshotValues {
        &self.snapshot
    }

    fn keeps_expressions(&self) -> bool {
        self.keeps_expressions
    }

    fn give_way(&self) {
        if let Some(above) = &self.above {
            above.give_way();
        }
        if self.given_up.0.load(Ordering::Relaxed) {
            self.cancellation_token().cancel();
        }
        self.unwind_if_revision_cancelled();
    }
}

impl Default for Database {
    fn default() -> Database {
        let events = EventLog::default();
        let log = Arc::clone(&events);
        let storage = salsa::Storage::new(Some(Box::new(move |event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind
                && let Ok(mut log) = log.lock()
                && let Some(log) = &mut *log
            {
                log.push(format!("{database_key:?}"));
            }
        })));
        let db = Database {
            storage,
            events,
            previous: PreviousValues::default(),
            snapshot: SnapshotValues::default(),
            given_up: GivenUp::default(),
            keeps_expressions: false,
            above: None,
        };
        Config::new(&db, None);
        db
    }
}

impl Database {
    /// Creates a database for reading whole files: it keeps inferred expressions, which takes memory but avoids
    /// inferring them again.
    #[must_use]
    pub fn of_whole_files() -> Database {
        Database {
            keeps_expressions: true,
            ..Database::default()
        }
    }

    /// Creates a snapshot for a part of the answer. Its values are dropped with it, and cancelling the request cancels
    /// it.
    #[must_use]
    pub fn part(&self) -> Database {
        let mut part = self.clone();
        part.given_up = GivenUp(Arc::clone(&self.given_up.0));
        part
    }

    /// Creates an empty database for trying something out. It is cancelled together with this one.
    #[must_use]
    pub fn draft(&self) -> Database {
        Database {
            above: Some(Box::new(self.part())),
            ..Database::default()
        }
    }

    pub fn canceller(&self) -> Canceller {
        Canceller {
            token: self.cancellation_token(),
            given_up: self.given_up.0.clone(),
        }
    }

    /// Drops the values of earlier revisions, for example after a file is closed.
    pub fn forget(&self) {
        self.previous.clear();
    }

    /// Returns the names of the queries that `run` computed.
    pub fn executed(&mut self, run: impl FnOnce(&mut Database)) -> Vec<String> {
        if let Ok(mut log) = self.events.lock() {
            *log = Some(Vec::new());
        }
        run(self);
        self.events
            .lock()
            .ok()
            .and_then(|mut log| log.take())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::AssertUnwindSafe;

    use super::{Database, Db as _};

    #[test]
    fn a_draft_is_cancelled_with_its_request() {
        let db = Database::default();
        let (question, other) = (db.clone(), db.clone());
        let drafts = [question.draft(), other.draft()];
        question.canceller().cancel();
        let gave_way = drafts.map(|draft| {
            let asked = AssertUnwindSafe(|| draft.give_way());
            salsa::Cancelled::catch(asked).is_err()
        });
        assert_eq!(gave_way, [true, false]);
    }
}
