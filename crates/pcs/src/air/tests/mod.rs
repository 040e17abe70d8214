//! Air-FRI: the published forgeries, malicious provers, and what is particular to chains over binary fields.

mod published;
mod splitting_modulus;
