/// A `Codable` type whose values are archived by their `encode(to:)`.
///
///     struct Style: Codable { var width = 1.0; var dashes: [Double] = [] }
///     extension Style: ArchivableByCoding {}
///
/// `Style` is then archivable, so properties, elements and keys can have the type `Style`. A file stores the
/// encoded values by key, with their types, and `arcdump` shows the encoded values. Objects in a value keep
/// their identity if their classes are `Archivable`. A value may contain values of its own type. When the
/// value is read, at most `ArchiveLimits.nesting` levels may be nested.
///
/// Use this protocol for types that are already `Codable`, such as types of other modules. `@Archivable`
/// stores a value in less space and reads it faster. If only one property has the type, mark the property
/// with `@Coded` instead.
public protocol ArchivableByCoding: ArchivableValue, Codable {}
