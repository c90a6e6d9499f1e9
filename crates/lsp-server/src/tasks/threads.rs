//! Tokio's threads, and a separate thread for each independent part.

use std::sync::mpsc;
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::runtime::Handle;

use crate::memory::STACK;

/// Runs a future concurrently.
pub fn spawn(future: impl Future<Output = ()> + Send + 'static) {
    tokio::spawn(future);
}

/// Runs a long job on a thread that is not used for futures.
pub fn spawn_blocking(job: impl FnOnce() + Send + 'static) {
    tokio::task::spawn_blocking(job);
}

/// Runs a future on its own thread.
pub fn spawn_thread(name: &str, future: impl Future<Output = ()> + Send + 'static) {
    let runtime = Handle::current();
    let thread = std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK);
    thread
        .spawn(move || runtime.block_on(future))
        .expect("a process that starts can have a second thread");
}

pub async fn sleep(duration: Duration) {
    tokio::time::sleep(duration).await;
}

/// Runs both jobs in parallel.
pub fn join<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> anyhow::Result<(A, B)> {
    Ok(pool()?.install(|| rayon::join(one, other)))
}

/// Splits `items` into a part for each processor, and calls `work` with the parts in parallel. `take` gets the results
/// on this thread, and may end the work with an error; `work` is then told so by the `false` of its second argument.
pub fn in_parts<I: Sync, T: Send>(
    items: &[I],
    work: impl Fn(&[I], &mut dyn FnMut(T) -> bool) + Sync,
    take: impl FnMut(T) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let pool = pool()?;
    let length = items.len().div_ceil(pool.current_num_threads()).max(1);
    let work = &work;
    pool.in_place_scope(|scope| {
        let (sender, results) = mpsc::channel();
        for part in items.chunks(length) {
            let sender = sender.clone();
            scope.spawn(move |_| work(part, &mut |result| sender.send(result).is_ok()));
        }
        drop(sender);
        results.into_iter().try_for_each(take)
    })
}

/// Returns threads with large stacks, for deeply nested programs.
fn pool() -> anyhow::Result<ThreadPool> {
    Ok(ThreadPoolBuilder::new().stack_size(STACK).build()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_ends_the_work_on_all_parts() {
        let items: Vec<usize> = (0..1000).collect();
        let mut taken = 0;
        let ended = in_parts(
            &items,
            |part, send| {
                let _ = part.iter().all(|it| send(*it));
            },
            |_| {
                taken += 1;
                anyhow::ensure!(taken < 10, "enough");
                Ok(())
            },
        );
        assert_eq!((taken, ended.is_err()), (10, true));
    }

    #[test]
    fn all_parts_are_worked_on() {
        let mut sum = 0;
        let all = in_parts(
            &[1, 2, 3, 4, 5],
            |part, send| {
                send(part.iter().sum::<i32>());
            },
            |part| {
                sum += part;
                Ok(())
            },
        );
        assert_eq!((sum, all.is_ok()), (15, true));
    }
}
