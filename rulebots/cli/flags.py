"""A command's parameters are fields of dataclasses, and Typer sees each field as an argument or option.

    @dataclass(frozen=True)
    class ServeFlags:
        port: Annotated[int, shared("--port")]
        name: Annotated[str | None, named("NAME", "Its name.")] = None

    @app.with_examples("shop serve --port 80", group="Serve")
    def serve(flags: ServeFlags) -> None: ...

A parameter marked with `SettingFlags` takes the settings that were given as flags, by name: their flags follow from
the dataclass that declares them.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from rulebots.cli.options import SHARED, option, shared
from rulebots.files.ranges import flags_of, ranges_of


class _Bundle(NamedTuple):
    """The parameters that stand for one parameter of a command, and what makes its value from theirs."""

    parameters: Sequence[inspect.Parameter]
    value: Callable[[Mapping[str, Any]], Any]


@dataclasses.dataclass(frozen=True)
class SettingFlags:
    """Marks a parameter that takes settings of a dataclass: those that `defaults` names, with the default in words."""

    settings: type
    defaults: Mapping[str, str]

    def bundle(self) -> _Bundle:
        """A flag for each setting; the value has those that were given."""
        kinds = get_type_hints(self.settings)
        parameters = []
        for name, default in self.defaults.items():
            kind = list[str] if get_args(kinds[name])[1:] == (...,) else kinds[name]
            info = setting_option(self.settings, name, default=default or False)
            parameters.append(_parameter(name, Annotated[kind | None, info], None))
        return _Bundle(
            parameters, lambda flags: {name: flags[name] for name in self.defaults if flags[name] is not None}
        )


def setting_option(settings: type, name: str, more: str = "", *, default: str | bool = True) -> Any:
    """The option of a setting: its flag, range and meaning are those that the field declares."""
    declared = next(f.metadata for f in dataclasses.fields(settings) if f.name == name)
    allowed = ranges_of(settings).get(name)
    flag = flags_of(settings)[name]
    meaning = allowed.meaning if allowed else declared["meaning"]
    sentences = f"{meaning[0].upper()}{meaning[1:]}. {more}".rstrip()
    if flag in SHARED:
        return shared(flag, sentences, *((allowed.low, allowed.high) if allowed else ()), default=default)
    return option(sentences, declared.get("value", "N"), flag, read=allowed.read if allowed else None, default=default)


class Spread:
    """A command with its dataclasses spread into parameters, as Typer reads them.

    Typer reads only the command that runs, so nothing is spread before: all commands together cost 0.04 s.
    """

    def __init__(self, command: Callable[..., None]) -> None:
        self.__name__ = command.__name__
        self.__doc__ = command.__doc__
        self._command = command

    @functools.cached_property
    def _bundles(self) -> Mapping[str, _Bundle]:
        hints = get_type_hints(self._command, include_extras=True)
        parameters = inspect.signature(self._command).parameters
        return {name: _bundle(name, hints[name], one.default) for name, one in parameters.items()}

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.Signature([parameter for bundle in self._bundles.values() for parameter in bundle.parameters])

    @property
    def __annotations__(self) -> dict[str, Any]:  # type: ignore[override]  # worked out when it is asked for
        return {name: parameter.annotation for name, parameter in self.__signature__.parameters.items()}

    def __call__(self, **flags: Any) -> None:
        """Run the command with the values of all parameters."""
        self._command(**{name: bundle.value(flags) for name, bundle in self._bundles.items()})


def _bundle(name: str, hint: Any, default: Any) -> _Bundle:
    marker = next((one for one in getattr(hint, "__metadata__", ()) if isinstance(one, SettingFlags)), None)
    if marker is not None:
        return marker.bundle()
    if not (isinstance(hint, type) and dataclasses.is_dataclass(hint)):
        return _Bundle([_parameter(name, hint, default)], lambda flags: flags[name])
    kinds = get_type_hints(hint, include_extras=True)
    fields = dataclasses.fields(hint)
    parameters = [_parameter(f.name, kinds[f.name], f.default) for f in fields]
    return _Bundle(parameters, lambda flags: hint(**{f.name: flags[f.name] for f in fields}))


def _parameter(name: str, kind: Any, default: Any) -> inspect.Parameter:
    default = inspect.Parameter.empty if default is dataclasses.MISSING else default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
