//! The curves inside BLS12-381 in extended coordinates.
//!
//! `x = X/Z`, `y = Y/Z`, `T = XY/Z`. Source: Hisil, Wong, Carter and Dawson, "Twisted Edwards Curves Revisited", 2008, sections 3.1 and 3.3
//! (the unified addition), which are complete on the subgroups. Where a
//! sum of a ring begins at a seed outside, no exception is met unless somebody chose a key as the seed's opposite there.

use subtle::{Choice, ConditionallySelectable};

use crate::embedded::{Embedded, Point, Projective, times_minus_a};
use crate::ffi::Base;

/// A point of the subgroup.
#[derive(Clone, Copy)]
pub(super) struct Edwards {
    pub x: Base,
    pub y: Base,
    pub t: Base,
    pub z: Base,
}

impl<C: Embedded> From<&Projective<C>> for Edwards {
    fn from(p: &Projective<C>) -> Self {
        Self { x: p.x.into(), y: p.y.into(), t: p.t.into(), z: p.z.into() }
    }
}

impl<C: Embedded> From<Edwards> for Projective<C> {
    fn from(p: Edwards) -> Self {
        Self::new_unchecked(p.x.into(), p.y.into(), p.t.into(), p.z.into())
    }
}

impl<C: Embedded> From<&Point<C>> for Edwards {
    fn from(p: &Point<C>) -> Self {
        let (x, y) = (Base::from(p.x), Base::from(p.y));
        Self { x, y, t: x * y, z: Base::one() }
    }
}

impl Edwards {
    pub fn zero() -> Self {
        Self { x: Base::zero(), y: Base::one(), t: Base::zero(), z: Base::one() }
    }

    pub fn double<C: Embedded>(self) -> Self {
        let [a, b, zz] = [self.x, self.y, self.z].map(Base::square);
        let (c, minus) = (zz + zz, times_minus_a::<C, _>(a));
        let e = (self.x + self.y).square() - a - b;
        let g = b - minus;
        let f = g - c;
        let h = Base::zero() - minus - b;
        Self { x: e * f, y: g * h, t: e * h, z: f * g }
    }

    pub fn add<C: Embedded>(self, q: Self) -> Self {
        let d = Base::from(C::COEFF_D);
        let [a, b, dd] = [self.x * q.x, self.y * q.y, self.z * q.z];
        let c = d * self.t * q.t;
        let e = (self.x + self.y) * (q.x + q.y) - a - b;
        let (f, g, h) = (dd - c, dd + c, b + times_minus_a::<C, _>(a));
        Self { x: e * f, y: g * h, t: e * h, z: f * g }
    }
}

impl ConditionallySelectable for Base {
    fn conditional_select(a: &Self, b: &Self, so: Choice) -> Self {
        Self::from_words(core::array::from_fn(|i| u64::conditional_select(&a.words()[i], &b.words()[i], so)))
    }
}

impl ConditionallySelectable for Edwards {
    fn conditional_select(a: &Self, b: &Self, so: Choice) -> Self {
        let select = |a: &Base, b: &Base| Base::conditional_select(a, b, so);
        Self { x: select(&a.x, &b.x), y: select(&a.y, &b.y), t: select(&a.t, &b.t), z: select(&a.z, &b.z) }
    }
}
