"""Files: read a text or say why not; write a new file, or replace one, whole or not at all.

`reading` and `writing` are for files of any kind, `plain_yaml` is for YAML. `layout` declares what a YAML format
holds, `ranges` what a number may be.
"""

from rulebots.files.reading import (
    MOST_BYTES,
    InputError,
    MissingError,
    is_file,
    is_folder,
    is_standard,
    open_regular_file,
    read_bytes,
    read_text,
)
from rulebots.files.writing import (
    UNFINISHED_PREFIX,
    OutputError,
    append,
    free_name,
    new_folder,
    numbered_names,
    refuse_unwritable,
    replace,
    unwritable,
    write_new,
)

__all__ = [
    "MOST_BYTES",
    "UNFINISHED_PREFIX",
    "InputError",
    "MissingError",
    "OutputError",
    "append",
    "free_name",
    "is_file",
    "is_folder",
    "is_standard",
    "new_folder",
    "numbered_names",
    "open_regular_file",
    "read_bytes",
    "read_text",
    "refuse_unwritable",
    "replace",
    "unwritable",
    "write_new",
]
