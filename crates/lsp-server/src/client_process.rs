//! Watches the client's process by its id: the server ends with its client, even if something else keeps its input
//! open.

use std::time::Duration;

use sysinfo::{Pid, ProcessRefreshKind, ProcessStatus, ProcessesToUpdate, System};

/// The polling interval, since systems report the end of a process only to its parent.
const EVERY: Duration = Duration::from_secs(2);

/// Waits until the process does not exist.
pub async fn ended(process: u32) {
    while lives(process) {
        tokio::time::sleep(EVERY).await;
    }
}

fn lives(process: u32) -> bool {
    let process = Pid::from_u32(process);
    // Not every system lists processes.
    let Ok(mut system) = System::new() else {
        return true;
    };
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[process]),
        true,
        ProcessRefreshKind::nothing(),
    );
    // A process that has ended is listed until its parent collects its status.
    let over = [ProcessStatus::Zombie, ProcessStatus::Dead];
    let process = system.process(process);
    process.is_some_and(|it| !over.contains(&it.status()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn liveness_of_processes_is_detected() {
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
