"""Dates: seconds since 2001 as a float64, and microseconds since 1970."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from arc_format.tables.memory import pooled

#: Microseconds from 1970 to 2001.
EPOCH = 978_307_200_000_000

#: Dates from this number of seconds on do not fit 64 bits as microseconds.
_MAXIMUM_SECONDS = 9.0e12


def microseconds(seconds: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Returns microseconds since 1970, rounded to the nearest, half up; and a mask of dates, or True for all. Spec: 10.

    The fraction of a float64 is exact, but its product with a million is not. If the product is a half, its error, by
    Dekker's splitting, shows whether the exact product is less.
    """
    if len(seconds) and seconds.min() > -_MAXIMUM_SECONDS and seconds.max() < _MAXIMUM_SECONDS:
        micros = pooled(len(seconds), np.int64)
        np.copyto(micros, seconds, casting="unsafe")
        if (micros == seconds).all():
            micros *= 1_000_000
            micros += EPOCH
            return micros, np.ones(1, np.bool_)
    with np.errstate(invalid="ignore"):
        is_date = np.abs(seconds) < _MAXIMUM_SECONDS
    known = seconds if is_date.all() else np.where(is_date, seconds, 0.0)
    whole = np.floor(known)
    fraction = known - whole
    product = fraction * 1e6
    below = np.floor(product)
    rest = product - below
    below += rest > 0.5
    for at in np.flatnonzero(rest == 0.5).tolist():
        below[at] += _is_half_or_more(float(fraction[at]), float(product[at]))
    micros = whole.astype(np.int64)
    micros *= 1_000_000
    micros += below.astype(np.int64)
    micros += EPOCH
    return micros, is_date


def _is_half_or_more(fraction: float, product: float) -> bool:
    """Returns whether a million times the fraction is not less than the rounded product."""
    scaled = fraction * 134_217_729.0
    high = scaled - (scaled - fraction)
    return (high * 1e6 - product) + (fraction - high) * 1e6 >= 0


def calendar_texts(micros: npt.NDArray[np.int64]) -> list[str]:
    """Returns ISO 8601 without trailing zeros of fractions; years outside 0 to 9999 have sign and six digits. Spec: 10.

    >>> calendar_texts(np.array([500_000, -62_198_755_200_000_000]))
    ['1970-01-01T00:00:00.5Z', '-000001-01-01T00:00:00Z']
    """
    texts = []
    for text in np.datetime_as_string(micros.view("M8[us]"), unit="us").tolist():
        # numpy writes a year without leading zeros.
        year, rest = int(text[:text.index("-", 1)]), text[text.index("-", 1):]
        texts.append(f"{f'{year:04}' if 0 <= year <= 9999 else f'{year:+07}'}{rest.rstrip('0').rstrip('.')}Z")
    return texts


def seconds(micros: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Returns the float64 next to a date. Within 136 years of 2001, `microseconds` converts it back to the date."""
    whole, rest = np.divmod(micros - EPOCH, 1_000_000)
    return whole.astype(np.float64) + rest.astype(np.float64) / 1e6
