//! Checks whether a request comes from the page. Knows headers and the address, but not the contents of requests.
//!
//! Only the page knows the token, so other users of the machine cannot connect. A site whose name resolves to this
//! machine ("DNS rebinding") is detected by its Host header, and a site that opens a WebSocket by its Origin header.

use std::io;

use axum::http::header::{HOST, ORIGIN, UPGRADE};
use axum::http::{HeaderMap, HeaderName};

/// The length of the token in bytes.
const LENGTH: usize = 16;

pub struct Guard {
    token: String,
    port: u16,
}

impl Guard {
    pub fn new(port: u16) -> io::Result<Guard> {
        let mut bytes = [0; LENGTH];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let token = format!("{:032x}", u128::from_ne_bytes(bytes));
        Ok(Guard { token, port })
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Returns the reason if a request is rejected.
    pub fn check(&self, path: &str, headers: &HeaderMap) -> Result<(), &'static str> {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let Some(host) = value(headers, HOST).filter(|host| hosts.iter().any(|it| it == host))
        else {
            return Err("The playground is at 127.0.0.1 only.");
        };
        let origin = value(headers, ORIGIN);
        let is_own = origin.is_some_and(|origin| origin.strip_prefix("http://") == Some(host));
        let needs_one = headers.contains_key(UPGRADE) || headers.contains_key(ORIGIN);
        if needs_one && !is_own {
            return Err("The playground answers its own page only.");
        }
        let token = path.split('/').nth(1).unwrap_or_default();
        if !is_equal(token.as_bytes(), self.token.as_bytes()) {
            return Err(
                "The address of the playground has a token, which `relax-lsp playground` prints.",
            );
        }
        Ok(())
    }
}

fn value(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?.to_str().ok()?;
    // With two headers, it is unclear which one counts.
    all.next().is_none().then_some(first)
}

/// Compares in constant time.
fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, headers: &[(HeaderName, &str)]) -> Result<(), &'static str> {
        let guard = Guard {
            token: "secret".to_owned(),
            port: 81,
        };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value.parse().unwrap());
        }
        guard.check(path, &map)
    }

    const OWN: (HeaderName, &str) = (HOST, "127.0.0.1:81");
    const SOCKET: (HeaderName, &str) = (UPGRADE, "websocket");

    #[test]
    fn the_own_page_is_accepted() {
        assert!(check("/secret/", &[OWN]).is_ok());
        assert!(check("/secret/", &[(HOST, "localhost:81")]).is_ok());
        let own = (ORIGIN, "http://127.0.0.1:81");
        assert!(check("/secret/lsp", &[OWN, SOCKET, own]).is_ok());
    }

    #[test]
    fn a_wrong_token_or_none_is_refused() {
        for path in ["/", "/secre/", "/secrets/", "/x/secret/", ""] {
            assert!(check(path, &[OWN]).is_err(), "{path}");
        }
    }

    #[test]
    fn other_host_names_are_refused() {
        for host in [
            "evil.example",
            "evil.example:81",
            "127.0.0.1",
            "127.0.0.1:82",
        ] {
            assert!(check("/secret/", &[(HOST, host)]).is_err(), "{host}");
        }
        assert!(check("/secret/", &[]).is_err());
        assert!(check("/secret/", &[OWN, (HOST, "evil.example")]).is_err());
    }

    #[test]
    fn other_origins_and_bare_sockets_are_refused() {
        assert!(check("/secret/lsp", &[OWN, SOCKET]).is_err());
        for origin in [
            "http://evil.example",
            "null",
            "http://127.0.0.1:82",
            "https://127.0.0.1:81",
        ] {
            let origin = (ORIGIN, origin);
            assert!(check("/secret/lsp", &[OWN, SOCKET, origin.clone()]).is_err());
            assert!(check("/secret/panel.js", &[OWN, origin]).is_err());
        }
    }

    #[test]
    fn each_token_is_another() {
        let [one, other] = [(), ()].map(|()| Guard::new(1).unwrap());
        assert_eq!(one.token().len(), 2 * LENGTH);
        assert_ne!(one.token(), other.token());
    }
}
