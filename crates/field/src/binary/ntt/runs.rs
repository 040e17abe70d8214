//! Addresses of the runs of a node.

/// The runs of a node, from some offset on: three pointers, from which the others are one, two or four strides away, as addresses of
/// instructions can say.
pub(super) struct Runs {
    at: [*mut u8; 3],
    stride: usize,
}

impl Runs {
    pub(super) fn new(first: *mut u8, stride: usize) -> Self {
        Self { at: [0, 3, 6].map(|k| first.wrapping_add(k * stride)), stride }
    }

    #[inline(always)]
    pub(super) fn run(&self, k: usize) -> *mut u8 {
        let [first, third, sixth] = self.at;
        match k {
            3 => third,
            5 => third.wrapping_add(2 * self.stride),
            6 => sixth,
            7 => sixth.wrapping_add(self.stride),
            _ => first.wrapping_add(k * self.stride),
        }
    }

    /// Goes on in all runs.
    #[inline(always)]
    pub(super) fn advance(&mut self, bytes: usize) {
        self.at = self.at.map(|at| opaque(at.wrapping_add(bytes)));
    }
}

/// The same pointer, of which the compiler knows no more: it would keep, and increment, a pointer for every run that is read, written and asked
/// for, which are more than there are registers.
#[cfg_attr(
    all(target_arch = "x86_64", not(miri)),
    expect(clippy::pointers_in_nomem_asm_block, reason = "nothing follows it")
)]
#[inline(always)]
fn opaque(at: *mut u8) -> *mut u8 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let same;
        // SAFETY: there is no instruction.
        unsafe {
            core::arch::asm!("/* {} */", inlateout(reg) at => same, options(pure, nomem, nostack, preserves_flags));
        }
        same
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    at
}
