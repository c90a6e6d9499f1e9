//! Answers that are text already when their handler returns.
//!
//! tower-lsp takes every answer apart into a `Value` before it becomes a response, which costs a list of completions
//! more than to find them. So whoever makes a long answer writes it there and then, and its handler returns nothing in
//! its place.

use std::cell::RefCell;

use futures::FutureExt;
use serde::Serialize;
use serde_json::Value;

tokio::task_local! {
    /// Of the request that is being handled.
    static RESULT: RefCell<Option<Written>>;
}

/// The result of a request, as JSON.
pub struct Written(Vec<u8>);

impl Written {
    pub fn of(result: &impl Serialize) -> serde_json::Result<Written> {
        serde_json::to_vec(result).map(Written)
    }

    /// Makes this the result of the request whose handler is running, which has nothing left to do but to return.
    pub fn send(self) {
        let outside = RESULT
            .try_with(|result| result.replace(Some(self)))
            .is_err();
        debug_assert!(!outside, "only handlers of requests have results");
    }

    pub fn into_response(self, id: &Value) -> Vec<u8> {
        let mut response = b"{\"jsonrpc\":\"2.0\",\"result\":".to_vec();
        response.extend(self.0);
        response.extend(format!(",\"id\":{id}}}").bytes());
        response
    }
}

/// Runs a handler; gives what it returns, and what it has written.
pub fn handle<F: Future>(handler: F) -> impl Future<Output = (F::Output, Option<Written>)> {
    let result = RefCell::default();
    RESULT.scope(result, handler.map(|it| (it, RESULT.with(RefCell::take))))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn what_a_handler_writes_is_its_own() {
        let writes = handle(async {
            Written::of(&json!({"a": [1, null]})).unwrap().send();
            7
        });
        let returns = handle(async { 8 });
        let ((seven, written), (eight, nothing)) = futures::join!(writes, returns);
        assert_eq!((seven, eight), (7, 8));
        assert!(nothing.is_none());
        let response = written.unwrap().into_response(&json!("id\"1"));
        let response: Value = serde_json::from_slice(&response).unwrap();
        assert_eq!(
            response,
            json!({"jsonrpc": "2.0", "result": {"a": [1, null]}, "id": "id\"1"})
        );
    }
}
