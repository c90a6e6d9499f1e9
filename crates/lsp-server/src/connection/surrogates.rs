//! Replaces unpaired UTF-16 surrogates in JSON. An editor that counts in UTF-16 may split a pair and send only one
//! half, which our texts cannot represent. To keep the edit, the half is replaced with the replacement character,
//! which also is one UTF-16 unit, so that later columns stay valid.

const REPLACEMENT: &[u8] = b"\\ufffd";

/// Returns the JSON without unpaired surrogates, or `None` if there are none.
pub fn replaced(json: &[u8]) -> Option<Vec<u8>> {
    let mut out: Option<Vec<u8>> = None;
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = json[at..].iter().position(|&it| it == b'\\' || it == 0xED) {
        at += found;
        let next = next(&json[at..]);
        if next.is_half {
            let out = out.get_or_insert_default();
            out.extend_from_slice(&json[copied..at]);
            out.extend_from_slice(REPLACEMENT);
            copied = at + next.len;
        }
        at += next.len;
    }
    out.map(|mut out| {
        out.extend_from_slice(&json[copied..]);
        out
    })
}

struct Next {
    len: usize,
    is_half: bool,
}

/// Classifies the beginning of the text: an escape, or the three bytes that a surrogate would have in UTF-8.
fn next(json: &[u8]) -> Next {
    let whole = |len| Next {
        len,
        is_half: false,
    };
    let half = |len| Next { len, is_half: true };
    match json {
        [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => half(3),
        [b'\\', ..] => match unit(json) {
            Some(0xD800..=0xDBFF) if matches!(unit(&json[6..]), Some(0xDC00..=0xDFFF)) => whole(12),
            Some(0xD800..=0xDFFF) => half(6),
            Some(_) => whole(6),
            None => whole(json.len().min(2)),
        },
        _ => whole(1),
    }
}

/// Returns the unit of an escape such as `\u0041` at the beginning.
fn unit(json: &[u8]) -> Option<u16> {
    let digits = json.strip_prefix(b"\\u")?.get(..4)?;
    let digits = std::str::from_utf8(digits).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &[u8]) -> String {
        let json = replaced(json).unwrap_or_else(|| json.to_vec());
        serde_json::from_slice(&json).unwrap()
    }

    #[test]
    fn a_half_becomes_one_unit_and_pairs_stay() {
        assert_eq!(text(br#""a\ud83eb""#), "a\u{fffd}b");
        assert_eq!(text(br#""\udd80\uD83E""#), "\u{fffd}\u{fffd}");
        assert_eq!(text(br#""\ud83e\ud83e\udd80""#), "\u{fffd}\u{1f980}");
        assert_eq!(text(b"\"\xED\xA0\xBE!\""), "\u{fffd}!");
    }

    #[test]
    fn text_without_lone_surrogates_is_unchanged() {
        for json in [
            &br#""\\ud83e \ud83e\udd80 \u00e9 \n""#[..],
            "\"퟿\"".as_bytes(),
            b"\"\\u12\"",
            b"\\",
        ] {
            assert_eq!(replaced(json), None);
        }
    }
}
