"""Why a guest gave no result."""


class Wrong(Exception):
    """The call or a scenario file is wrong."""


class Missing(Exception):
    """Something that must be installed is not; the text names the package."""


class Deadline(Exception):
    """The guest ran longer than it was given."""


class Died(Exception):
    """The guest ended without saying how its command ended."""
