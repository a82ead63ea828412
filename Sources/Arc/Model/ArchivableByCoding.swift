/// A `Codable` type whose values are archived as what they encode.
///
///     struct Style: Codable { var width = 1.0; var dashes: [Double] = [] }
///     extension Style: ArchivableByCoding {}
///
/// Afterwards a `Style` is an archivable value like any other: a property, an element, a key. A file has its
/// values by keys, with types: `arcdump` shows them. Objects inside whose classes are `Archivable` are
/// archived as objects, so that they keep their identity. Such a value may be nested in its own kind: as deep
/// as `ArchiveLimits.nesting` says when it is read.
///
/// `@Archivable` stores a value in less space and reads it faster; this is for types that are `Codable`
/// already, by hand or of another module. A single property need not conform: mark it with `@Coded`.
public protocol ArchivableByCoding: ArchivableValue, Codable {}
