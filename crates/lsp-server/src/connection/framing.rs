//! Reads and writes the header before each message, which contains its length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::{Frame, MessageReader, MessageWriter};

/// The maximum number of bytes read of a line at once.
const MOST_AT_ONCE: usize = 4096;
/// Texts are at most 4 GB, and escapes make them longer.
const MAX_BODY: usize = 8 << 30;

const CONTENT_LENGTH: &str = "content-length";
/// Longer than any line with a length.
const LONGEST_LENGTH: usize = 64;

/// Reads messages from a stream of bytes.
pub struct Frames<R> {
    input: R,
    /// The length from the header that has begun.
    length: Option<usize>,
}

/// A line of a header.
enum Line {
    Length(usize),
    /// A content type, which is ignored since there is only one.
    Type,
    /// The end of the header.
    Empty,
    Malformed {
        why: String,
        /// Not a header line. A body that is longer than its header says ends with the header of the next message.
        length_at_end: Option<usize>,
    },
}

impl<R> Frames<R> {
    pub fn new(input: R) -> Frames<R> {
        Frames {
            input,
            length: None,
        }
    }
}

impl<R: AsyncBufRead + Unpin + Send> MessageReader for Frames<R> {
    async fn next(&mut self) -> io::Result<Frame> {
        let mut malformed = None;
        // The last bytes of a line that continues.
        let mut carried = Vec::new();
        loop {
            let mut line = std::mem::take(&mut carried);
            let most = (MOST_AT_ONCE - line.len()) as u64;
            let mut input = (&mut self.input).take(most);
            if input.read_until(b'\n', &mut line).await? == 0 {
                return Ok(Frame::End);
            }
            if !line.ends_with(b"\n") {
                carried = line[line.len().saturating_sub(LONGEST_LENGTH)..].to_vec();
            }
            match Line::of(&String::from_utf8_lossy(&line)) {
                Line::Length(length) => self.length = Some(length),
                Line::Type => {}
                Line::Empty => match (self.length.take(), malformed.take()) {
                    (Some(length), _) => return self.body(length).await,
                    (None, Some(why)) => return Ok(Frame::Malformed(why)),
                    // Tolerate an empty line between messages.
                    (None, None) => {}
                },
                Line::Malformed { why, length_at_end } => {
                    let why = malformed.get_or_insert(why);
                    if carried.is_empty() && length_at_end.is_some() {
                        self.length = length_at_end;
                        return Ok(Frame::Malformed(std::mem::take(why)));
                    }
                }
            }
        }
    }
}

impl<R: AsyncBufRead + Unpin> Frames<R> {
    async fn body(&mut self, length: usize) -> io::Result<Frame> {
        // Allocate only as bytes arrive, since the header may be wrong.
        let mut body = Vec::new();
        let mut input = (&mut self.input).take(length as u64);
        input.read_to_end(&mut body).await?;
        Ok(if body.len() == length {
            Frame::Body(body)
        } else {
            Frame::End
        })
    }
}

impl Line {
    fn of(line: &str) -> Line {
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            return Line::Empty;
        }
        let shown: String = line.chars().take(80).collect();
        let malformed = |why: &str| Line::Malformed {
            why: format!("`{shown}` {why}"),
            length_at_end: None,
        };
        let lower = line.to_ascii_lowercase();
        let Some((name, value)) = lower.rsplit_once(':') else {
            return malformed("is not a header of the protocol");
        };
        let length = value.trim().parse().ok();
        let length = length.filter(|&length| length <= MAX_BODY);
        match (name.trim(), length) {
            (CONTENT_LENGTH, Some(length)) => Line::Length(length),
            (CONTENT_LENGTH, None) => malformed("is not a valid length"),
            ("content-type", _) => Line::Type,
            (name, Some(_)) if name.ends_with(CONTENT_LENGTH) => Line::Malformed {
                why: format!("`{shown}` is in front of a header"),
                length_at_end: length,
            },
            _ => malformed("is not a header of the protocol"),
        }
    }
}

/// Writes messages to a stream of bytes.
pub struct FrameWriter<W>(pub W);

impl<W: AsyncWrite + Unpin + Send + 'static> MessageWriter for FrameWriter<W> {
    async fn write(&mut self, bodies: Vec<Vec<u8>>) -> io::Result<()> {
        let frames = bodies
            .iter()
            .map(|body| frame(body))
            .collect::<Vec<_>>()
            .concat();
        self.0.write_all(&frames).await?;
        self.0.flush().await
    }
}

/// Returns a message with its header.
pub fn frame(body: &[u8]) -> Vec<u8> {
    let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    frame.extend_from_slice(body);
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads all messages.
    fn read_all(input: &str) -> Vec<String> {
        let mut frames = Frames::new(input.as_bytes());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut seen = Vec::new();
            loop {
                match frames.next().await.unwrap() {
                    Frame::Body(body) => seen.push(String::from_utf8(body).unwrap()),
                    Frame::Malformed(why) => seen.push(format!("malformed: {why}")),
                    Frame::End => return seen,
                }
            }
        })
    }

    #[test]
    fn framed_messages_are_read() {
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
                "malformed: `Content-Length: -1` is not a valid length",
                "malformed: `hello` is not a header of the protocol",
                "{}",
            ]
        );
    }

    #[test]
    fn a_truncated_message_ends_the_input() {
        assert_eq!(
            read_all("Content-Length: 10\r\n\r\n{}"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_body_longer_than_its_header_says_costs_one_message() {
        let longer = "Content-Length: 2\r\n\r\n{} and more";
        assert_eq!(
            read_all(&format!(
                "{longer}Content-Length: 4\r\n\r\nnextContent-Length: 1\n\n!"
            )),
            [
                "{}",
                "malformed: ` and moreContent-Length: 4` is in front of a header",
                "next",
                "!",
            ]
        );
    }

    #[test]
    fn a_header_is_found_wherever_it_stands_in_a_long_line() {
        for more in (0..LONGEST_LENGTH).chain(MOST_AT_ONCE - LONGEST_LENGTH..MOST_AT_ONCE + 2) {
            let junk = "x".repeat(more);
            let seen = read_all(&format!("{junk}Content-Length: 2\r\n\r\n{{}}"));
            assert_eq!(
                seen.last().map(String::as_str),
                Some("{}"),
                "after {more} bytes"
            );
        }
    }
}
