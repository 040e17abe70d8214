//! Every prime field and its extensions against the laws of its traits, one line per field, through the public API.
//!
//! The crate under test is compiled as a dependency, as in users' builds: `scripts/test` runs these batteries in release
//! builds of one and of many codegen units too, of which one has been wrong where the crate's unit tests were right
//! (docs/codegen-units-1.md).

use field::laws;
use field::{Bn254, Goldilocks, Goldilocks2, Goldilocks3, Mersenne61x2};
use field::{KoalaBear, KoalaBear4, KoalaBear5, KoalaBear8};

laws!(goldilocks: field<Goldilocks>, extension<Goldilocks, Goldilocks>, two_adic<Goldilocks>, foldable_code<Goldilocks, Goldilocks2>, fold_fibres<Goldilocks, Goldilocks2>);
laws!(goldilocks2: field<Goldilocks2>, extension<Goldilocks, Goldilocks2>, extension<Goldilocks2, Goldilocks2>);
laws!(goldilocks3: field<Goldilocks3>, extension<Goldilocks, Goldilocks3>, extension<Goldilocks3, Goldilocks3>);
laws!(koala_bear: field<KoalaBear>, extension<KoalaBear, KoalaBear>, two_adic<KoalaBear>, foldable_code<KoalaBear, KoalaBear5>, fold_fibres<KoalaBear, KoalaBear5>);
laws!(koala_bear4: field<KoalaBear4>, extension<KoalaBear, KoalaBear4>, extension<KoalaBear4, KoalaBear4>);
laws!(koala_bear5: field<KoalaBear5>, extension<KoalaBear, KoalaBear5>, extension<KoalaBear5, KoalaBear5>);
laws!(koala_bear8: field<KoalaBear8>, extension<KoalaBear, KoalaBear8>, extension<KoalaBear8, KoalaBear8>);
laws!(mersenne61x2: field<Mersenne61x2>, extension<Mersenne61x2, Mersenne61x2>, two_adic<Mersenne61x2>, foldable_code<Mersenne61x2, Mersenne61x2>, fold_fibres<Mersenne61x2, Mersenne61x2>);
laws!(bn254: field<Bn254>, extension<Bn254, Bn254>, two_adic<Bn254>, foldable_code<Bn254, Bn254>, fold_fibres<Bn254, Bn254>);
