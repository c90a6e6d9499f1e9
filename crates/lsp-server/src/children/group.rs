//! Kills a child with all that it has started.
#![allow(unsafe_code)]

use std::io;
use std::process::{Child, Command, ExitStatus};

/// Makes a child the leader of a group, to which belongs what it starts.
pub fn lead(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Waits until a child ends, and kills what it has left behind.
pub fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    #[cfg(unix)]
    if has_ended(child) {
        kill(child.id());
    }
    child.wait()
}

/// Waits until a child ends, but keeps its number, which names its group.
#[cfg(unix)]
fn has_ended(child: &Child) -> bool {
    loop {
        // SAFETY: the structure may be zero everywhere, and the call writes to nothing else.
        let result = unsafe {
            let mut ended: libc::siginfo_t = std::mem::zeroed();
            let options = libc::WEXITED | libc::WNOWAIT;
            libc::waitid(libc::P_PID, child.id(), &raw mut ended, options)
        };
        if result == 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return result == 0;
        }
    }
}

/// Kills the group of a child that has not been waited for. The leader may have ended.
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
