//! `tenfold doctor`: what this machine can do, which kernels run on it, what is fast here, and why.

use crate::args::Common;
use crate::exit::{Exit, Failure};
use crate::machine::examine;
use crate::output;
use crate::table::Paint;
use crate::units;
use tenfold::gpu::Gpu;

/// The command.
pub fn run(common: &Common) -> Result<Exit, Failure> {
    let (machine, gpu) = (examine(common.max_memory), gpu());
    if common.json {
        let mut value = serde_json::to_value(&machine).unwrap_or_default();
        value["gpu"] = gpu[..].into();
        output::json(&value);
    } else {
        output::text(machine.render(&gpu, Paint::stdout()));
    }
    Ok(Exit::Valid)
}

/// The GPU that `--device gpu` takes with its memory, after a self-check, or why there is none.
fn gpu() -> String {
    match Gpu::open() {
        Ok(gpu) => {
            let memory = gpu.memory().map_or_else(|error| error.to_string(), units::bytes);
            let refused = gpu.native_refused().map(|error| format!(" (machine code: {error})"));
            format!("ready: {}, {memory}{}", gpu.name(), refused.unwrap_or_default())
        }
        Err(error) => format!("none: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_has_a_line() {
        let gpu = gpu();
        assert!(["none: ", "ready: "].iter().any(|start| gpu.starts_with(start)), "{gpu}");
        assert_eq!(gpu.lines().count(), 1);
    }
}
