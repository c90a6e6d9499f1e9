//! Caches the semantic tokens that clients have, so that the next answer can be a difference.

use std::sync::{Arc, Mutex, PoisonError};

use lsp_types::SemanticToken;
use rustc_hash::FxHashMap;

/// Longer answers are not cached, since their memory is worth more than the time.
const MOST_KEPT: usize = 200_000;

/// The last answer for each document, by URI.
#[derive(Default)]
pub struct TokenCache {
    answers: Mutex<Answers>,
}

#[derive(Default)]
struct Answers {
    last_id: u64,
    kept: FxHashMap<String, (String, Arc<Vec<SemanticToken>>)>,
}

impl TokenCache {
    pub fn forget(&self, uri: &str) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers.kept.remove(uri);
    }

    pub fn get(&self, uri: &str, id: &str) -> Option<Arc<Vec<SemanticToken>>> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let (kept, tokens) = answers.kept.get(uri)?;
        (kept == id).then(|| tokens.clone())
    }

    /// Caches an answer, and returns the id by which the client may refer to it.
    pub fn keep(&self, uri: &str, tokens: &Arc<Vec<SemanticToken>>) -> Option<String> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.len() > MOST_KEPT {
            answers.kept.remove(uri);
            return None;
        }
        answers.last_id += 1;
        let id = answers.last_id.to_string();
        let kept = (id.clone(), tokens.clone());
        answers.kept.insert(uri.to_owned(), kept);
        Some(id)
    }
}
