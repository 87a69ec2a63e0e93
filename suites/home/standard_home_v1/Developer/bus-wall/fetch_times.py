"""Write the next departures of line 12 to a small file that the wall page reads."""

import datetime
import json
import urllib.request

URL = "https://transit.example.org/stops/4711/departures?line=12"


def departures():
    with urllib.request.urlopen(URL, timeout=10) as answer:
        return [datetime.datetime.fromisoformat(each["time"]) for each in json.load(answer)]


def minutes_until_next(times, now):
    """Whole minutes, or None when the last bus has gone."""
    waits = [int((time - now).total_seconds() // 60) for time in times if time >= now]
    return min(waits, default=None)


if __name__ == "__main__":
    now = datetime.datetime.now().astimezone()
    wait = minutes_until_next(departures(), now)
    with open("next.json", "w") as file:
        json.dump({"minutes": wait, "word": "gehen" if wait is None else ""}, file)
