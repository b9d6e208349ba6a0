"""How strictly a browser's frames are read."""

from __future__ import annotations

import pytest

from games.live.messages import CLIENT_TYPES, BadMessage, Explain, Move, Ping, Resume, Vote, parse
from games.services.codes import Refusal

ID = "0123456789abcdef"


def _move(**changes: str) -> str:
    fields = {"type": '"move"', "request_id": f'"{ID}"', "decision": "1", "move": '{"type":"roll"}'}
    fields.update(changes)
    return "{" + ",".join(f'"{key}":{value}' for key, value in fields.items() if value) + "}"


def test_messages_of_the_protocol_are_read() -> None:
    move = {"type": "roll"}

    assert parse(_move()) == Move(ID, 1, move)
    assert parse(_move(type='"vote"')) == Vote(ID, 1, move)
    assert parse(_move(type='"explain"', move="")) == Explain(ID, 1)
    assert parse('{"type":"resume","version":12}') == Resume(12)
    assert parse(' {"type" : "ping"}') == Ping()


@pytest.mark.parametrize(
    "text",
    [
        _move(),
        _move().replace(":", ": "),
        _move(move='{"type":"roll"} '),
        '{"move":{"type":"roll"},"decision":1,"request_id":"' + ID + '","type":"move"}',
        _move(move='{"type":"r\\u006fll"}'),
    ],
    ids=["as browsers write", "spaced", "a blank", "other order", "escaped"],
)
def test_same_message_is_read_however_it_is_written(text: str) -> None:
    assert parse(text) == Move(ID, 1, {"type": "roll"})


@pytest.mark.case("WS-09")
@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "hello",
        "[]",
        "null",
        "3",
        "{}",
        '{"type":null}',
        '{"type":["ping"]}',
        _move(request_id=""),
        _move(move=""),
        _move(decision="NaN"),
        _move(decision="Infinity"),
        _move(move='{"a":NaN}'),
        _move(decision="1" * 5000),
        _move(move="[" * 8000 + "]" * 8000),
        "[" * 16000,
        '{"type":"ping","type":"ping"}',
        _move(move='{"a":1,"a":2}'),
        _move(move='{"a":"\\ud800"}'),
        _move(move='{"\\udfff":1}'),
        '{"type":"ping","more":1}',
        _move(move='"roll"'),
        _move(request_id='"short"'),
        _move(request_id='"' + "x" * 41 + '"'),
        _move(request_id='"white space"'),
        _move(move='{"a":"' + "x" * 20_000 + '"}'),
    ],
    ids=lambda text: str(text)[:40],
)
def test_everything_else_is_a_bad_message(text: str | None) -> None:
    with pytest.raises(BadMessage) as bad:
        parse(text)

    assert bad.value.refusal is Refusal.BAD_MESSAGE


@pytest.mark.case("WS-14")
@pytest.mark.parametrize("decision", ["-1", "2147483648", '"1"', "1.5", "true", "null", "1e400"])
def test_decision_is_a_whole_number_in_bounds(decision: str) -> None:
    with pytest.raises(BadMessage) as bad:
        parse(_move(decision=decision))

    assert bad.value.refusal is Refusal.BAD_MESSAGE


@pytest.mark.case("WS-10")
@pytest.mark.parametrize(
    "kind",
    [
        *("fly", "_move", "__init__", "websocket_disconnect", "websocket.receive"),
        *("match.changed", "kick", "ev", "said", "observation", "hello", ""),
    ],
)
def test_type_that_a_browser_does_not_have_is_unknown(kind: str) -> None:
    with pytest.raises(BadMessage) as bad:
        parse(f'{{"type":"{kind}"}}')

    assert bad.value.refusal is Refusal.UNKNOWN_TYPE
    assert kind not in CLIENT_TYPES


def test_pair_of_surrogates_is_one_sign() -> None:
    message = parse(_move(move='{"a":"\\ud83d\\udc1f"}'))

    assert isinstance(message, Move)
    assert message.move == {"a": "🐟"}
