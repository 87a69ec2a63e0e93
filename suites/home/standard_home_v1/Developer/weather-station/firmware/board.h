#pragma once
#include <stdint.h>

void board_start(void);
void board_sleep_seconds(int seconds);
uint16_t wind_read(void);
uint16_t rain_read_and_clear(void);
int16_t temperature_read(void);
uint8_t battery_read(void);
void radio_send(const void *packet, int size, uint8_t checksum);
