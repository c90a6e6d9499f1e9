//! The incremental database: all salsa inputs, and the trait that queries take.

use std::sync::{Arc, Mutex};

use syntax::Parse;

use crate::dialect::Dialect;
use crate::kept::Kept;
use crate::text::Text;

#[salsa::db]
pub trait Db: salsa::Database {
    fn kept(&self) -> &Kept;
}

/// The text of a file with its tree. The tree comes along because an edit reparses only a part of it.
#[derive(Clone, Debug)]
pub struct Source {
    pub text: Text,
    pub parse: Parse,
}

impl Source {
    pub fn new(text: impl Into<Text>) -> Source {
        let text = text.into();
        let parse = syntax::parse(&text);
        Source { text, parse }
    }
}

/// One file, open or not.
#[salsa::input(debug)]
pub struct SourceFile {
    #[returns(ref)]
    pub source: Source,
}

/// What a user can set that changes the facts.
#[salsa::input(singleton)]
pub struct Config {
    /// `None`: detected for each file.
    #[returns(copy)]
    pub dialect: Option<Dialect>,
}

type EventLog = Arc<Mutex<Option<Vec<String>>>>;

/// The database itself. A clone is a snapshot for reading; setting an input cancels what snapshots compute.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    events: EventLog,
    kept: Kept,
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {
    fn kept(&self) -> &Kept {
        &self.kept
    }
}

impl Default for Database {
    fn default() -> Database {
        let events = EventLog::default();
        let log = Arc::clone(&events);
        let storage = salsa::Storage::new(Some(Box::new(move |event| {
            if let Ok(mut log) = log.lock()
                && let Some(log) = &mut *log
                && let salsa::EventKind::WillExecute { database_key } = event.kind
            {
                log.push(format!("{database_key:?}"));
            }
        })));
        let kept = Kept::default();
        let db = Database {
            storage,
            events,
            kept,
        };
        Config::new(&db, None);
        db
    }
}

impl Database {
    /// Drops what is kept for the next edit, as after a file is closed.
    pub fn forget(&self) {
        self.kept.clear();
    }

    /// The queries that `run` computed anew, by name.
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
