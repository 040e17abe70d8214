//! The context bytes of a proof: what was committed to, and how the proven numbers are to be read.

use super::subject::Subject;
use pcs::codec::{Reader, Writer};

/// Bound into a proof, so that it has one reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// What was committed to.
    pub subject: Subject,
    /// Decimals of the weights, where the proof is of a weighted sum.
    pub weights_scale: Option<u32>,
    /// Whether the sum is claimed as a mean too.
    pub mean: bool,
}

impl Context {
    /// The canonical encoding. Without weights: the subject, and a byte 1 for a mean. With weights: the subject, their
    /// decimals, and a byte 0 or 1.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut w = Writer::new();
        w.bytes(&self.subject.encode());
        if let Some(scale) = self.weights_scale {
            w.u32(scale);
            w.u8(u8::from(self.mean));
        } else if self.mean {
            w.u8(1);
        }
        w.finish()
    }

    /// Reads the context of a proof with or without weights, exactly.
    #[must_use]
    pub fn decode(bytes: &[u8], weighted: bool) -> Option<Self> {
        let mut r = Reader::new(bytes);
        let subject = Subject::read(&mut r)?;
        let (mut weights_scale, mut mean) = (None, false);
        if weighted {
            weights_scale = Some(r.u32()?).filter(|&scale| scale <= 18);
            weights_scale?;
        }
        if weighted || r.remaining() > 0 {
            mean = match r.u8()? {
                0 if weighted => false,
                1 => true,
                _ => return None,
            };
        }
        r.finish()?;
        Some(Self { subject, weights_scale, mean })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_exact() {
        let subject = Subject { name: "x".into(), rows: 5, scale: 2, bytes: None, source: [3; 32] };
        assert_eq!(Context::decode(&subject.encode(), false).unwrap().subject, subject);
        for weights_scale in [None, Some(0), Some(18)] {
            for mean in [false, true] {
                let context = Context { subject: subject.clone(), weights_scale, mean };
                let (bytes, weighted) = (context.encode(), weights_scale.is_some());
                assert_eq!(Context::decode(&bytes, weighted), Some(context));
                assert_eq!(Context::decode(&bytes, !weighted), None, "one kind's context is not the other's");
                let shortest = if weights_scale.is_none() && mean { 1 } else { 0 };
                assert!(
                    (0..bytes.len() - shortest).all(|n| Context::decode(&bytes[..n], weighted).is_none())
                );
                for byte in [0, 1, 2] {
                    let longer = [&bytes[..], &[byte]].concat();
                    let is_mean = !weighted && !mean && byte == 1;
                    assert_eq!(Context::decode(&longer, weighted).is_some(), is_mean, "{byte} at the end");
                }
            }
        }
        let scale = |scale| Context { subject: subject.clone(), weights_scale: Some(scale), mean: false };
        assert_eq!(Context::decode(&scale(19).encode(), true), None);
    }
}
