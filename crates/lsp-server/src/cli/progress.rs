//! What a command is doing, on standard error, for a person who has waited for a second. What is printed takes its
//! place.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output;

/// The time that a command may take without saying what it does.
const PATIENCE: Duration = Duration::from_secs(1);
const FRAME: Duration = Duration::from_millis(100);

static BAR: Mutex<Option<Bar>> = Mutex::new(None);

struct Bar {
    bar: ProgressBar,
    /// Closed at its end.
    runs: Sender<()>,
}

/// Says what happens from now on, such as `Reading stages`.
pub fn begin(what: &'static str) {
    let Ok(mut bar) = BAR.lock() else { return };
    if bar.is_none() && std::io::stderr().is_terminal() {
        *bar = Some(start());
    }
    if let Some(Bar { bar, .. }) = &*bar {
        bar.set_position(0);
        bar.set_style(style("{spinner} {msg}"));
        bar.set_message(what);
    }
}

/// Returns a bar that appears later, unless it has ended by then.
fn start() -> Bar {
    let hidden = ProgressDrawTarget::hidden();
    let bar = ProgressBar::with_draw_target(None, hidden);
    let later = bar.clone();
    let (runs, ended) = channel();
    std::thread::spawn(move || {
        let still_going = ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
        // `end` waits for the lock.
        let _bar = BAR.lock();
        if still_going && !later.is_finished() {
            later.set_draw_target(output::for_progress());
            later.enable_steady_tick(FRAME);
        }
    });
    Bar { bar, runs }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates are in this file")
}

/// Says how much is done.
pub fn step(done: usize, of: usize) {
    count(of, |bar| bar.set_position(done as u64));
}

/// Says that one more is done.
pub fn advance(of: usize) {
    count(of, |bar| bar.inc(1));
}

fn count(of: usize, advance: impl FnOnce(&ProgressBar)) {
    let Some(bar) = bar() else { return };
    bar.set_style(style("{spinner} {msg} {pos}/{len}"));
    bar.set_length(of as u64);
    advance(&bar);
}

/// Says what has come out so far.
pub fn note(what: impl FnOnce() -> String) {
    if let Some(bar) = bar() {
        bar.set_message(what());
    }
}

/// Removes it from the screen.
pub fn end() {
    let bar = BAR.lock().ok().and_then(|mut it| it.take());
    if let Some(Bar { bar, runs }) = bar {
        drop(runs);
        bar.finish_and_clear();
    }
}

/// Removes it from the screen while `write` writes there.
pub fn aside<T>(write: impl FnOnce() -> T) -> T {
    match bar() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

fn bar() -> Option<ProgressBar> {
    BAR.lock().ok()?.as_ref().map(|it| it.bar.clone())
}
