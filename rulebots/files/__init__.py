"""Files: read a text or say why not; write a new file, or replace one, whole or not at all.

`reading` and `writing` are for files of any kind, `yaml_reading` and `yaml_writing` for YAML.
"""

from rulebots.files.reading import (
    MOST_BYTES,
    InputError,
    MissingError,
    is_file,
    is_folder,
    opened,
    read_bytes,
    read_text,
)
from rulebots.files.writing import (
    PASSING,
    OutputError,
    append,
    free_name,
    numbered,
    refuse_unwritable,
    replace,
    unwritable,
    write_new,
)

__all__ = [
    "MOST_BYTES",
    "PASSING",
    "InputError",
    "MissingError",
    "OutputError",
    "append",
    "free_name",
    "is_file",
    "is_folder",
    "numbered",
    "opened",
    "read_bytes",
    "read_text",
    "refuse_unwritable",
    "replace",
    "unwritable",
    "write_new",
]
