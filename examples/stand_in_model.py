"""A stand-in for a model, to try `cranfield agent` without a key: it speaks OpenAI's chat protocol.

It knows the answers of the tasks. With a search tool it searches once, for the first sentence of
the task, and gives the right answer if what it is shown has the name that the task needs; otherwise
a wrong one, if the task has one. What it scores says nothing about any model.

    python examples/stand_in_model.py suites/agents/tasks/python --port 8009
    export STANDIN_BASE_URL=http://127.0.0.1:8009/v1 STANDIN_API_KEY=none
    cranfield agent suites/agents/tasks/python --model openai-api/standin/knows --system docs
"""

from __future__ import annotations

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.agents.tasks import load_tasks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.agents.tasks import Task


class StandIn(ThreadingHTTPServer):
    """Serves the answers of some tasks."""

    daemon_threads = True

    def __init__(self, tasks: Sequence[Task], port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.tasks = {task.prompt.strip(): task for task in tasks}

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return the message that answers a conversation."""
        asked = next(each["content"] for each in body["messages"] if each["role"] == "user")
        prompt, _, pasted = asked.partition("\n\nDocumentation that a search")
        task = self.tasks[prompt.strip()]
        shown = [each["content"] for each in body["messages"] if each["role"] == "tool"]
        if body.get("tools") and not shown:
            return _call("search", {"query": prompt.strip().partition(". ")[0]})
        names = [need.rpartition(".")[2] for need in task.needs]
        knows = any(name in text for name in names for text in [*shown, pasted])
        code = task.reference if knows or not task.wrong else task.wrong[0].answer
        return {"content": f"```{task.language}\n{code}\n```"}


def _call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {"content": None, "tool_calls": [{"id": "1", "type": "function", "function": function}]}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: StandIn

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", **self.server.reply(body)}
        finish = "tool_calls" if "tool_calls" in message else "stop"
        sent = sum(len(each.get("content") or "") for each in body["messages"]) // 4
        received = len(message["content"] or "") // 4
        answer = {
            "id": "1", "object": "chat.completion", "created": 0, "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": sent, "completion_tokens": received,
                      "total_tokens": sent + received},
        }  # fmt: skip
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Keep the terminal clean."""


def main() -> None:
    """Serve until it is interrupted."""
    parser = argparse.ArgumentParser(description="A stand-in for a model that knows some tasks.")
    parser.add_argument("tasks", type=Path)
    parser.add_argument("--port", type=int, default=8009)
    given = parser.parse_args()
    with StandIn(load_tasks(given.tasks), given.port) as server:
        server.serve_forever()


if __name__ == "__main__":
    main()
