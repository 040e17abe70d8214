//! A claim and how a fold changes it. (notes: deepfold-claims)

use field::Field;
use iop::poly::TensorForm;

/// `⟨message, form⟩ = value`.
#[derive(Debug, Clone)]
pub(super) struct Claim<E> {
    pub form: TensorForm<E>,
    pub value: E,
}

/// A claim seen from its lowest variable: `value = a even + b odd` where `(a, b)` is the variable's factor and
/// `even`, `odd` are the values of the form `rest` on the even and the odd entries.
pub(super) struct Halved<E> {
    pub rest: TensorForm<E>,
    value: E,
    factor: [E; 2],
    /// `1 / (a + b)`: then the slope determines both values.
    inverse: Option<E>,
}

impl<E: Field> Claim<E> {
    /// Splits off the lowest variable; `None` if there is none.
    pub fn halve(&self) -> Option<Halved<E>> {
        let (low, rest) = self.form.split(1);
        let &factor = low.factors().first()?;
        let sum = factor[0] + factor[1];
        let inverse = if sum == E::ONE { Some(sum) } else { sum.inverse() };
        Some(Halved { rest, value: self.value, factor, inverse })
    }
}

impl<E: Field> Halved<E> {
    /// The number of elements that the prover sends: the slope `odd - even`; where the value and the slope do not
    /// determine them (`a + b = 0`), the even value too.
    pub fn sent(&self) -> usize {
        if self.inverse.is_some() { 1 } else { 2 }
    }

    /// The value at even entries from what was sent, slope first; `None` if it contradicts the claim.
    pub fn even(&self, sent: &[E]) -> Option<E> {
        let [a, b] = self.factor;
        match (self.inverse, sent) {
            // a even + b (even + slope) = value
            (Some(inverse), &[slope]) => Some((self.value - b * slope) * inverse),
            (None, &[slope, even]) => (a * even + b * (even + slope) == self.value).then_some(even),
            _ => None,
        }
    }

    /// The claim on the message folded by `r`.
    pub fn fold(self, even: E, slope: E, r: E) -> Claim<E> {
        Claim { form: self.rest, value: even + r * slope }
    }
}
