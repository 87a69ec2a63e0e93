"""Read mail jobs from the queue and send them, one at a time."""

import json
import smtplib
from email.message import EmailMessage
from string import Template

TEMPLATES = {
    "overdue": Template("Dear $name,\n\nthe $tool was due on $day. Others are waiting for it.\n"),
    "ready": Template("Dear $name,\n\nthe $tool is on the shelf with your name on it.\n"),
}


def compose(job):
    message = EmailMessage()
    message["To"] = job["to"]
    message["From"] = "tools@example.org"
    message["Subject"] = job["tool"]
    message.set_content(TEMPLATES[job["template"]].substitute(job))
    return message


def handle(body, host="localhost", port=1025):
    with smtplib.SMTP(host, port) as smtp:
        smtp.send_message(compose(json.loads(body)))
