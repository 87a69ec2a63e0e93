//! A small logging module: levels, one line a message, written to any sink.

use std::fmt;
use std::io::Write;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

impl fmt::Display for Level {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Level::Debug => "DEBUG",
            Level::Info => "INFO",
            Level::Warn => "WARN",
            Level::Error => "ERROR",
        };
        out.pad(name)
    }
}

pub struct Logger<W: Write> {
    threshold: Level,
    sink: Mutex<W>,
}

impl<W: Write> Logger<W> {
    pub fn new(threshold: Level, sink: W) -> Self {
        Logger { threshold, sink: Mutex::new(sink) }
    }

    /// Write the message unless its level is below the threshold.
    pub fn log(&self, level: Level, target: &str, message: &str) {
        if level < self.threshold {
            return;
        }
        let seconds = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map(|elapsed| elapsed.as_secs())
            .unwrap_or(0);
        if let Ok(mut sink) = self.sink.lock() {
            // A logger that fails must not take the program with it.
            let _ = writeln!(sink, "{seconds} {level:5} {target}: {message}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_below_the_threshold_are_dropped() {
        let logger = Logger::new(Level::Warn, Vec::new());
        logger.log(Level::Info, "net", "connected");
        logger.log(Level::Error, "net", "lost");
        let written = String::from_utf8(logger.sink.into_inner().unwrap()).unwrap();
        assert!(written.ends_with("ERROR net: lost\n"));
        assert_eq!(written.lines().count(), 1);
    }
}
