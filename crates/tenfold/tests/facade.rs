//! The facade from outside: its own unit tests would compile every scheme once more.

#[path = "facade/air.rs"]
mod air;
#[path = "facade/base.rs"]
mod base;
#[path = "facade/column.rs"]
mod column;
#[path = "facade/context.rs"]
mod context;
#[path = "facade/decimal.rs"]
mod decimal;
#[cfg(feature = "gpu")]
#[path = "facade/device.rs"]
mod device;
#[path = "facade/forms.rs"]
mod forms;
#[path = "facade/hostile.rs"]
mod hostile;
#[path = "facade/longest.rs"]
mod longest;
#[path = "facade/needed.rs"]
mod needed;
#[path = "facade/pairs.rs"]
mod pairs;
#[path = "facade/product.rs"]
mod product;
#[path = "facade/ranges.rs"]
mod ranges;
#[path = "facade/ratio.rs"]
mod ratio;
#[path = "facade/refused.rs"]
mod refused;
#[path = "facade/secret.rs"]
mod secret;
#[path = "facade/table.rs"]
mod table;
#[path = "facade/theorems.rs"]
mod theorems;
#[path = "facade/total.rs"]
mod total;
#[path = "facade/verbs.rs"]
mod verbs;
#[path = "facade/witness.rs"]
mod witness;
