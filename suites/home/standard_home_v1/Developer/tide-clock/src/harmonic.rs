//! Tide heights as a sum of cosines.

use chrono::{DateTime, TimeZone, Utc};

struct Constituent {
    amplitude: f64,
    degrees_per_hour: f64,
    phase: f64,
}

const HARBOUR: [Constituent; 3] = [
    Constituent { amplitude: 1.21, degrees_per_hour: 28.984, phase: 112.0 },
    Constituent { amplitude: 0.43, degrees_per_hour: 30.0, phase: 151.0 },
    Constituent { amplitude: 0.19, degrees_per_hour: 15.041, phase: 37.0 },
];

pub fn height(when: DateTime<Utc>) -> f64 {
    let zero = Utc.with_ymd_and_hms(2026, 1, 1, 0, 0, 0).unwrap();
    let hours = (when - zero).num_seconds() as f64 / 3600.0;
    HARBOUR
        .iter()
        .map(|part| part.amplitude * (part.degrees_per_hour * hours - part.phase).to_radians().cos())
        .sum()
}
