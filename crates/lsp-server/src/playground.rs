//! A page for trying programs, served to browsers on this machine: the page's files, which are embedded in this
//! binary, and the server of `server.rs` over a WebSocket. Knows nothing about the contents of the page, and reads no
//! files.
//!
//! Pages of other sites and other users of the machine can send requests too. `guard` rejects them.

mod assets;
mod guard;
mod socket;

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::extract::{Path, Request, State, WebSocketUpgrade};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, serve};
use tokio::net::TcpListener;

use guard::Guard;

/// Scripts and styles must come from the page's own files, so a program's text cannot inject any. Frames are the
/// panels.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/// The page at its address.
pub struct Page {
    listener: TcpListener,
    guard: Arc<Guard>,
}

impl Page {
    /// Binds a port, or a free one for 0.
    pub async fn bind(port: u16) -> io::Result<Page> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let guard = Arc::new(Guard::new(listener.local_addr()?.port())?);
        Ok(Page { listener, guard })
    }

    pub fn address(&self) -> String {
        self.guard.address()
    }

    pub async fn serve(self) -> io::Result<()> {
        let below = format!("/{}", self.guard.token());
        let router = Router::new()
            .route(&format!("{below}/"), get(async || file("index.html")))
            .route(&format!("{below}/lsp"), get(connect))
            .route(
                &format!("{below}/explain/{{code}}"),
                get(async |Path(code): Path<String>| explain(&code)),
            )
            .route(
                &format!("{below}/{{name}}"),
                get(async |Path(name): Path<String>| file(&name)),
            )
            .layer(from_fn_with_state(self.guard, admit));
        serve(self.listener, router).await
    }
}

/// Rejects unauthorized requests, and tells the browser what the page may do.
async fn admit(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    if let Err(why) = guard.check(request.uri().path(), request.headers()) {
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn file(name: &str) -> Response {
    match assets::find(name) {
        Some((kind, bytes)) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn explain(code: &str) -> Response {
    match ide::diagnostics::page(code) {
        Some(page) => (
            [(header::CONTENT_TYPE, "text/markdown; charset=utf-8")],
            page.markdown(),
        )
            .into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn connect(upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(socket::serve)
}
