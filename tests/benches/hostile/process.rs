//! The CPU time and the memory of a process on Linux.

use std::fs::read_to_string;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The interval between two measurements.
const LOOK: Duration = Duration::from_millis(3);
/// The clock tick of `/proc/PID/stat`.
const TICK: Duration = Duration::from_millis(10);

#[derive(Clone, Debug)]
pub struct Cost {
    pub time: Duration,
    /// The peak in bytes.
    pub memory: u64,
}

pub enum Measured {
    Cost(Cost),
    /// A limit was reached, or the process failed.
    Failed(String),
}

/// The cost of a question about the file of a family.
pub fn measure(family: &str, n: usize, what: &str, longest: Duration, most: u64) -> Measured {
    let own = std::env::current_exe().expect("a program knows its own path");
    let mut child = Command::new(own)
        .args(["--child", family, &n.to_string(), what])
        .stdout(Stdio::null())
        .spawn()
        .expect("a process starts");
    let measured = watch(&mut child, longest, most);
    let _ = child.kill();
    let status = child.wait().expect("a process ends");
    match measured {
        Measured::Cost(_) if !status.success() => Measured::Failed(format!("{status}")),
        measured => measured,
    }
}

/// Measures a process until it ends or reaches a limit.
#[expect(
    clippy::disallowed_methods,
    reason = "a process tells its peak of memory to those who look, and sends no event"
)]
fn watch(child: &mut Child, longest: Duration, most: u64) -> Measured {
    let began = Instant::now();
    let mut memory = 0;
    loop {
        memory = memory.max(peak(child.id()).unwrap_or(0));
        let (time, ended) = time(child.id()).unwrap_or((began.elapsed(), true));
        if ended {
            return Measured::Cost(Cost { time, memory });
        }
        if time > longest {
            return Measured::Failed(format!("takes over {longest:?}"));
        }
        if memory > most {
            return Measured::Failed(format!("takes over {} MB after {time:?}", most >> 20));
        }
        std::thread::sleep(LOOK);
    }
}

fn peak(process: u32) -> Option<u64> {
    let status = read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

/// Returns the CPU time of a process, and whether it has ended.
fn time(process: u32) -> Option<(Duration, bool)> {
    let stat = read_to_string(format!("/proc/{process}/stat")).ok()?;
    // After the name, which can contain any character, are the state and numbers.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let ended = fields.next()? == "Z";
    let mut numbers = fields.skip(10).filter_map(|it| it.parse::<u32>().ok());
    let (user, system) = (numbers.next()?, numbers.next()?);
    Some((TICK * (user + system), ended))
}

impl Cost {
    /// The cost without that of a minimal file.
    pub fn beyond(&self, nothing: &Cost) -> Cost {
        Cost {
            time: self.time.saturating_sub(nothing.time),
            memory: self.memory.saturating_sub(nothing.memory),
        }
    }

    pub fn least(&self, other: &Cost) -> Cost {
        Cost {
            time: self.time.min(other.time),
            memory: self.memory.min(other.memory),
        }
    }

    pub fn ratio(&self, half: &Cost) -> f64 {
        self.time.as_secs_f64() / half.time.max(TICK).as_secs_f64()
    }

    /// The same for memory, if it is large enough to be significant.
    pub fn memory_ratio(&self, half: &Cost) -> f64 {
        self.memory as f64 / half.memory.max(16 << 20) as f64
    }
}
