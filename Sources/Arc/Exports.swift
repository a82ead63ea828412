// The types of lower modules that Arc's API uses. A program that imports Arc can use them, too. To inspect
// files without their classes, import ArcArchive; for type encodings and property attributes, ArcRuntime.
@_exported public import enum ArcArchive.ArchiveValue
@_exported public import struct ArcArchive.GraphDifference
@_exported public import struct ArcFormat.ArchiveError
@_exported public import struct ArcFormat.ArchiveLimits
@_exported public import struct ArcFormat.ColumnReader
// Used by generated code.
@_exported public import protocol ArcFormat.ColumnValue
@_exported public import struct ArcFormat.ColumnWriter
@_exported public import enum ArcFormat.Compression
@_exported public import struct ArcFormat.ObjectID
@_exported public import struct ArcFormat.SchemaDifference
@_exported public import struct ArcFormat.SchemaSnapshot
@_exported public import struct ArcFormat.SchemaSnapshotError
@_exported public import class ArcRuntime.ClassTable
@_exported public import struct ArcRuntime.ClassTableError
@_exported public import enum ArcRuntime.TypeEncoding
