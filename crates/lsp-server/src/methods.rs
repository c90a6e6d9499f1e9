//! The type of the method table's rows, and the dispatch of a message to its row. The rows are in `handlers.rs`.

use std::future::Future;

use futures::FutureExt;
use futures::future::BoxFuture;
use lsp_types::ServerCapabilities;
use lsp_types::notification::Notification;
use lsp_types::request::Request;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::capabilities::Client;
use crate::session::{Event, Refusal, SessionHandle, Snapshot, Subject};

/// One method of the protocol.
pub struct Method {
    pub name: &'static str,
    pub route: Route,
    pub progress: Option<Progress>,
    /// Adds the method to the server's capabilities.
    pub offer: Option<fn(&mut ServerCapabilities, &Client)>,
    /// The features for `docs/features.md`.
    pub features: Vec<Feature>,
}

pub enum Route {
    /// tower-lsp's service handles it, or the server sends it.
    Service,
    Request(Box<Respond>),
    Notification(Box<Notify>),
}

type Respond = dyn Fn(&SessionHandle, Value) -> Answer + Send + Sync;
type Notify = dyn Fn(Value) -> Result<Option<Event>, Refusal> + Send + Sync;

/// The result of a request as JSON text.
pub type Answer = BoxFuture<'static, Result<String, Refusal>>;

/// The progress of a request that takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub title: &'static str,
    /// `true` if the request reports its own progress when the client does not show any.
    pub own: bool,
}

/// What a method offers the user, with its protocol test.
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "a test writes `docs/features.md` from it")
)]
pub struct Feature {
    pub what: &'static str,
    /// The file under `crates/ide/src`; empty for features of the server itself.
    pub ide: &'static str,
    /// The `file::test` under `tests/e2e`.
    pub test: &'static str,
}

impl Method {
    fn new(name: &'static str, route: Route) -> Method {
        Method {
            name,
            route,
            progress: None,
            offer: None,
            features: Vec::new(),
        }
    }

    /// Returns the row of a message that tower-lsp's service handles, or that the server sends.
    pub fn of_service(name: &'static str) -> Method {
        Method::new(name, Route::Service)
    }

    /// Returns the row of a request that is answered from a snapshot on a separate thread, which also serializes the
    /// answer.
    pub fn read<R, T, E>(answer: fn(&Snapshot, R::Params) -> Result<T, E>) -> Method
    where
        R: Request,
        R::Params: Send + 'static,
        T: Serialize + 'static,
        E: Into<Refusal> + 'static,
    {
        Method::request::<R, _, _>(move |session, params| {
            session.read(params, move |snapshot, params| {
                text(&answer(snapshot, params).map_err(Into::into)?)
            })
        })
    }

    /// Returns the row of a request that needs more of the session than a snapshot. `answer` must send its messages
    /// before it returns the future, which resolves to JSON text.
    pub fn request<R, A, F>(answer: A) -> Method
    where
        R: Request,
        A: Fn(&SessionHandle, R::Params) -> F + Send + Sync + 'static,
        F: Future<Output = Result<String, Refusal>> + Send + 'static,
    {
        let route = move |session: &SessionHandle, params| {
            let session = session.about(subject(&params));
            match read_params(params) {
                Ok(params) => answer(&session, params).boxed(),
                Err(refusal) => std::future::ready(Err(refusal)).boxed(),
            }
        };
        Method::new(R::METHOD, Route::Request(Box::new(route)))
    }

    /// Returns the row of a notification that becomes an event of the session.
    pub fn notification<N: Notification>(event: fn(N::Params) -> Event) -> Method {
        let route = move |params| read_params(params).map(|params| Some(event(params)));
        Method::new(N::METHOD, Route::Notification(Box::new(route)))
    }

    /// Returns the row of a notification without effect.
    pub fn ignored<N: Notification>() -> Method {
        Method::new(N::METHOD, Route::Notification(Box::new(|_| Ok(None))))
    }

    pub fn offers(mut self, offer: fn(&mut ServerCapabilities, &Client)) -> Method {
        self.offer = Some(offer);
        self
    }

    /// Marks a request as possibly long.
    pub fn long(mut self, title: &'static str) -> Method {
        self.progress = Some(Progress { title, own: false });
        self
    }

    /// Marks a request as possibly long, with its own progress reports.
    pub fn long_with_own_progress(mut self, title: &'static str) -> Method {
        self.progress = Some(Progress { title, own: true });
        self
    }

    pub fn feature(mut self, what: &'static str, ide: &'static str, test: &'static str) -> Method {
        self.features.push(Feature { what, ide, test });
        self
    }
}

fn read_params<P: DeserializeOwned>(params: Value) -> Result<P, Refusal> {
    serde_json::from_value(params).map_err(|error| Refusal::Invalid(error.to_string()))
}

/// Returns the document that a request is about, from its parameters.
fn subject(params: &Value) -> Subject<'static> {
    const PLACES: [&str; 4] = [
        "/textDocument/uri",
        "/item/uri",
        "/data/uri",
        "/arguments/0/uri",
    ];
    let uri = PLACES.iter().find_map(|at| params.pointer(at)?.as_str());
    uri.map_or(Subject::Server, |it| {
        Subject::Document(it.to_owned().into())
    })
}

/// Serializes an answer.
pub fn text(answer: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(answer).map_err(|_| Refusal::Failed)
}
