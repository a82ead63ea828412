"""zlib for reading: zlib-ng if it is installed, with equal results in less time.

To install zlib-ng: `pip install 'arc-format[fast]'`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zlib import crc32, decompressobj, error
else:
    try:
        from zlib_ng.zlib_ng import crc32, decompressobj, error
    except ImportError:
        from zlib import crc32, decompressobj, error

__all__ = ["crc32", "decompressobj", "error"]
