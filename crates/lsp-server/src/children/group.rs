//! Kills a child with all that it has started.
#![allow(unsafe_code)]

use std::process::Command;

/// Makes a child the leader of a group, to which belongs what it starts.
pub fn lead(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Kills the group of a child that has not been waited for.
pub fn kill(leader: u32) {
    #[cfg(unix)]
    if let Ok(leader) = libc::pid_t::try_from(leader) {
        // SAFETY: takes two integers.
        unsafe {
            libc::killpg(leader, libc::SIGKILL);
        }
    }
    #[cfg(windows)]
    {
        let mut command = Command::new("taskkill");
        command.args(["/T", "/F", "/PID", &leader.to_string()]);
        // It may have ended already.
        let _ = command.output();
    }
}
