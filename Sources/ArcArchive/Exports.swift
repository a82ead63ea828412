// The types of ArcFormat that ArcArchive's API uses. A program that imports ArcArchive can use them, too.
@_exported public import struct ArcFormat.ArchiveError
@_exported public import struct ArcFormat.ArchiveLimits
@_exported public import enum ArcFormat.ColumnKind
@_exported public import protocol ArcFormat.ColumnValue
@_exported public import enum ArcFormat.Compression
@_exported public import struct ArcFormat.ObjectID
@_exported public import struct ArcFormat.SchemaDifference
@_exported public import struct ArcFormat.SchemaSnapshot
@_exported public import struct ArcFormat.SchemaSnapshotError
@_exported public import struct ArcFormat.SegmentInfo
