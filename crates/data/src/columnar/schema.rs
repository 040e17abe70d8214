//! The schema in the metadata of a Parquet file, checked before the crate `parquet` decodes it.
//!
//! That goes into groups by recursion, makes room for as many members as a group states, and gives each leaf a copy of the names
//! of all groups around it. What is checked is what it sees: every field that it knows is encoded as it reads it.
//!
//! Format: parquet-format, `FileMetaData`.

use super::thrift::{Compact, LIST, STRUCTURE, Shape, is_number};

/// `SchemaElement`.
const ELEMENT: &[Shape] = &[
    Shape::Number,
    Shape::Number,
    Shape::Number,
    Shape::Text,
    Shape::Number,
    Shape::Number,
    Shape::Number,
    Shape::Number,
    Shape::Number,
    Shape::Structure(LOGICAL),
];
const NAME: usize = 4;
const MEMBERS: usize = 5;

/// `LogicalType`, a union.
const LOGICAL: &[Shape] = &[
    EMPTY,
    EMPTY,
    EMPTY,
    EMPTY,
    Shape::Structure(&[Shape::Number, Shape::Number]),
    EMPTY,
    TIME,
    TIME,
    Shape::Any,
    Shape::Structure(&[Shape::Byte, Shape::Boolean]),
    EMPTY,
    EMPTY,
    EMPTY,
    EMPTY,
    EMPTY,
    Shape::Structure(&[Shape::Byte]),
    Shape::Structure(&[Shape::Text]),
    Shape::Structure(&[Shape::Text, Shape::Number]),
    EMPTY,
];
const EMPTY: Shape = Shape::Structure(&[]);
const TIME: Shape = Shape::Structure(&[Shape::Boolean, Shape::Structure(&[EMPTY, EMPTY, EMPTY])]);

/// Bytes of a name in memory besides its text.
const NAME_BYTES: u64 = 24;

/// A group whose members are not all there yet.
struct Group {
    left: u64,
    /// Bytes of its name and those of the groups around it; the root's is in no path.
    path: u64,
}

/// Checks a schema: groups no deeper than `depth`, with no more members than there are elements, and no more than `paths` bytes
/// for the names of all leaves, each with the groups around it.
pub fn check(metadata: &[u8], depth: usize, paths: u64) -> Option<()> {
    let mut compact = Compact(metadata);
    let (mut id, mut kind) = compact.head(0)?;
    if id == 1 && is_number(kind) {
        compact.signed()?;
        (id, kind) = compact.head(id)?;
    }
    if (id, kind) != (2, LIST) {
        return None;
    }
    let (count, kind) = compact.list()?;
    if kind != STRUCTURE {
        return None;
    }
    let (mut open, mut left) = (Vec::<Group>::new(), paths);
    for _ in 0..count {
        let element = compact.structure(ELEMENT)?;
        let members = u64::try_from(element.number(MEMBERS).unwrap_or(0)).ok()?;
        if members > count {
            return None;
        }
        let name = element.length(NAME).unwrap_or(0);
        let path = open.last().map_or(0, |group| group.path + name + NAME_BYTES);
        if members == 0 {
            left = left.checked_sub(path)?;
        }
        open.push(Group { left: members, path });
        while open.last().is_some_and(|group| group.left == 0) {
            open.pop();
            if let Some(around) = open.last_mut() {
                around.left -= 1;
            }
        }
        if open.len() > depth {
            return None;
        }
    }
    Some(())
}
