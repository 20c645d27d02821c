# SPDX-License-Identifier: Apache-2.0
"""The list of what is driven. A row makes its documents before the daemon starts, then does what a person does and notes when."""
import dataclasses
import typing

from school import TEXT


@dataclasses.dataclass
class Row:
    title: str
    work: typing.Callable
    needs: tuple = ()
    # (person, document) → what is in it before anybody opens it; bytes are made by `documents`.
    makes: dict = dataclasses.field(default_factory=dict)
    # The event sources from which nobody can tell this from noise: there, a session that is not found is no mistake.
    unseen: tuple = ()


ALL = []


def row(title, needs=(), makes=(), unseen=()):
    """Puts a function into the table. `makes`: (person, document) pairs that are there from the beginning, or with their text a dict.
    The function gives a list of `Work`; an empty one says that nobody worked, and any session is a phantom."""

    def add(function):
        made = makes if isinstance(makes, dict) else {pair: TEXT for pair in makes}
        ALL.append(Row(title, function, tuple(needs), made, tuple(unseen)))
        return function

    return add
