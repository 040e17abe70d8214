//! Answers, and their bytes.

use std::io::{self, Write};
use std::sync::Arc;

use serde_json::{Value, json};

/// The content of an answer.
#[derive(Debug)]
enum Body {
    Own(Vec<u8>),
    Shared(Arc<[u8]>),
}

/// An answer to a request.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    kind: &'static str,
    body: Body,
    /// The methods of the path, where another one was asked.
    allow: Option<&'static str>,
}

/// The words of a status.
fn words(status: u16) -> &'static str {
    match status {
        200 => "OK",
        202 => "Accepted",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        417 => "Expectation Failed",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        _ => "Internal Server Error",
    }
}

impl Answer {
    fn new(status: u16, kind: &'static str, body: Body) -> Self {
        Self { status, kind, body, allow: None }
    }

    pub fn json(status: u16, value: &Value) -> Self {
        Self::new(status, "application/json", Body::Own(format!("{value}\n").into_bytes()))
    }

    pub fn bytes(body: Vec<u8>) -> Self {
        Self::new(200, "application/octet-stream", Body::Own(body))
    }

    /// Bytes that many answers have.
    pub fn shared(body: Arc<[u8]>) -> Self {
        Self::new(200, "application/octet-stream", Body::Shared(body))
    }

    /// The text that Prometheus reads.
    pub fn metrics(text: String) -> Self {
        Self::new(200, "text/plain; version=0.0.4; charset=utf-8", Body::Own(text.into_bytes()))
    }

    /// A refusal, with its reason.
    pub fn refused(status: u16, why: &str) -> Self {
        Self::json(status, &json!({ "error": why }))
    }

    /// A path that is there, and not with this method.
    pub fn other_method(allow: &'static str) -> Self {
        Self { allow: Some(allow), ..Self::refused(405, &format!("the path is there for {allow} alone")) }
    }

    /// Writes it, the last one of its connection; of a question about the head alone without content.
    pub fn write(&self, out: &mut impl Write, without_body: bool) -> io::Result<()> {
        let body: &[u8] = match &self.body {
            Body::Own(body) => body,
            Body::Shared(body) => body,
        };
        let (status, kind, length) = (self.status, self.kind, body.len());
        let mut head = format!(
            "HTTP/1.1 {status} {}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n",
            words(status)
        );
        if let Some(allow) = self.allow {
            head += &format!("allow: {allow}\r\n");
        }
        if matches!(status, 429 | 503) {
            head += "retry-after: 5\r\n";
        }
        head += "\r\n";
        out.write_all(head.as_bytes())?;
        if without_body { Ok(()) } else { out.write_all(body) }
    }
}
