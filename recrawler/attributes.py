"""The free attributes of a URI, which users and the product attach and hand down."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

HERITABLE = "heritable"  # the key of the list of heritable keys, itself one of them
CREDENTIALS = "credentials"
ANNOTATIONS = "annotations"
PERSISTENT_KEYS = frozenset((CREDENTIALS, "credential-avatars", ANNOTATIONS))


class Attributes:
    """The free attributes of a URI: a map whose heritable keys are copied to the URIs found on its page.

    Heritable and persistent are two things: a persistent key survives the end of a processing pass on its
    own URI, a heritable one goes to the children too.
    """

    def __init__(
        self, values: Mapping[str, Any] | None = None, heritable: Iterable[str] | None = None
    ) -> None:
        self.values: dict[str, Any] = dict(values or {})
        self._heritable: set[str] | None = None if heritable is None else set(heritable)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Attributes) and self.to_json() == other.to_json()

    def __contains__(self, key: str) -> bool:
        return key in self.values or (key == HERITABLE and self._heritable is not None)

    @property
    def heritable(self) -> list[str] | None:
        """The heritable keys, sorted, `heritable` itself among them; None when there are none."""
        return None if self._heritable is None else sorted(self._heritable)

    def get(self, key: str, default: Any = None) -> Any:
        return self.values.get(key, default)

    def put(self, key: str, value: Any, heritable: bool = False) -> None:
        """Set a value, which must be one that JSON has."""
        self.values[key] = value
        if heritable:
            self.make_heritable(key)

    def remove(self, key: str) -> None:
        self.values.pop(key, None)

    def make_heritable(self, key: str) -> None:
        """Give the key's value, as it is when a child is made, to every child."""
        if self._heritable is None:
            self._heritable = {HERITABLE}
        self._heritable.add(key)

    def make_non_heritable(self, key: str) -> None:
        """Undo `make_heritable`; the value stays. With one key left the list itself goes."""
        if self._heritable is None:
            return
        self._heritable.discard(key)
        if len(self._heritable) == 1:
            self._heritable = None

    def inherited(self) -> Attributes:
        """What a child gets. It shares nothing: a change there is not seen here."""
        keys = self._heritable or set()
        values = {k: copy.deepcopy(v) for k, v in self.values.items() if k in keys}
        return Attributes(values, keys if HERITABLE in keys else None)

    def clean(self) -> None:
        """Drop what is neither persistent nor heritable, at the end of a pass."""
        keep = PERSISTENT_KEYS | (self._heritable or set())
        self.values = {k: v for k, v in self.values.items() if k in keep}

    def to_json(self) -> dict[str, Any]:
        """`{"attrs": {...}, "heritable": [...] or null}`."""
        return {"attrs": self.values, HERITABLE: self.heritable}
