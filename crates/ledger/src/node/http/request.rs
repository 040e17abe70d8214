//! Requests, read from a stranger's connection: of bounded length, in bounded time, and one for each connection.

#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The most bytes of a request's line and headers.
pub const MOST_HEAD: usize = 8192;

/// The most headers of a request.
const MOST_HEADERS: usize = 64;

/// The time after which a wait looks whether the service has been ended.
const SLICE: Duration = Duration::from_millis(100);

/// The time for an answer that is on its way when the service is ended, and for the peer to take the last bytes of one.
const GRACE: Duration = Duration::from_secs(1);

/// The most bytes that are read and forgotten behind a request, so that the answer is not lost by a reset.
const MOST_LEFT: usize = 1 << 16;

/// A connection, until a time.
pub struct Timed<'a> {
    stream: &'a TcpStream,
    until: Instant,
    stop: &'a AtomicBool,
}

impl<'a> Timed<'a> {
    pub fn new(stream: &'a TcpStream, time: Duration, stop: &'a AtomicBool) -> Self {
        Self { stream, until: Instant::now() + time, stop }
    }

    /// The time of the next wait.
    fn slice(&self) -> io::Result<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left.min(SLICE)) }
    }

    /// Ends the answer, and waits for the peer to have taken it, for a moment.
    pub fn end(mut self) {
        if self.stream.shutdown(Shutdown::Write).is_err() {
            return;
        }
        self.until = self.until.min(Instant::now() + GRACE);
        let (mut left, mut part) = (MOST_LEFT, [0; 1024]);
        while let Ok(count @ 1..) = self.read(&mut part) {
            left = left.saturating_sub(count);
            if left == 0 {
                break;
            }
        }
    }
}

/// Tells whether a wait is over, and nothing has happened.
fn is_over(e: &io::Error) -> bool {
    matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

impl Read for Timed<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(ErrorKind::ConnectionAborted.into());
            }
            self.stream.set_read_timeout(Some(self.slice()?))?;
            match self.stream.read(out) {
                Err(e) if is_over(&e) => {}
                read => return read,
            }
        }
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                self.until = self.until.min(Instant::now() + GRACE);
            }
            self.stream.set_write_timeout(Some(self.slice()?))?;
            match self.stream.write(bytes) {
                Err(e) if is_over(&e) => {}
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The reason that there is no request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is refused with a status, for a reason.
    Refused(u16, &'static str),
    /// The connection is gone, or the service has been ended.
    Gone,
}

/// The method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Head,
    Other,
}

/// The line and the headers of a request, as far as they are looked at.
#[derive(Debug, PartialEq, Eq)]
pub struct Head {
    pub method: Method,
    pub target: String,
    /// The length of the body, if the request says one; `u64::MAX` for all that is longer.
    pub length: Option<u64>,
    /// True if the headers `Host`, as far as there are any, name this machine by a loopback name.
    pub to_loopback: bool,
    /// True if the headers `Origin`, as far as there are any, do: what a page of another host has a browser send has such a header.
    pub from_loopback: bool,
    /// The bytes that came behind the head.
    rest: Vec<u8>,
}

fn broken(e: &io::Error) -> Unread {
    match e.kind() {
        ErrorKind::TimedOut => Unread::Refused(408, "the request took too long"),
        _ => Unread::Gone,
    }
}

impl Head {
    /// Reads a head.
    pub fn read(stream: &mut impl Read) -> Result<Self, Unread> {
        let mut bytes = Vec::with_capacity(MOST_HEAD);
        let mut part = [0; 1024];
        loop {
            let room = MOST_HEAD.saturating_sub(bytes.len()).min(part.len());
            let to = part.get_mut(..room).unwrap_or_default();
            if to.is_empty() {
                return Err(Unread::Refused(431, "line and headers have at most 8192 bytes"));
            }
            let count = stream.read(to).map_err(|e| broken(&e))?;
            let Some(new @ [_, ..]) = part.get(..count) else { return Err(Unread::Gone) };
            // The end may lie across two parts.
            let from = bytes.len().saturating_sub(3);
            bytes.extend_from_slice(new);
            let end = bytes.get(from..).and_then(|new| new.windows(4).position(|w| w == b"\r\n\r\n"));
            if let Some(end) = end {
                let rest = bytes.split_off(from + end + 4);
                return Self::parse(&bytes, rest);
            }
        }
    }

    fn parse(bytes: &[u8], rest: Vec<u8>) -> Result<Self, Unread> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(bytes) {
            Ok(httparse::Status::Complete(length)) if length == bytes.len() => {}
            Ok(_) => return Err(Unread::Refused(400, "the request is none")),
            Err(httparse::Error::TooManyHeaders) => {
                return Err(Unread::Refused(431, "a request has at most 64 headers"));
            }
            Err(httparse::Error::Version) => {
                return Err(Unread::Refused(505, "the versions HTTP/1.0 and HTTP/1.1 are spoken"));
            }
            Err(_) => return Err(Unread::Refused(400, "the request is none")),
        }
        let method = match request.method {
            Some("GET") => Method::Get,
            Some("POST") => Method::Post,
            Some("HEAD") => Method::Head,
            _ => Method::Other,
        };
        let target = request.path.unwrap_or_default().to_owned();
        let length = length(request.headers, request.version == Some(1))?;
        let all = |name: &'static str, of: fn(&str) -> bool| {
            named(request.headers, name).all(|value| str::from_utf8(value).is_ok_and(of))
        };
        let to_loopback = all("host", is_loopback);
        let from_loopback = all("origin", |origin| {
            origin.split_once("://").is_some_and(|(_, authority)| is_loopback(authority))
        });
        Ok(Self { method, target, length, to_loopback, from_loopback, rest })
    }

    /// Reads the body, of the length that was said, which is at most `most`.
    pub fn body(self, stream: &mut impl Read, most: usize) -> Result<Vec<u8>, Unread> {
        let length = self.length.ok_or(Unread::Refused(411, "a body has a Content-Length"))?;
        let length = usize::try_from(length).ok().filter(|length| *length <= most);
        let length = length.ok_or(Unread::Refused(413, "the body is longer than any transaction"))?;
        let mut body = self.rest;
        body.truncate(length);
        let missing = length.saturating_sub(body.len()) as u64;
        stream.take(missing).read_to_end(&mut body).map_err(|e| broken(&e))?;
        if body.len() == length { Ok(body) } else { Err(Unread::Gone) }
    }
}

/// The values of the headers of a name.
fn named<'a>(headers: &[httparse::Header<'a>], name: &'static str) -> impl Iterator<Item = &'a [u8]> {
    headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value)
}

/// Tells whether a host, with a port or without, is a loopback name: `localhost`, an address of 127.0.0.0/8, or `[::1]`. Any other name may be made to
/// point here by whoever owns it.
fn is_loopback(authority: &str) -> bool {
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let is_port = |port: &str| port.bytes().all(|c| c.is_ascii_digit()) && port.parse::<u16>().is_ok();
    let named = match host.strip_prefix('[').map(|inner| inner.strip_suffix(']')) {
        Some(inner) => inner.is_some_and(|inner| inner.parse::<Ipv6Addr>().is_ok_and(|ip| ip.is_loopback())),
        None => {
            host.eq_ignore_ascii_case("localhost")
                || host.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback())
        }
    };
    named && port.is_none_or(is_port)
}

/// The length of the body by the headers, whose meaning has to be one for every program between here and the client.
fn length(headers: &[httparse::Header<'_>], hosts: bool) -> Result<Option<u64>, Unread> {
    let named = |name| named(headers, name);
    let (mut lengths, chunked) = (named("content-length"), named("transfer-encoding").next().is_some());
    let length = lengths.next();
    if lengths.next().is_some() || length.is_some() && chunked {
        return Err(Unread::Refused(400, "the length of the body is said twice"));
    }
    if chunked {
        return Err(Unread::Refused(411, "bodies in chunks are not taken: a body has a Content-Length"));
    }
    if named("expect").next().is_some() {
        return Err(Unread::Refused(417, "nothing is expected: send the body"));
    }
    if hosts && named("host").count() != 1 {
        return Err(Unread::Refused(400, "a request of HTTP/1.1 has one header Host"));
    }
    let Some(length) = length else { return Ok(None) };
    if length.is_empty() || !length.iter().all(u8::is_ascii_digit) {
        return Err(Unread::Refused(400, "the Content-Length is no number"));
    }
    let digit = |sum: u64, c: &u8| sum.saturating_mul(10).saturating_add(u64::from(c.saturating_sub(b'0')));
    Ok(Some(length.iter().fold(0, digit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that come in pieces, as a network cuts them.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(out.len()).min(self.0.len());
            let (now, later) = self.0.split_at(count);
            out[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn read(bytes: &[u8], piece: usize) -> Result<(Method, String, Vec<u8>), Unread> {
        let mut stream = Pieces(bytes, piece);
        let head = Head::read(&mut stream)?;
        let (method, target) = (head.method, head.target.clone());
        Ok((method, target, if head.length.is_some() { head.body(&mut stream, 9)? } else { vec![] }))
    }

    #[test]
    fn loopback_names_are_those_that_nobody_else_has() {
        for name in ["localhost", "LocalHost", "127.0.0.1", "127.255.3.4", "[::1]", "[0:0:0:0:0:0:0:1]"] {
            assert!(is_loopback(name) && is_loopback(&format!("{name}:8645")), "{name}");
        }
        let others = [
            "",
            ":",
            ":80",
            "a",
            "localhost.a",
            "a.localhost",
            "localhost.",
            "localhost:",
            "localhost:65536",
        ];
        let alike =
            ["localhost:+1", "localhost:80:80", " localhost", "127.0.0.1.a", "127.1", "128.0.0.1", "0.0.0.0"];
        let six = [
            "::1",
            "[::1",
            "::1]",
            "[::]",
            "[::2]",
            "[::1]a",
            "[127.0.0.1]",
            "[::1]:",
            "[fe80::1]",
            "me@localhost",
        ];
        for name in others.into_iter().chain(alike).chain(six) {
            assert!(!is_loopback(name), "{name}");
        }
        let of = |headers: &str| {
            let bytes = format!("GET / HTTP/1.1\r\n{headers}\r\n");
            Head::read(&mut bytes.as_bytes()).map(|head| (head.to_loopback, head.from_loopback))
        };
        assert_eq!(of("Host: localhost:1\r\n"), Ok((true, true)));
        assert_eq!(of("Host: a\r\nOrigin: null\r\n"), Ok((false, false)));
        assert_eq!(of("Host:\r\nOrigin: https://[::1]:3\r\n"), Ok((false, true)));
        assert_eq!(of("Host: [::1]\r\nOrigin: http://a\r\nOrigin: http://localhost\r\n"), Ok((true, false)));
        assert_eq!(of("Host: [::1]\r\nOrigin: http://localhost\r\n"), Ok((true, true)));
        assert_eq!(of("Host: [::1]\r\nOrigin: localhost\r\n"), Ok((true, false)));
    }

    /// Bytes of any kind are a request or a refusal, the same one in whatever pieces they come.
    #[test]
    fn requests_are_read_alike_in_all_pieces() {
        let whole = b"POST /transactions HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody";
        let expected = (Method::Post, "/transactions".to_owned(), b"body".to_vec());
        assert_eq!(read(whole, 1), Ok(expected));
        let mut random = blake3::Hasher::new().finalize_xof();
        let mut refused = 0;
        for _ in 0..2000 {
            let (mut bytes, mut at) = (whole.to_vec(), [0; 4]);
            random.fill(&mut at);
            let (from, to) = (usize::from(at[0]) % bytes.len(), usize::from(at[1]) % bytes.len());
            match at[2] % 4 {
                0 => bytes[from] ^= at[3],
                1 => bytes.truncate(from),
                2 => drop(bytes.drain(from.min(to)..from.max(to))),
                _ => bytes.insert(from, bytes[to]),
            }
            let found = read(&bytes, 4096);
            for piece in [1, 3, 7] {
                assert_eq!(read(&bytes, piece), found, "{piece}: {:?}", String::from_utf8_lossy(&bytes));
            }
            refused += usize::from(found.is_err());
        }
        assert!((500..2000).contains(&refused), "{refused}");
    }
}
