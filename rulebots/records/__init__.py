"""Records: whole games as text, move by move, which can be played again.

`record_of` makes a record of games that were played, `record_text` writes it, `load_record` reads it, and `replay`
plays one of its games again and says where it differs. `Ongoing` is a game in progress. The layout of a record is in
docs/reference/record-file.md.
"""

from rulebots.game.text import PERSON, in_words
from rulebots.records.reading import load_record, parse_record
from rulebots.records.record import (
    Record,
    RecordedGame,
    RecordError,
    RecordFolder,
    Result,
    Row,
    play_recorded,
    record_of,
    record_text,
    rows_of,
)
from rulebots.records.replaying import Ongoing, Replay, best_of, check, new_game, replay, steps

__all__ = [
    "PERSON",
    "Ongoing",
    "Record",
    "RecordError",
    "RecordFolder",
    "RecordedGame",
    "Replay",
    "Result",
    "Row",
    "best_of",
    "check",
    "in_words",
    "load_record",
    "new_game",
    "parse_record",
    "play_recorded",
    "record_of",
    "record_text",
    "replay",
    "rows_of",
    "steps",
]
