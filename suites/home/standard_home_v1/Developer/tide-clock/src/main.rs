//! Prints the next high and low water for the harbour.

mod harmonic;

use chrono::{Duration, Utc};
use harmonic::height;

fn main() {
    let start = Utc::now();
    let mut before = height(start);
    let mut rising = height(start + Duration::minutes(5)) > before;
    for minutes in (5..1500).step_by(5) {
        let when = start + Duration::minutes(minutes);
        let now = height(when);
        if rising != (now > before) {
            println!("{} {}  {:.1} m", when.format("%H:%M"), if rising { "high" } else { "low " }, before);
            rising = !rising;
        }
        before = now;
    }
}
