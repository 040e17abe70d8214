//! The device that holds a matrix.

use super::Common;
use super::choices::{DEVICES, one_of};
use clap::Args;
use tenfold::{Device, DeviceChoice};

/// The device that holds a matrix.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct DeviceArgs {
    /// Device that holds the matrix: files are the same, byte for byte
    #[arg(long, value_parser = one_of(DEVICES), default_value = "cpu")]
    pub device: DeviceChoice,
}

impl DeviceArgs {
    /// The device, which is opened when something is committed to.
    #[must_use]
    pub fn device(self) -> Device {
        Device::new(self.device)
    }
}

impl Common {
    /// Says why the CPU took over, where it did.
    pub fn device_notices(&self, device: &Device) {
        if !self.quiet {
            device.take_notices().iter().for_each(|notice| note!("{notice}"));
        }
    }
}
