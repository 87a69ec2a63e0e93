/* Wake, read three sensors, send one packet, sleep. */

#include <stdint.h>
#include "board.h"

typedef struct {
    uint16_t wind_mm_s;
    uint16_t rain_ticks;
    int16_t tenth_celsius;
    uint8_t battery;
} packet_t;

static uint8_t checksum(const uint8_t *bytes, int count) {
    uint8_t sum = 0;
    for (int i = 0; i < count; i++) sum = (uint8_t)(sum * 31 + bytes[i]);
    return sum;
}

int main(void) {
    board_start();
    for (;;) {
        packet_t packet = {wind_read(), rain_read_and_clear(), temperature_read(), battery_read()};
        radio_send(&packet, sizeof packet, checksum((uint8_t *)&packet, sizeof packet));
        board_sleep_seconds(60);
    }
}
