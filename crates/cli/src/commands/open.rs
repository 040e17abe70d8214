//! `tenfold open`: proves values of committed data.

use super::failure::{failure, refused, unreadable};
use super::secret::for_opening;
use super::secret::store::{Held, Room};
use super::verify::describe_with;
use super::{beside, commit, open_source, read_commitment, table, weights, witness};
use crate::args::{Common, Input, OpenArgs};
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output;
use crate::progress::Progress;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use data::{Content, Opened, Options};
use pcs::pip::Secret;
use serde_json::json;
use std::path::Path;
use tenfold::any::Mode;
use tenfold::dataset::{Base, Column};
use tenfold::describe::Verified;
use tenfold::prove::CountError;
use tenfold::statement::{BytesDescription, ColumnDescription, Description, TableDescription, shown};
use tenfold::verify::Limits;
use tenfold::{AnyParams, Claim, CommitmentFile, Dataset, Device, Setup, Witness, prove, search};

/// The command.
pub fn run(args: &OpenArgs, common: &Common) -> Result<Exit, Failure> {
    let of = read_commitment(&args.commitment, common)?;
    check_arguments(&of, args)?;
    let summary = of.params.summary();
    let path = args.output.output.clone().unwrap_or_else(|| beside(&args.commitment, "proof"));
    let output = if summary.hidden_openings > 0 {
        common.files.once(files::Kind::HidingProof, &path)?
    } else {
        common.files.result(files::Kind::Proof, &path)?
    };
    if args.witness.is_some() {
        witness::check_plain(summary.polynomials, summary.hidden_openings)?;
    }
    let hidden = for_opening(args, &of)?;
    let mut progress = Progress::new(common.quiet || common.json);
    let numbers = match (&args.witness, &of.description) {
        (None, Description::Column(described)) => {
            Some(Dataset::Column(column(args, (&of.params, described), common, &mut progress)?))
        }
        (None, Description::Table(described)) => {
            Some(columns(args, (&of.params, described), common, &mut progress)?)
        }
        _ => None,
    };
    let weights = weights::load(&args.weights, of.params.scheme(), common, &mut progress)?;
    let mut claims = args.what.claims();
    claims.extend(weights.as_ref().map(Claim::Weighted));
    if let [a, b] = &args.product[..] {
        claims.push(Claim::Product(a, b));
    }
    let device = Device::new(args.device.device);
    let job = Job { of: &of, claims: &claims, output: &output, args, common, device: &device };
    let proved = job.prove(numbers, hidden, &mut progress);
    progress.end();
    common.device_notices(&device);
    let Proved { bytes, counted, left } = proved?;
    let statements = match counted {
        // Whatever could refuse the proof has accepted it: its opening is counted.
        Some((room, statements)) => {
            room.publish(&bytes, &output)?;
            statements
        }
        None => {
            let limits = Limits { policy: args.policy.policy(), max_memory: u64::MAX };
            let statements = describe_with(&bytes, &limits, weights.as_ref());
            let statements =
                statements.map_err(|failure| witness::blamed(failure, args.witness.as_deref()))?;
            output.write(&bytes)?;
            statements
        }
    };
    report(&statements, (&path, bytes.len()), left, common);
    Ok(Exit::Valid)
}

/// Refuses what only columns of numbers have, of bytes.
fn check_arguments(of: &CommitmentFile, args: &OpenArgs) -> Result<(), Failure> {
    let Description::Bytes(_) = of.description else { return Ok(()) };
    args.input.as_ref().map_or(Ok(()), Input::check_bytes)?;
    let rows = !args.what.sum_rows.is_empty();
    let summed = [(args.what.sum, "--sum"), (args.what.mean, "--mean"), (rows, "--sum-rows")];
    if let Some((_, option)) = summed.into_iter().find(|(given, _)| *given) {
        let message = format!(
            "{option} does not go with --scheme {}: it computes in characteristic two, where sums are XORs",
            of.params.scheme().name()
        );
        return Err(Failure::usage(message, "commit to numbers with the default scheme"));
    }
    Ok(())
}

/// The column of the data, which must be the one that was committed to.
fn column(
    args: &OpenArgs,
    (params, described): (&AnyParams, &ColumnDescription),
    common: &Common,
    progress: &mut Progress,
) -> Result<Column, Failure> {
    let summary = params.summary();
    let (input, hides) = (args.data()?, summary.hidden_openings > 0);
    let options = input.options(common, Base::Goldilocks);
    let mut options = Options { name: described.name.clone(), ..options };
    let source = open_source(&input.file, progress)?;
    let opened = match described.bytes {
        Some((length, width)) => {
            options.raw_width = width as usize;
            Opened::of_length(source, length, &options)
        }
        None => Opened::of(source, &options),
    };
    table::refuse(input)?;
    // The commitment names the column, and says how many decimals it has.
    if described.bytes.is_none() {
        options.scale = options.scale.or(Some(described.scale));
        if opened.as_ref().is_ok_and(|opened| opened.is_csv() || opened.is_columnar()) {
            options.column.get_or_insert_with(|| described.name.clone());
        }
    }
    let column = opened.and_then(|opened| opened.column(options)).map_err(unreadable)?;
    progress.end();
    let fits = fits(params, search::log_size(&column));
    if column.describe().hiding(hides) != *described || !fits {
        let message = format!("this is not the column of {}", args.commitment.display());
        return Err(Failure::usage(message, "give the file, column and scale that were committed"));
    }
    Ok(column)
}

/// Returns true if the parameters are for so many rows: short columns are padded further to hide them.
fn fits(params: &AnyParams, log_size: u32) -> bool {
    let summary = params.summary();
    log_size == summary.log_size || summary.hidden_openings > 0 && log_size < summary.log_size
}

/// The columns of the data, by the names that were committed to; they must be those.
fn columns(
    args: &OpenArgs,
    (params, described): (&AnyParams, &TableDescription),
    common: &Common,
    progress: &mut Progress,
) -> Result<Dataset, Failure> {
    let input = args.data()?;
    let other = || {
        let message = format!("these are not the columns of {}", args.commitment.display());
        Failure::usage(
            message,
            "give the file that was committed, and no --column: the commitment names them",
        )
    };
    if !input.column.is_empty()
        && !input.column.iter().eq(described.columns.iter().map(|column| &column.name))
    {
        return Err(other());
    }
    let columns = described.columns.iter();
    let wanted = columns.map(|ColumnDescription { name, scale, .. }| table::Wanted {
        name,
        scale: input.scale.or(Some(*scale)),
    });
    let wanted: Vec<_> = wanted.collect();
    let table = table::read(input, &input.options(common, Base::Goldilocks), &wanted, progress)?;
    let (log_size, hides) =
        (table.rows().next_power_of_two().trailing_zeros(), params.summary().hidden_openings > 0);
    let data = Dataset::Table(table).named(described.name.clone());
    match prove::describe(&data, hides) {
        Description::Table(found) if found == *described && fits(params, log_size) => Ok(data),
        _ => Err(other()),
    }
}

/// An opening: of what, which claims, by which arguments.
struct Job<'a> {
    of: &'a CommitmentFile,
    claims: &'a [Claim<'a>],
    output: &'a files::Output,
    args: &'a OpenArgs,
    common: &'a Common,
    device: &'a Device,
}

/// A proof; of a hiding commitment with the openings left, the room for it and what it says: it was verified, then counted.
struct Proved {
    bytes: Vec<u8>,
    counted: Option<(Room, Verified)>,
    left: Option<u32>,
}

impl Job<'_> {
    /// The proof, whose opening is counted in the secret's file if the commitment hides.
    fn prove(
        &self,
        numbers: Option<Dataset>,
        hidden: Option<(Held, Secret)>,
        progress: &mut Progress,
    ) -> Result<Proved, Failure> {
        let policy = self.args.policy.policy();
        let scheme = self.of.params.clone().build(&policy).map_err(refused)?;
        prove::check_claims(self.claims, self.of, &scheme).map_err(failure)?;
        self.check_memory(numbers.as_ref())?;
        drop(scheme);
        let (held, secret) = hidden.unzip();
        let mut witness = self.witness(numbers, secret, progress)?;
        progress.phase("proving");
        let mut counted = None;
        let proof = witness.open_counted(self.claims, |opening, verdict| {
            let statements = Verified::of(verdict, self.weights());
            let room = held.map(|held| held.count(opening, self.output)).transpose()?;
            counted = room.map(|room| (room, statements));
            Ok(())
        });
        let proof = proof.map_err(|e| match e {
            CountError::Open(e) => failure(e),
            CountError::Store(failure) => failure,
        })?;
        Ok(Proved { bytes: proof.to_bytes(), counted, left: witness.openings_left() })
    }

    fn weights(&self) -> Option<&Dataset> {
        self.claims.iter().find_map(|claim| match claim {
            Claim::Weighted(weights) => Some(*weights),
            _ => None,
        })
    }

    fn check_memory(&self, numbers: Option<&Dataset>) -> Result<(), Failure> {
        let (params, weights) = (&self.of.params, self.weights());
        let what = &self.args.what;
        let summed = what.sum || what.mean || !what.sum_rows.is_empty() || weights.is_some();
        let (of_rows, hint) = match (&self.of.description, numbers) {
            (Description::Bytes(_), _) => {
                (0, "raise `--max-memory`, split the file, or commit to larger --entries")
            }
            (_, Some(numbers)) => (weights::memory(numbers), "raise `--max-memory`"),
            (_, None) => (witness::memory(params.log_size(), summed), "raise `--max-memory`"),
        };
        let of_product = if self.args.product.is_empty() { None } else { params.product_memory() };
        let need = of_product
            .unwrap_or_else(|| params.opening_memory(self.args.witness.is_some(), weights.is_some()));
        let need = need.saturating_add(of_rows).saturating_add(weights.map_or(0, weights::memory));
        self.common.within_memory(need, hint)
    }

    /// The witness that opens the commitment: kept in a file, or made of the data again.
    fn witness(
        &self,
        numbers: Option<Dataset>,
        secret: Option<Secret>,
        progress: &mut Progress,
    ) -> Result<Witness, Failure> {
        let (policy, params) = (self.args.policy.policy(), self.of.params.clone());
        if let Some(path) = &self.args.witness {
            progress.phase("reading the witness");
            let scheme = params.build(&policy).map_err(refused)?;
            let kept = witness::read(path, &self.of.to_bytes(), &scheme.prover())?;
            let restored = Witness::restore(scheme, self.of.clone(), kept, &policy);
            return restored.map_err(|_| witness::another(path));
        }
        let setup = Setup::new(&policy, secret.map_or(Mode::Whole, Mode::Hiding)).on(self.device);
        let made = match (numbers, &self.of.description) {
            (Some(numbers), _) => {
                progress.phase("committing again");
                Witness::commit(&numbers, params, setup)
            }
            (None, Description::Bytes(described)) => {
                let content = self.content(described, progress)?;
                let (scheme, description, entries) = commit::read(content, (&params, &policy))?;
                if description != self.of.description {
                    let name = self.args.commitment.display();
                    let message = format!("this is not the file of {name}: its bytes are others");
                    return Err(Failure::usage(message, "give the file that was committed"));
                }
                progress.phase("committing again");
                Witness::from_entries((scheme, params), description, entries, setup)
            }
            (None, Description::Column(_) | Description::Table(_)) => {
                return Err(Failure::usage("there is nothing to open", "name the file"));
            }
        };
        let mut made = made.map_err(failure)?;
        made.check_same(self.of).map_err(failure)?;
        Ok(made)
    }

    /// The bytes, if their name and number are those that were committed to.
    fn content(&self, described: &BytesDescription, progress: &mut Progress) -> Result<Content, Failure> {
        let input = self.args.data()?;
        let options = input.options(self.common, Base::Goldilocks);
        let source = open_source(&input.file, progress)?;
        let opened = Opened::of_length(source, described.length, &options);
        let content = opened.and_then(|opened| opened.bytes(&options)).map_err(unreadable)?;
        let commitment = terminal::path(&self.args.commitment);
        let file = shown(content.name());
        if content.length() != described.length {
            let [found, committed] = [content.length(), described.length].map(units::count);
            let message = format!("{file} has {found} bytes, the file of {commitment} had {committed}");
            return Err(Failure::usage(message, "give the file that was committed"));
        }
        if content.own_name().is_some_and(|name| name != described.name) {
            let committed = described.shown();
            let message = format!("{file} has another name than the file of {commitment}, {committed}");
            return Err(Failure::usage(message, "give it the name that was committed, or commit again"));
        }
        Ok(content.named(&described.name))
    }
}

/// Says what was proved, and where the proof is with how many bytes.
fn report(proved: &Verified, (path, length): (&Path, usize), left: Option<u32>, common: &Common) {
    let (claims, proven) = (&proved.claims, &proved.verdict.proven);
    if common.json {
        let value = json!({ "file": path.display().to_string(), "bytes": length, "claims": claims,
                "mask": proven.mask, "openings_left": left });
        output::json(&proved.with_facts(value));
    } else if !common.quiet {
        let paint = Paint::stderr();
        for claim in claims {
            note!("{} {claim}", paint.green("proved:"));
        }
        note!("  {} written to {}", units::bytes(length as u64), terminal::path(path));
        if let Some(mask) = proven.mask {
            note!("  mask number {mask}, counted from 0: no other proof of this commitment may have it");
        }
        if let Some(left) = left {
            note!("  hidden openings left: {left} of {}", proven.hidden_openings);
        }
    }
}
