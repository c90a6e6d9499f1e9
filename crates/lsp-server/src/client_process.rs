//! The life of the client's process, by its number: a server whose client is gone ends, also where somebody else keeps
//! its input open.

use std::time::Duration;

use sysinfo::{Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

/// Systems tell of a process that ends only to its parent: one looks again and again.
const EVERY: Duration = Duration::from_secs(2);

/// Waits until there is no such process.
pub async fn ended(process: u32) {
    while lives(process) {
        tokio::time::sleep(EVERY).await;
    }
}

fn lives(process: u32) -> bool {
    let process = Pid::from_u32(process);
    // Not every system tells.
    let Ok(mut system) = System::new() else {
        return true;
    };
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[process]),
        true,
        ProcessRefreshKind::nothing(),
    );
    // A process whose parent has not asked how it ended is still listed.
    let over = [ProcessStatus::Zombie, ProcessStatus::Dead];
    let process = system.process(process);
    process.is_some_and(|it| !over.contains(&it.status()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn this_process_lives_and_one_that_was_waited_for_does_not() {
        assert!(lives(std::process::id()));
        let program = std::env::current_exe().unwrap();
        let mut child = std::process::Command::new(program)
            .arg("--list")
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        child.wait().unwrap();
        ended(child.id()).await;
    }
}
