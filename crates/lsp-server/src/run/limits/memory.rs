//! The memory of this process: how much the system has, and limiting how much more it provides.

#[cfg(not(target_os = "linux"))]
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(target_os = "linux"))]
use std::sync::mpsc::channel;
#[cfg(not(target_os = "linux"))]
use std::time::Duration;

use crate::exit::COULD_NOT_RUN;
#[cfg(not(target_os = "linux"))]
use crate::memory::end_as_refused;
use crate::memory::{Refusal, say_if_refused};

/// Memory that a process needs besides the limited part: stacks of threads, code.
const ROOM_MB: u64 = 64;

/// Makes the system refuse this process more than its current memory and `mb` more.
pub fn limit_memory(mb: u64) {
    // Start the threads first. Otherwise their stacks and allocation arenas would count for the limit: with many
    // processors these are gigabytes of unused address space.
    rayon::broadcast(|_| drop(std::hint::black_box(Vec::<u8>::with_capacity(64))));
    let limit = mb.saturating_add(ROOM_MB).saturating_mul(1 << 20);
    #[cfg(target_os = "linux")]
    set(Some(used().saturating_add(limit)));
    #[cfg(not(target_os = "linux"))]
    watch(used().saturating_add(limit));
}

/// Limits this process to the memory that the system has now. From then on, it ends with a message when it is refused
/// more.
pub fn limit_memory_to_available() {
    let mb = available_memory_mb();
    say_if_refused(Refusal {
        text: format!("error: stopped at {mb} MB, all memory that the system has\n"),
        is_answer: false,
        code: COULD_NOT_RUN,
    });
    limit_memory(mb);
}

/// Removes the limit if the system enforces it, since programs that this process starts would inherit it.
pub fn lift_memory_limit() {
    #[cfg(target_os = "linux")]
    set(None);
}

/// Raises the limit by `bytes` for mapped files, which the system can drop from memory at any time.
pub fn exempt_from_memory_limit(bytes: u64) {
    #[cfg(target_os = "linux")]
    if let Ok((limit, most)) = rlimit::Resource::AS.get()
        && limit < most
    {
        set(Some(limit.saturating_add(bytes)));
    }
    #[cfg(not(target_os = "linux"))]
    EXEMPT.fetch_add(bytes, Ordering::Relaxed);
}

/// The bytes of mapped files that don't count for the limit.
#[cfg(not(target_os = "linux"))]
static EXEMPT: AtomicU64 = AtomicU64::new(0);

/// Limits the address space, so allocations count before they are used.
#[cfg(target_os = "linux")]
fn set(limit: Option<u64>) {
    use rlimit::Resource;
    let set = Resource::AS.get().and_then(|(_, most)| {
        let limit = limit.map_or(most, |limit| limit.min(most));
        Resource::AS.set(limit, most)
    });
    if let Err(error) = set {
        tracing::debug!(%error, "memory is not limited");
    }
}

/// Other systems enforce no limit, so the process checks its own memory regularly, and ends as if an allocation
/// failed.
#[cfg(not(target_os = "linux"))]
fn watch(limit: u64) {
    const EVERY: Duration = Duration::from_millis(50);
    std::thread::spawn(move || {
        let (_never, received) = channel::<()>();
        while received.recv_timeout(EVERY).is_err() {
            let used = used().saturating_sub(EXEMPT.load(Ordering::Relaxed));
            if used > limit {
                end_as_refused(used);
            }
        }
    });
}

/// Returns the memory of this process that counts for the limit.
fn used() -> u64 {
    use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System};
    let (Ok(this), Ok(mut system)) = (sysinfo::get_current_pid(), System::new()) else {
        return 0;
    };
    let memory = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[this]), false, memory);
    system.process(this).map_or(0, |it| {
        if cfg!(target_os = "linux") {
            it.virtual_memory()
        } else {
            it.memory()
        }
    })
}

/// Returns the memory that can be used without swapping.
pub fn available_memory_mb() -> u64 {
    let available = sysinfo::System::new().ok().map(|mut system| {
        system.refresh_memory();
        let container = system.cgroup_limits().map(|it| it.free_memory);
        system.available_memory().min(container.unwrap_or(u64::MAX)) >> 20
    });
    // Not every system reports it.
    available.filter(|&mb| mb > 0).unwrap_or(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_use_of_a_process_is_measured() {
        assert!(used() > 1 << 20);
    }
}
