from __future__ import annotations

import smtplib
from email.message import EmailMessage
from typing import Protocol

from bramble.config import Settings
from bramble.errors import Unavailable
from bramble.retry import Backoff, Breaker, persistently


class Postman(Protocol):
    """Carries one letter, or raises Unavailable."""

    def send(self, receiver: str, subject: str, body: str) -> None: ...


class MailPostman:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._breaker = Breaker(limit=3, rest=300)

    def send(self, receiver: str, subject: str, body: str) -> None:
        message = EmailMessage()
        message["To"], message["Subject"] = receiver, subject
        message["From"] = f"library-{self._settings.branch}@example.org"
        message.set_content(body)
        self._breaker.call(lambda: self._deliver(message))

    @persistently(Backoff(first=0.2, attempts=3))
    def _deliver(self, message: EmailMessage) -> None:
        try:
            with smtplib.SMTP(self._settings.smtp_host, self._settings.smtp_port) as server:
                server.send_message(message)
        except (OSError, smtplib.SMTPException) as problem:
            raise Unavailable("the mail server does not answer") from problem
