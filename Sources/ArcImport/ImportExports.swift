// The types that the public API of the importer uses.
@_exported public import struct ArcForeign.ImportError
@_exported public import struct ArcForeign.ImportReport
@_exported public import struct ArcForeign.ImportedRoot
@_exported public import enum ArcForeign.TableEncoding
@_exported public import enum ArcForeign.TableFormat
@_exported public import struct ArcForeign.TableJoin
@_exported public import struct ArcForeign.TableOptions
