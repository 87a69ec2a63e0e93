"""Listen on the serial port and append every good packet to the file of the day."""

import datetime
import struct
from pathlib import Path

PACKET = struct.Struct("<HHhBB")
FOLDER = Path("/srv/weather")


def checksum(data):
    total = 0
    for byte in data:
        total = (total * 31 + byte) & 0xFF
    return total


def decode(raw):
    """A dictionary of readings, or None for a damaged packet."""
    wind, rain, tenths, battery, check = PACKET.unpack(raw)
    if checksum(raw[:-1]) != check:
        return None
    return {"wind": wind / 1000, "rain": rain * 0.2794, "celsius": tenths / 10, "battery": battery}


def append(reading, now=None):
    now = now or datetime.datetime.now()
    path = FOLDER / f"{now:%Y-%m-%d}.csv"
    with path.open("a") as file:
        file.write(f"{now:%H:%M},{reading['wind']},{reading['rain']},{reading['celsius']}\n")
