"""Ask the three neighbouring stations for their last reading, all at once."""

import asyncio

import httpx

STATIONS = {
    "harbour": "http://harbour.example.org/now",
    "school": "http://school.example.org/now",
    "quarry": "http://quarry.example.org/now",
}


async def one(client, name, url):
    try:
        answer = await client.get(url, timeout=5)
        return name, answer.json()["celsius"]
    except (httpx.HTTPError, KeyError):
        return name, None


async def fetch():
    async with httpx.AsyncClient() as client:
        return dict(await asyncio.gather(*(one(client, *pair) for pair in STATIONS.items())))


if __name__ == "__main__":
    print(asyncio.run(fetch()))
