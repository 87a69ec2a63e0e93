import Foundation

/// Two countdowns, of which one runs at a time.
struct ChessClock {
    enum Side { case white, black }

    private(set) var remaining: [Side: TimeInterval]
    private(set) var running: Side?
    let increment: TimeInterval

    init(minutes: Double, increment: TimeInterval = 0) {
        remaining = [.white: minutes * 60, .black: minutes * 60]
        self.increment = increment
    }

    mutating func press(_ side: Side) {
        guard running == nil || running == side else { return }
        if running == side { remaining[side, default: 0] += increment }
        running = side == .white ? .black : .white
    }

    mutating func tick(_ seconds: TimeInterval) {
        guard let running else { return }
        remaining[running] = max(0, remaining[running, default: 0] - seconds)
    }

    var fallen: Side? { remaining.first { $0.value == 0 }?.key }
}
