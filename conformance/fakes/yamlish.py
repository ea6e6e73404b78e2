"""Answers each question rightly, but in YAML that is no JSON."""
from fake import serve


def answer(message):
    return [f"{{seq: '{message['seq']}', outcome: ok, value: {{equal: true}}}} # really"]


serve(answer)
