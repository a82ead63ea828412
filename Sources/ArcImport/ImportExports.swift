// What the interface of an importer names.
@_exported public import struct ArcForeign.ImportError
@_exported public import struct ArcForeign.ImportReport
