//! Payloads in blobs: 31 bytes in each of 4,096 field elements (EIP-4844).

use crate::Invalid;

/// Bytes of a blob.
pub const BLOB_BYTES: usize = 4096 * 32;

/// The longest payload of a blob: its length takes 4 bytes.
pub const BLOB_CAPACITY: usize = 4096 * 31 - 4;

/// The blob of a payload: length u32 and payload in the lower 31 bytes of each element, zeros behind.
///
/// # Errors
/// If it is longer than [`BLOB_CAPACITY`].
pub fn to_blob(payload: &[u8]) -> Result<Vec<u8>, Invalid> {
    let length = u32::try_from(payload.len()).ok().filter(|_| payload.len() <= BLOB_CAPACITY);
    let length = length.ok_or(Invalid("the payload is longer than a blob"))?;
    let content = [&length.to_le_bytes(), payload].concat();
    let mut blob: Vec<u8> = content.chunks(31).flat_map(element).collect();
    blob.resize(BLOB_BYTES, 0);
    Ok(blob)
}

/// An element's 32 bytes, the most significant of which is 0.
fn element(chunk: &[u8]) -> [u8; 32] {
    let mut element = [0; 32];
    element.iter_mut().skip(1).zip(chunk).for_each(|(to, from)| *to = *from);
    element
}

/// The payload of a blob.
///
/// # Errors
/// If the bytes are not what [`to_blob`] makes.
pub fn from_blob(blob: &[u8]) -> Result<Vec<u8>, Invalid> {
    let invalid = Invalid("not the blob of a payload");
    let (elements, rest) = blob.as_chunks::<32>();
    if blob.len() != BLOB_BYTES || !rest.is_empty() {
        return Err(invalid);
    }
    let content: Vec<u8> = elements.iter().flat_map(|element| element.iter().skip(1)).copied().collect();
    let (length, content) = content.split_first_chunk::<4>().ok_or(invalid)?;
    let payload = content.get(..u32::from_le_bytes(*length) as usize).ok_or(invalid)?;
    if to_blob(payload)? == blob { Ok(payload.to_vec()) } else { Err(invalid) }
}
