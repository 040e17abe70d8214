//! Every field of characteristic 2 against the laws of its traits, one line per field, through the public API.
//!
//! The crate under test is compiled as a dependency, as in users' builds: `scripts/test` runs these batteries in release
//! builds of one and of many codegen units too, of which one has been wrong where the crate's unit tests were right
//! (docs/codegen-units-1.md).

use field::laws;
use field::{Gf64, Gf128, Gf192, Gf256, Gf320, Tower64, Tower128};

laws!(tower64: field<Tower64>, foldable_code<Tower64, Gf192>, fold_fibres<Tower64, Gf192>, foldable_code<Tower64, Gf320>, fold_fibres<Tower64, Gf320>);
laws!(tower128: field<Tower128>, foldable_code<Tower128, Gf128>, fold_fibres<Tower128, Gf128>, foldable_code<Tower128, Gf256>, fold_fibres<Tower128, Gf256>);
laws!(gf64: field<Gf64>);
laws!(gf128: field<Gf128>, extension<Tower128, Gf128>, extension<Gf128, Gf128>);
laws!(gf192: field<Gf192>, extension<Tower64, Gf192>);
laws!(gf256: field<Gf256>, extension<Tower128, Gf256>);
laws!(gf320: field<Gf320>, extension<Tower64, Gf320>);
