//! The linear forms that an opening is asked for.

use crate::args::What;
use crate::exit::Failure;
use tenfold::AnyScheme;
use tenfold::any::Form;

/// The linear forms asked for, of which `rows` entries are data.
pub fn forms(what: &What, rows: u64, scheme: &AnyScheme) -> Result<Vec<Form>, Failure> {
    let variables = scheme.summary().variables;
    let mut forms = Vec::new();
    for &row in &what.row {
        if row >= rows {
            let hint = format!("rows are numbered from 0 to {}", rows.saturating_sub(1));
            return Err(Failure::usage(format!("there is no row {row}"), hint));
        }
        forms.push(Form::Entry(row));
    }
    if what.sum || what.mean {
        // The form over everything would count the padding too, and nothing proves that padding is zero.
        forms.extend(Form::first(rows, variables));
    }
    if let Some(point) = &what.point {
        if point.len() != variables {
            let message =
                format!("the point has {} coordinates, the data have {variables} variables", point.len());
            return Err(Failure::usage(message, "give one integer per variable, lowest index bit first"));
        }
        forms.push(scheme.point(point));
    }
    if forms.is_empty() {
        return Err(Failure::usage(
            "nothing to prove",
            "name a --row, a --point, --sum, --mean or --weights",
        ));
    }
    Ok(forms)
}

/// Refuses more statements than one proof of the parameters holds.
pub fn at_most(max_forms: u32, forms: usize) -> Result<(), Failure> {
    if forms <= max_forms as usize {
        return Ok(());
    }
    Err(Failure::usage(format!("at most {max_forms} statements per proof"), "make several proofs"))
}

/// Refuses several forms in one hiding opening, which proves one. (notes: zk-open)
pub fn one_for_hiding(what: &What, rows: u64, forms: usize) -> Result<(), Failure> {
    if forms == 1 {
        return Ok(());
    }
    if (what.sum || what.mean) && !rows.is_power_of_two() {
        let message = format!(
            "a hiding proof states one value, and the sum of {rows} rows would also state the sums of their parts"
        );
        let hint = format!(
            "commit to {} rows: append rows of 0, which then count as rows",
            rows.checked_next_power_of_two().unwrap_or(rows)
        );
        return Err(Failure::usage(message, hint));
    }
    let message = format!("a hiding proof states one value, not {forms}");
    Err(Failure::usage(message, "make a proof for each, with -o; each uses up one opening"))
}
