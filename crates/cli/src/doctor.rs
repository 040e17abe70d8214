//! `tenfold doctor`: what this machine can do, which kernels run on it, what is fast here, and why.

use crate::table::{Align, Paint, Table};
use crate::units;
use tenfold::gpu::Gpu;
use tenfold_report::machine::Machine;

/// The GPU that `--device gpu` takes with its memory, after a self-check, or why there is none.
#[must_use]
pub fn gpu() -> String {
    match Gpu::open() {
        Ok(gpu) => {
            let memory = gpu.memory().map_or_else(|error| error.to_string(), units::bytes);
            let refused = gpu.native_refused().map(|error| format!(" (machine code: {error})"));
            format!("ready: {}, {memory}{}", gpu.name(), refused.unwrap_or_default())
        }
        Err(error) => format!("none: {error}"),
    }
}

/// The tier in use, and what else there is.
fn kernels(machine: &Machine) -> String {
    let why = if machine.forced.is_some() { ", forced by TENFOLD_CPU" } else { "" };
    let refused = if machine.refused.is_some() { "; TENFOLD_CPU cannot be followed, see below" } else { "" };
    format!("{}{why} (this processor has {}){refused}", machine.tier, machine.tiers.join(", "))
}

/// The report for a terminal, with the line of [`gpu`].
#[must_use]
pub fn render(machine: &Machine, gpu: &str, paint: Paint) -> String {
    let known = |bytes: Option<u64>| bytes.map_or("unknown".to_owned(), units::bytes);
    let rate = |n: u64| format!("{}/s", units::bytes(n));
    let mut text = format!(
        "{} {}, {} build for {}\n",
        paint.bold("tenfold"),
        machine.version,
        if machine.optimised { "optimised" } else { "debug" },
        machine.architecture
    );
    let facts = [
        ("processor", machine.processor.clone().unwrap_or_else(|| "unknown".to_owned())),
        ("kernels", kernels(machine)),
        ("threads", format!("{} of {}", machine.threads_used, machine.threads_available)),
        ("memory", format!("{}, {} available", known(machine.memory.total), known(machine.memory.available))),
        ("limit", format!("jobs above {} are refused", units::bytes(machine.memory_limit))),
        ("blake3", format!("{} on one thread", rate(machine.blake3_bytes_per_second))),
        ("copy", format!("{} on one thread", rate(machine.copy_bytes_per_second))),
        ("gpu", gpu.to_owned()),
    ];
    for (name, value) in facts {
        text.push_str(&format!("{name:<10} {value}\n"));
    }
    let mut table = Table::new(&[
        ("feature", Align::Left),
        ("processor", Align::Left),
        ("used", Align::Left),
        ("used for", Align::Left),
    ]);
    let yes = |b: bool| if b { "yes" } else { "no" }.to_owned();
    for f in &machine.features {
        table.row(vec![f.name.to_owned(), yes(f.cpu), yes(f.used), f.used_for.to_owned()]);
    }
    text.push('\n');
    text.push_str(&table.render(paint));
    text.push('\n');
    for line in &machine.advice {
        text.push_str(&format!("• {line}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenfold_report::machine::examine;

    #[test]
    fn all_facts_are_shown() {
        let gpu = gpu();
        assert!(["none: ", "ready: "].iter().any(|start| gpu.starts_with(start)), "{gpu}");
        assert_eq!(gpu.lines().count(), 1);
        let text = render(&examine(None), &gpu, Paint::off());
        assert!(text.contains(&format!("gpu        {gpu}\n")));
        assert!(text.contains("used for") && text.contains("kernels"));
    }
}
