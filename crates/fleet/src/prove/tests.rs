use super::*;
use crate::Blobs;
use data::Options;
use tenfold::Options as Wanted;
use tenfold::search;
use tenfold::statement::Description;

const ROWS: &[u8] = b"price\n1.50\n2.25\n3.00\n4.75\n";

pub(crate) fn statement() -> Statement {
    let data = Dataset::from_decimals(["1.50", "2.25", "3.00", "4.75"]).unwrap();
    let params = search::choose(&data, &Wanted::proven_bits(100)).unwrap();
    Statement {
        name: "prices.csv".into(),
        reading: Reading {
            format: None,
            column: Some("price".into()),
            columns: Vec::new(),
            scale: None,
            delimiter: b',',
            given_comma: false,
            header: true,
            width: 7,
        },
        params: ParamsFile::of(&params).unwrap().to_text(),
        bits: 100,
        theorems: Vec::new(),
        claims: vec![Claimed::Row(2), Claimed::Sum],
        weights: None,
    }
}

fn ran(statement: &Statement, memory: u64) -> Result<Vec<u8>, ProveError> {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::new(folder.path());
    let job = statement.job(&[blobs.put(ROWS).unwrap()]);
    run(&Task { job: &job, memory, blobs: &blobs })
}

#[test]
fn a_proof_is_that_of_the_library_in_every_attempt() {
    let proof = ran(&statement(), u64::MAX).unwrap();
    assert_eq!(ran(&statement(), u64::MAX).unwrap(), proof);
    let verdict = tenfold::verify(&proof, &verdict::Policy::at_least(100).self_contained()).unwrap();
    let claims: Vec<String> = verdict.claims.iter().map(ToString::to_string).collect();
    assert!(claims[0].contains("3.00") && claims[1].contains("11.50"), "{claims:?}");
}

#[test]
fn a_reading_is_that_of_the_options() {
    let plain = statement().reading;
    for delimiter in [None, Some(b','), Some(b';'), Some(b'\t')] {
        let options = Options { delimiter, ..plain.options(1).unwrap() };
        let reading = Reading::of(&options);
        assert_eq!(reading.options(1).unwrap().delimiter, delimiter);
        // Jobs of other releases say nothing of a comma.
        let said = serde_json::to_value(&reading).unwrap();
        assert_eq!(said.get("given_comma").is_some(), delimiter == Some(b','));
        assert_eq!(serde_json::from_value::<Reading>(said).unwrap(), reading);
    }
    // Where a comma is read without it too it makes no other job, and none that older workers do not read.
    let params = ParamsFile::read(statement().params.as_bytes()).unwrap();
    for (name, differ) in [("a.csv", false), ("a", false), ("tsv", false), ("a.tsv", true), ("a.TSV", true)] {
        let job = |given_comma| {
            let reading = Reading { given_comma, ..plain.clone() };
            Statement::new(name.into(), reading, (&params, 100, &[]), vec![Claimed::Sum]).job(&[Id([1; 32])])
        };
        assert_eq!(job(true) != job(false), differ, "{name}");
    }
}

/// docs/fleet.md, Names.
#[test]
fn the_same_content_under_two_names_is_two_jobs() {
    let other = Statement { name: "other.csv".into(), ..statement() };
    assert_ne!(other.job(&[Id([1; 32])]).id(), statement().job(&[Id([1; 32])]).id());
}

#[test]
fn hostile_statements_are_refused_as_jobs() {
    type Case = (&'static str, fn(&mut Statement));
    let cases: [Case; 8] = [
        ("name", |s| s.name = "../../etc/passwd".into()),
        ("name", |s| s.name = "a\u{1b}b".into()),
        ("no parameters", |s| s.params = "{}".into()),
        ("no parameters", |s| s.params = s.params.replace("\"log_size\": ", "\"log_size\": 4")),
        ("refused", |s| s.bits = 500),
        ("width", |s| s.reading.width = usize::MAX),
        ("claims", |s| s.claims.clear()),
        ("there is no row", |s| s.claims = vec![Claimed::Row(u64::MAX)]),
    ];
    for (says, change) in cases {
        let mut hostile = statement();
        change(&mut hostile);
        let refused = ran(&hostile, u64::MAX);
        assert!(matches!(&refused, Err(ProveError::Job(e)) if e.contains(says)), "{says}: {refused:?}");
    }
    let starved = ran(&statement(), 1 << 10);
    assert!(matches!(&starved, Err(ProveError::Job(e)) if e.contains("memory")), "{starved:?}");
}

#[test]
fn other_inputs_and_payloads_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::new(folder.path());
    let job = statement().job(&[Id([1; 32])]);
    let cases = [
        Job { inputs: Vec::new(), ..job.clone() },
        Job { payload: "[".repeat(60_000), ..job.clone() },
        Job { payload: job.payload.replace("\"bits\":100", "\"bits\":\"unknown field `a`\""), ..job.clone() },
        Job { payload: job.payload.replace("\"bits\":100,", ""), ..job.clone() },
        Job { payload: format!("{} {{\"version\":2}}", job.payload), ..job.clone() },
        job,
    ];
    for job in cases {
        let refused = run(&Task { job: &job, memory: u64::MAX, blobs: &blobs });
        assert!(matches!(refused, Err(ProveError::Job(_))), "{refused:?}");
    }
}

/// Jobs that a later release may have written, or a build with more features reads, are left to them.
#[test]
fn jobs_of_later_releases_are_not_understood() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::new(folder.path());
    let job = statement().job(&[blobs.put(ROWS).unwrap()]);
    let payload = |from: &str, to: &str| {
        assert!(job.payload.contains(from), "{from}");
        Job { payload: job.payload.replacen(from, to, 1), ..job.clone() }
    };
    let params = |from: &str, to: &str| {
        let plain = statement();
        assert!(plain.params.contains(from), "{from}: {}", plain.params);
        Statement { params: plain.params.replacen(from, to, 1), ..plain }.job(&job.inputs)
    };
    let cases = [
        ("its kind is `other`", Job { kind: "other".into(), ..job.clone() }),
        ("its kind is `prove-2`", Job { kind: "prove-2".into(), payload: "\u{1b}".into(), ..job.clone() }),
        ("version 2", Job { payload: r#"{"version":2,"claims":"of another form"}"#.into(), ..job.clone() }),
        ("unknown field `more`", payload("{\"name\"", "{\"more\":[],\"name\"")),
        ("unknown field `more`", payload("{\"format\"", "{\"more\":[],\"format\"")),
        ("unknown variant `median`", payload("\"sum\"", "\"median\"")),
        ("unknown variant `median`", payload("\"sum\"", "{\"median\":3}")),
        ("`mine`", payload("\"theorems\":[]", "\"theorems\":[\"mine\"]")),
        ("no format exe", payload("\"format\":null", "\"format\":\"exe\"")),
        ("parameters v2", params("tenfold parameters v1", "tenfold parameters v2")),
        ("unknown variant `other`", params("\"scheme\": \"pip\"", "\"scheme\": \"other\"")),
        ("`other` is none of", params("\"field\": \"koalabear4\"", "\"field\": \"other\"")),
        ("unknown field `more`", params("\"hash\"", "\"more\": 1, \"hash\"")),
    ];
    for (says, job) in cases {
        let refused = run(&Task { job: &job, memory: u64::MAX, blobs: &blobs });
        let is_left = matches!(&refused, Err(ProveError::NotUnderstood(e)) if e.contains(says));
        assert!(is_left, "{says}: {refused:?}");
    }
    let wrong = params("tenfold parameters v1", "unknown field `a`");
    let refused = run(&Task { job: &wrong, memory: u64::MAX, blobs: &blobs });
    assert!(matches!(&refused, Err(ProveError::Job(_))), "{refused:?}");
    // A table of Parquet: its first bytes tell it.
    let table = blobs.put(b"PAR1 and more PAR1").unwrap();
    let columnar = Statement { name: "prices.parquet".into(), ..statement() };
    let refused = run(&Task { job: &columnar.job(&[table]), memory: u64::MAX, blobs: &blobs }).unwrap_err();
    let is_built = matches!(&refused, ProveError::Job(e) if e.starts_with("the Parquet file is damaged"));
    let is_left = matches!(&refused, ProveError::NotUnderstood(e) if e.ends_with("no feature `columnar`"));
    assert!(is_built || is_left, "{refused:?}");
}

/// Data that take the place of a job's after these were compared are not proven for them.
#[cfg(unix)]
#[test]
fn data_that_are_swapped_while_they_are_read_are_not_proven() {
    use std::fs::{hard_link, rename};
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::new(folder.path());
    let (blob, swapped) = (blobs.put(ROWS).unwrap(), blobs.put(b"price\n1.50\n2.25\n3.00\n9.75\n").unwrap());
    let [new, whole, other] = ["new", "whole", "other"].map(|name| folder.path().join(name));
    hard_link(blobs.check(blob).unwrap(), &whole).unwrap();
    hard_link(blobs.check(swapped).unwrap(), &other).unwrap();
    let (path, job) = (blobs.check(blob).unwrap(), statement().job(&[blob]));
    let proof = ran(&statement(), u64::MAX).unwrap();
    let over = std::sync::atomic::AtomicBool::new(false);
    let proven = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(std::sync::atomic::Ordering::Relaxed) {
                for there in [&other, &whole] {
                    hard_link(there, &new).unwrap();
                    rename(&new, &path).unwrap();
                }
            }
        });
        let run = |_| run(&Task { job: &job, memory: u64::MAX, blobs: &blobs });
        let proven: Vec<_> = (0..200).filter_map(|n| run(n).ok()).collect();
        over.store(true, std::sync::atomic::Ordering::Relaxed);
        proven
    });
    assert!(!proven.is_empty() && proven.iter().all(|proven| *proven == proof), "of {}", proven.len());
}

/// A statement about two columns of one file, which a file has by this name and content.
fn of_table(name: &str, claims: &[Claimed]) -> Statement {
    let columns = [("price", [150u64, 225, 300, 475]), ("pieces", [1, 2, 3, 4])];
    let columns = columns.map(|(name, rows)| Dataset::from_u64s(rows.to_vec()).named(name));
    let wanted = Wanted::proven_bits(100);
    let params = search::choose(&Dataset::from_columns(columns).unwrap(), &wanted).unwrap();
    let names = ["price".to_owned(), "pieces".to_owned()];
    Statement {
        name: name.into(),
        params: ParamsFile::of(&params).unwrap().to_text(),
        reading: statement().reading.of_columns(&names),
        claims: claims.to_vec(),
        ..statement()
    }
}

/// Columns of one file are committed to together, whatever its format, and products of two are proven; by ranks what these prove.
#[test]
fn columns_and_their_products_are_proven() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::new(folder.path());
    let csv = &b"pieces,of,price\n1,a,1.50\n2,b,2.25\n3,c,3.00\n4,d,4.75\n"[..];
    let lines = [["1", "1.50"], ["2", "2.25"], ["3", "3.00"], ["4", "4.75"]]
        .map(|[pieces, price]| format!("{{\"pieces\": {pieces}, \"price\": {price}}}\n"))
        .concat();
    let product = Claimed::Product("price".into(), "pieces".into());
    for (name, content) in [("t.csv", csv), ("t.jsonl", lines.as_bytes())] {
        let blob = blobs.put(content).unwrap();
        for (claims, wanted) in [
            (vec![product.clone()], &["product@price@pieces=34"][..]),
            (vec![Claimed::Sum, Claimed::Row(3)], &["sum@price=11.5", "row:3@pieces=4"]),
        ] {
            let statement = of_table(name, &claims);
            statement.check().unwrap();
            let (params, job) = (statement.params().unwrap().0, statement.job(&[blob]));
            let file = blobs.check(blob).unwrap();
            let memory = statement.memory(&params, &[&file], u64::MAX).unwrap();
            let task = Task { job: &job, memory, blobs: &blobs };
            let proof = run(&task).unwrap();
            let verdict = tenfold::verify(&proof, &verdict::Policy::at_least(100).self_contained()).unwrap();
            for wanted in wanted {
                verdict.expect(&wanted.parse().unwrap()).unwrap();
            }
            let described = &verdict.commitment.description;
            assert!(matches!(described, Description::Table(table) if table.name == name), "{described:?}");
            #[cfg(feature = "cluster")]
            assert_eq!(crate::ranks::prove(&task, 2).unwrap(), proof, "{name} {claims:?}");
            let starved = run(&Task { memory: statement.estimate(&params) - 1, ..task });
            assert!(matches!(&starved, Err(ProveError::Job(e)) if e.contains("memory")), "{starved:?}");
        }
    }
}

#[test]
fn tables_that_are_none_are_refused() {
    let product = Claimed::Product("price".into(), "pieces".into());
    let reading = |columns: &[&str], column: Option<&str>| Reading {
        columns: columns.iter().map(|&name| name.to_owned()).collect(),
        column: column.map(str::to_owned),
        ..statement().reading
    };
    let table = |reading, claims: &[Claimed]| Statement { reading, ..of_table("t.csv", claims) };
    let two = reading(&["price", "pieces"], None);
    let weights = Weights { name: "w.csv".into(), reading: two.clone() };
    for (statement, says) in [
        (table(reading(&["price"], None), &[Claimed::Sum]), "two or more"),
        (table(reading(&["price", "pieces"], Some("price")), &[Claimed::Sum]), "two or more"),
        (table(reading(&["price", "pieces", "of"], None), &[Claimed::Sum]), "names 3 columns"),
        (table(statement().reading, &[Claimed::Sum]), "are for 2"),
        (Statement { reading: two.clone(), ..statement() }, "are for 1"),
        (table(two.clone(), &[product.clone(), Claimed::Sum]), "proven alone"),
        (table(two.clone(), &[product.clone(), product.clone()]), "proven alone"),
        (Statement { weights: Some(weights.clone()), ..table(two.clone(), &[product]) }, "proven alone"),
        (Statement { weights: Some(weights), ..table(two, &[]) }, "weights are one column"),
    ] {
        let refused = statement.check().unwrap_err().to_string();
        assert!(refused.contains(says), "{refused}");
    }
    for (columns, says) in
        [(["price", "none"], "none"), (["price", "price"], "price"), (["price", "of"], "is not a number")]
    {
        let folder = tempfile::tempdir().unwrap();
        let blobs = Blobs::new(folder.path());
        let content = b"price,of\n1.50,a\n2.25,b\n3.00,c\n4.75,d\n";
        let job = table(reading(&columns, None), &[Claimed::Sum]).job(&[blobs.put(content).unwrap()]);
        let refused = run(&Task { job: &job, memory: u64::MAX, blobs: &blobs });
        assert!(matches!(&refused, Err(ProveError::Job(e)) if e.contains(says)), "{says}: {refused:?}");
    }
}

/// A weighted sum is about two files, of which the proof is verified by the second.
#[test]
fn a_weighted_sum_is_about_two_files() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::new(folder.path());
    let [data, weights] = [ROWS, b"w\n1\n2\n3\n4\n"].map(|bytes| blobs.put(bytes).unwrap());
    let reading = Reading { column: Some("w".into()), ..statement().reading };
    let weighted = |claims| Statement {
        weights: Some(Weights { name: "w.csv".into(), reading: reading.clone() }),
        claims,
        ..statement()
    };
    let prove = |statement: &Statement, files: &[Id]| {
        run(&Task { job: &statement.job(files), memory: u64::MAX, blobs: &blobs })
    };
    let refused = |statement: &Statement, files: &[Id], why: &str| {
        let refused = prove(statement, files);
        assert!(matches!(&refused, Err(ProveError::Job(e)) if e.contains(why)), "{why}: {refused:?}");
    };
    for (claims, said) in [(vec![], 1), (vec![Claimed::Mean], 2)] {
        let statement = weighted(claims);
        statement.check().unwrap();
        let proof = prove(&statement, &[data, weights]).unwrap();
        let job = statement.job(&[data, weights]);
        let given = super::weights(&Task { job: &job, memory: u64::MAX, blobs: &blobs }).unwrap().unwrap();
        let terms = verdict::Policy::at_least(100).self_contained();
        assert!(matches!(tenfold::verify(&proof, &terms), Err(tenfold::Error::NoWeights)));
        let claims = tenfold::verify(&proof, &terms.weights(&given)).unwrap().claims;
        assert!(claims[0].to_string().contains("34.00") && claims.len() == said, "{claims:?}");
    }
    let statement = weighted(vec![]);
    refused(&statement, &[data], "a job about 2 files has 1");
    refused(&super::tests::statement(), &[data, weights], "a job about 1 files has 2");
    refused(&statement, &[data, data], "column");
    for claims in [vec![Claimed::Row(1)], vec![Claimed::Mean, Claimed::Mean]] {
        refused(&weighted(claims), &[data, weights], "a weighted sum is proven alone");
    }
    let short = blobs.put(b"w\n1\n2\n3\n").unwrap();
    refused(&statement, &[data, short], "3");
    let named =
        Statement { weights: Some(Weights { name: "../w".into(), reading: reading.clone() }), ..statement };
    refused(&named, &[data, weights], "the weights' name");
}

/// A file that takes more memory to be read than the job's parameters is proven in the memory that is estimated of the file, and no attempt proves it in less.
#[test]
fn data_that_take_memory_to_be_read_are_proven() {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::new(folder.path());
    // A frame of Zstandard with a window of 64 MiB and one raw block; and a line of 300,000 bytes.
    let block = (ROWS.len() as u32) << 3 | 1;
    let frame = [&[0x28, 0xb5, 0x2f, 0xfd, 0, 16 << 3][..], &block.to_le_bytes()[..3], ROWS].concat();
    let long = format!("price,text\n1.50,{}\n2.25,b\n3.00,c\n4.75,d\n", "a".repeat(300_000)).into_bytes();
    let cases = [("rows.csv", ROWS.to_vec()), ("rows.csv.zst", frame), ("rows.csv", long)];
    for (case, (name, content)) in cases.into_iter().enumerate() {
        let plain = Statement { name: name.into(), ..statement() };
        // The file as the data, and as the weights of others.
        let weights = Some(Weights { name: name.into(), reading: plain.reading.clone() });
        let weighted = Statement { weights, claims: Vec::new(), ..statement() };
        let [blob, rows] = [&content[..], ROWS].map(|content| blobs.put(content).unwrap());
        for (statement, inputs) in [(plain, vec![blob]), (weighted, vec![rows, blob])] {
            let (params, job) = (statement.params().unwrap().0, statement.job(&inputs));
            let files: Vec<_> = inputs.iter().map(|&input| blobs.check(input).unwrap()).collect();
            let files: Vec<&Path> = files.iter().map(|file| &**file).collect();
            let estimated = |most| statement.memory(&params, &files, most);
            let least = statement.estimate(&params);
            let memory = estimated(u64::MAX).unwrap();
            assert_eq!(memory > least, case > 0, "{memory}");
            let proven = run(&Task { job: &job, memory, blobs: &blobs });
            assert!(proven.is_ok(), "{proven:?}");
            if case > 0 {
                let refused = run(&Task { job: &job, memory: least, blobs: &blobs });
                assert!(matches!(&refused, Err(ProveError::Job(_))), "{refused:?}");
                assert_eq!(estimated(least + 1).unwrap(), least + 1, "the submitter has no more");
            }
        }
    }
}
