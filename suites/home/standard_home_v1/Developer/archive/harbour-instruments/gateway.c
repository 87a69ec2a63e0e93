/* Gateway for the water sensors, 2018. Keeps readings when the line is down. */

#include <stdio.h>
#include <string.h>

#define SLOTS 4096

typedef struct { long when; int sensor; int millimetres; } reading_t;

static reading_t ring[SLOTS];
static int head, count;

void keep(reading_t reading) {
    ring[(head + count) % SLOTS] = reading;
    if (count < SLOTS) count++; else head = (head + 1) % SLOTS;
}

int flush(int (*send)(const reading_t *)) {
    int sent = 0;
    while (count && send(&ring[head])) {
        head = (head + 1) % SLOTS;
        count--;
        sent++;
    }
    return sent;
}
