"""Breaks the protocol: says lines that are no JSON, answers questions that nobody asked, and each question twice."""
from fake import first_operand, serve


def answer(message):
    reply = first_operand(message)
    return ["hello, world", {**reply, "seq": 999999999}, reply, reply]


serve(answer)
