"""Why a guest gave no result."""


class Wrong(Exception):
    """The call or a scenario file is wrong."""


class Missing(Exception):
    """A required package is missing; the text names it."""


class Deadline(Exception):
    """The guest exceeded its time limit."""


class Died(Exception):
    """The guest ended without an exit status of its command."""
