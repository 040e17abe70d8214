//! How the layers of a transform are shared out among passes over memory.

/// log2 of the words of a tile, which a block of threads transforms in its shared memory.
const LOG_TILE: u32 = 12;
/// log2 of a tile's columns if a row has so many words: consecutive words that are loaded together.
const LOG_COLUMNS: u32 = 4;

/// Some layers of all blocks of a codeword: a tile is `2^layers` rows of `2^log_columns` words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pass {
    /// Layers below the pass.
    pub(crate) below: u32,
    pub(crate) layers: u32,
    pub(crate) log_columns: u32,
}

/// The passes of a transform of `2^log_rows` rows of so many words, in the order in which they run. At least one: it carries the words
/// to another basis.
pub(crate) fn passes(log_rows: u32, row_words: u64) -> Vec<Pass> {
    // The last pass has rows of the matrix itself, the others run over several together.
    let narrow = row_words.next_power_of_two().ilog2().min(LOG_COLUMNS);
    let last = log_rows.min(LOG_TILE - narrow);
    let (mut passes, rest) = (Vec::new(), log_rows - last);
    let count = rest.div_ceil(LOG_TILE - LOG_COLUMNS);
    let mut below = log_rows;
    for i in 0..count {
        // As equal as they can be.
        let layers = (rest * (i + 1) / count) - rest * i / count;
        below -= layers;
        passes.push(Pass { below, layers, log_columns: LOG_COLUMNS });
    }
    passes.push(Pass { below: 0, layers: last, log_columns: narrow });
    passes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_do_every_layer_once_and_fit_a_tile() {
        for log_rows in 0..=30 {
            for row_words in [1, 2, 3, 6, 8, 16, 17, 96, 4096] {
                let passes = passes(log_rows, row_words);
                let mut left = log_rows;
                for pass in &passes {
                    left -= pass.layers;
                    assert_eq!(pass.below, left, "{log_rows} {row_words}");
                    assert!(pass.layers + pass.log_columns <= LOG_TILE && pass.layers <= 12);
                    assert!(left == 0 || row_words << pass.below >= 16, "full columns");
                }
                assert_eq!(left, 0);
                assert!(passes.len() <= 1 + log_rows.div_ceil(8) as usize);
            }
        }
    }
}
