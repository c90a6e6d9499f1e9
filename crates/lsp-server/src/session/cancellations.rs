//! Running work that the client can cancel by its progress token.

use lsp_types::ProgressToken;
use tokio_util::sync::CancellationToken;

#[derive(Default)]
pub struct Cancellations {
    works: Vec<Work>,
    added: u64,
}

struct Work {
    number: u64,
    token: ProgressToken,
    cancelled: CancellationToken,
}

impl Cancellations {
    /// Adds work, and returns a number by which it is removed, since several may share a token.
    pub fn add(&mut self, token: ProgressToken, cancelled: CancellationToken) -> u64 {
        self.added += 1;
        let number = self.added;
        self.works.push(Work {
            number,
            token,
            cancelled,
        });
        number
    }

    pub fn remove(&mut self, number: u64) {
        self.works.retain(|work| work.number != number);
    }

    fn of<'a>(&'a self, token: &'a ProgressToken) -> impl Iterator<Item = &'a Work> {
        self.works.iter().filter(move |work| work.token == *token)
    }

    pub fn has(&self, token: &ProgressToken) -> bool {
        self.of(token).next().is_some()
    }

    pub fn cancel(&self, token: &ProgressToken) {
        self.of(token).for_each(|work| work.cancelled.cancel());
    }

    pub fn cancel_all(&self) {
        self.works.iter().for_each(|work| work.cancelled.cancel());
    }
}

#[cfg(test)]
mod tests {
    use lsp_types::NumberOrString;

    use super::*;

    #[test]
    fn jobs_with_the_same_token_are_cancelled_together() {
        let token = NumberOrString::Number(1);
        let other = NumberOrString::String("1".to_owned());
        let cancelled: [CancellationToken; 3] = Default::default();
        let mut active = Cancellations::default();
        let first = active.add(token.clone(), cancelled[0].clone());
        let second = active.add(token.clone(), cancelled[1].clone());
        active.add(other.clone(), cancelled[2].clone());
        active.remove(first);
        assert!(active.has(&token));
        active.cancel(&token);
        active.remove(second);
        assert!(!active.has(&token) && active.has(&other));
        let seen = cancelled.map(|it| it.is_cancelled());
        assert_eq!(seen, [false, true, false]);
    }
}
