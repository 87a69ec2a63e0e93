package org.example.chessclock

class Clock(minutes: Int, private val incrementMillis: Long = 0) {
    enum class Side { WHITE, BLACK }

    private val left = mutableMapOf(Side.WHITE to minutes * 60_000L, Side.BLACK to minutes * 60_000L)
    var running: Side? = null
        private set

    fun press(side: Side) {
        if (running != null && running != side) return
        if (running == side) left[side] = left.getValue(side) + incrementMillis
        running = if (side == Side.WHITE) Side.BLACK else Side.WHITE
    }

    fun tick(millis: Long) {
        running?.let { left[it] = maxOf(0, left.getValue(it) - millis) }
    }
}
