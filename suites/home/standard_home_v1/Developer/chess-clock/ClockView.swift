import SwiftUI

struct ClockView: View {
    @State private var clock = ChessClock(minutes: 5, increment: 3)
    private let timer = Timer.publish(every: 0.1, on: .main, in: .common).autoconnect()

    var body: some View {
        VStack(spacing: 0) {
            face(.black).rotationEffect(.degrees(180))
            face(.white)
        }
        .onReceive(timer) { _ in clock.tick(0.1) }
    }

    private func face(_ side: ChessClock.Side) -> some View {
        Text(Duration.seconds(clock.remaining[side] ?? 0), format: .time(pattern: .minuteSecond))
            .font(.system(size: 90, weight: .bold).monospacedDigit())
            .frame(maxWidth: .infinity, maxHeight: .infinity)
            .background(clock.running == side ? Color.yellow : Color.gray)
            .onTapGesture { clock.press(side) }
    }
}
