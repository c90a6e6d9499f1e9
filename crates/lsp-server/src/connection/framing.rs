//! The header before each message, and where a message ends.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Longest line in which a header is looked for, and most lines.
const MAX_LINE: u64 = 4096;
const MAX_LINES: usize = 64;
/// Texts are at most 4 GB, and escapes make them longer.
const MAX_BODY: usize = 8 << 30;

pub enum Frame {
    Body(Vec<u8>),
    /// Lines that are no header; what follows may be one again.
    Malformed(String),
    End,
}

/// The next message.
pub async fn read(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Frame> {
    let mut length = None;
    let mut strange = None;
    for _ in 0..MAX_LINES {
        let mut line = Vec::new();
        (&mut *input)
            .take(MAX_LINE)
            .read_until(b'\n', &mut line)
            .await?;
        if line.is_empty() {
            return Ok(Frame::End);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            return match (length, strange.take()) {
                (Some(length), _) => body(input, length).await,
                (None, Some(line)) => Ok(Frame::Malformed(line)),
                // An empty line between messages does no harm.
                (None, None) => continue,
            };
        }
        match line.split_once(':') {
            Some((name, value)) if name.trim().eq_ignore_ascii_case("content-length") => {
                match value
                    .trim()
                    .parse()
                    .ok()
                    .filter(|&length| length <= MAX_BODY)
                {
                    Some(value) => length = Some(value),
                    None => strange = Some(format!("`{line}` is no length")),
                }
            }
            // The only content type there is says nothing new.
            Some((name, _)) if name.trim().eq_ignore_ascii_case("content-type") => {}
            _ => strange = Some(format!("`{line}` is no header of the protocol")),
        }
    }
    Ok(Frame::Malformed(
        strange.unwrap_or_else(|| "a header without end".to_owned()),
    ))
}

async fn body(input: &mut (impl AsyncBufRead + Unpin), length: usize) -> io::Result<Frame> {
    // Not allocated before it has come: the header may be wrong.
    let mut body = Vec::new();
    (&mut *input)
        .take(length as u64)
        .read_to_end(&mut body)
        .await?;
    Ok(if body.len() == length {
        Frame::Body(body)
    } else {
        Frame::End
    })
}

pub fn frame(body: &[u8]) -> Vec<u8> {
    let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    frame.extend_from_slice(body);
    frame
}

pub async fn write(output: &mut (impl AsyncWrite + Unpin), frames: &[u8]) -> io::Result<()> {
    output.write_all(frames).await?;
    output.flush().await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read, one message after another.
    fn read_all(input: &str) -> Vec<String> {
        let mut input = input.as_bytes();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut seen = Vec::new();
            loop {
                match read(&mut input).await.unwrap() {
                    Frame::Body(body) => seen.push(String::from_utf8(body).unwrap()),
                    Frame::Malformed(why) => seen.push(format!("malformed: {why}")),
                    Frame::End => return seen,
                }
            }
        })
    }

    #[test]
    fn what_is_framed_is_read() {
        let mut wire = frame("{\"a\": \"é\"}".as_bytes());
        wire.extend(frame(b"{}"));
        assert_eq!(
            read_all(std::str::from_utf8(&wire).unwrap()),
            ["{\"a\": \"é\"}", "{}"]
        );
    }

    #[test]
    fn names_of_headers_have_no_case_and_line_ends_may_be_short() {
        assert_eq!(
            read_all("content-type: x; charset=utf8\ncontent-length:2\n\n{}"),
            ["{}"]
        );
    }

    #[test]
    fn after_a_bad_header_the_next_is_read() {
        assert_eq!(
            read_all("Content-Length: -1\r\n\r\nhello\r\n\r\nContent-Length: 2\r\n\r\n{}"),
            [
                "malformed: `Content-Length: -1` is no length",
                "malformed: `hello` is no header of the protocol",
                "{}",
            ]
        );
    }

    #[test]
    fn half_a_message_is_the_end() {
        assert_eq!(
            read_all("Content-Length: 10\r\n\r\n{}"),
            Vec::<String>::new()
        );
    }
}
