//! The recipes of docs/cluster.md for several hosts, as they stand there, on this machine.

use super::{JOB, Job, launcher, table};
use crate::bench::{Bench, Ran};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;

const PAGE: &str = include_str!("../../../../docs/cluster.md");

/// The launcher without what names hosts, and Slurm's, which starts as many ranks as the job asks for.
const PROGRAMS: [(&str, &str); 2] = [
    (
        "mpirun",
        "while :; do case $1 in --hostfile | --map-by | --bind-to) shift 2 ;; --allow-run-as-root) shift ;; *) break ;; esac; done\nexec \"$(PATH=${PATH#*:} command -v $MPIRUN)\" \"$@\"\n",
    ),
    (
        "srun",
        "while :; do case $1 in --*) shift ;; *) break ;; esac; done\nexec \"$(PATH=${PATH#*:} command -v $MPIRUN)\" -n 4 \"$@\"\n",
    ),
];

/// A folder with the data and the programs of a recipe.
fn bench() -> Bench {
    let bench = table();
    bench.shell("mkdir bin shared && cp data.csv shared").is(0, &[]);
    symlink(env!("CARGO_BIN_EXE_tenfold"), bench.path("bin/tenfold")).unwrap();
    for (name, script) in PROGRAMS {
        let path = format!("bin/{name}");
        bench.write(&path, format!("#!/bin/sh\n{script}").as_bytes());
        std::fs::set_permissions(bench.path(&path), std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    bench
}

/// Runs a recipe on the table.
fn run(recipe: &str) -> Ran {
    let bench = bench();
    let recipe = recipe.replace("FILE", "data.csv").replace("column C", "column price");
    let recipe = recipe.replace("/shared", &bench.path("shared").display().to_string());
    let mut shell = Command::new("sh");
    shell.current_dir(bench.path("")).args(["-ec", &recipe]).envs(launcher::SURROUNDINGS);
    let path = std::env::var("PATH").unwrap();
    shell.env("PATH", format!("{}:{path}", bench.path("bin").display())).env("MPIRUN", launcher::mpirun());
    shell.envs([("SLURM_JOB_ID", "7"), ("SLURM_RESTART_COUNT", "0")]);
    Job::start(shell).end(JOB).into()
}

/// Each makes a proof of a user's file by four ranks, and verifies it.
#[test]
fn the_recipes_of_the_page_prove_a_file() {
    if !launcher::is_there() {
        return;
    }
    let (_, hosts) = PAGE.split_once("\n### Several hosts\n").expect("the recipes");
    let blocks = hosts.split("\n```sh\n").skip(1).map(|rest| rest.split_once("\n```").expect("an end").0);
    let mut recipes: Vec<String> = blocks.take(2).map(str::to_owned).collect();
    let (_, job) = hosts.split_once("- |\n").expect("the commands of the launcher's pod");
    let indented = |line: &&str| line.starts_with(&" ".repeat(18));
    recipes.push(job.lines().take_while(indented).map(|line| format!("{}\n", line.trim())).collect());
    for (recipe, has) in recipes.iter().zip(["mpirun --hostfile", "srun --mpi", "mpirun --allow-run-as-root"])
    {
        assert!(recipe.contains(has), "{recipe}");
        let says = ["by 4 rank(s)", "valid: row 2", "valid: the sum"];
        run(&recipe.replace("--row 7", "--row 2")).is(0, &says);
    }
}
