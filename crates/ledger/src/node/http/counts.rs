//! Counters of a service, as Prometheus reads them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::view::View;

/// Requests and refusals since the service began.
#[derive(Debug, Default)]
pub struct Counts {
    /// By endpoint and status, of both of which there are few.
    requests: Mutex<BTreeMap<(&'static str, u16), u64>>,
    refused: AtomicU64,
}

impl Counts {
    pub fn request(&self, endpoint: &'static str, status: u16) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let count = requests.entry((endpoint, status)).or_default();
        *count = count.saturating_add(1);
    }

    pub fn refuse(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// The text; of the node as far as it is known.
    pub fn text(&self, view: Option<&View>, waiting: Option<usize>) -> String {
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, samples: &[(String, u64)]| {
            if samples.is_empty() {
                return;
            }
            text += &format!("# HELP tenfold_ledger_{name} {help}\n# TYPE tenfold_ledger_{name} {kind}\n");
            for (labels, value) in samples {
                text += &format!("tenfold_ledger_{name}{labels} {value}\n");
            }
        };
        let one =
            |value: Option<u64>| value.map(|value| (String::new(), value)).into_iter().collect::<Vec<_>>();
        family("height", "gauge", "Height of the last block.", &one(view.map(View::height)));
        let waiting = waiting.map(|count| count as u64);
        family("waiting_transactions", "gauge", "Files of transactions in the inbox.", &one(waiting));
        let since = view.and_then(View::written).and_then(|time| SystemTime::now().duration_since(time).ok());
        let since = since.map(|time| time.as_secs());
        family("seconds_since_last_block", "gauge", "Seconds since the log was written.", &one(since));
        let refused = Some(self.refused.load(Ordering::Relaxed));
        family("refused_transactions_total", "counter", "Transactions that were refused.", &one(refused));
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let requests: Vec<_> = requests
            .iter()
            .map(|((endpoint, status), count)| {
                (format!("{{endpoint=\"{endpoint}\",status=\"{status}\"}}"), *count)
            })
            .collect();
        family("http_requests_total", "counter", "Answers by endpoint and status.", &requests);
        text
    }
}
