import ArcFormat
import Synchronization

/// Finds composed types by their coded names: arrays, sets, dictionaries and optionals. The runtime creates
/// such a type when it is first named. Values of type `Any` can have such types.
struct ComposedTypes {
  /// The maximum nesting of types in a name, because a file must not make the runtime create types without
  /// limit.
  private static let depthLimit = 8

  /// The kind of a composed type, by its name in files.
  enum Composition: String {
    case array = "Array"
    case optional = "Optional"
    case set = "Set"
    case dictionary = "Dictionary"

    var partCount: Int { self == .dictionary ? 2 : 1 }
    var hashesFirst: Bool { self == .set || self == .dictionary }
  }

  /// The composed types that files have named before. The cache has a limit.
  var cache = ComposedTypeCache.shared
  /// Finds a type by its name, if the type is not composed of other types. Returns nil if there is no such
  /// type.
  let part: (_ name: Substring) throws -> (any ArchivableValue.Type)?

  /// Returns the type with a name, such as `Dictionary<String, Array<Int>>`. Nil if the type is not composed,
  /// or if a part of the type is not found.
  func type(named name: Substring, depth: Int = 0) throws -> (any ArchivableValue.Type)? {
    guard depth < Self.depthLimit, let (head, arguments) = Self.split(name),
      let composition = Composition(rawValue: String(head)), arguments.count == composition.partCount
    else { return nil }
    var types: [any ArchivableValue.Type] = []
    for argument in arguments {
      guard let type = try type(named: argument, depth: depth + 1) ?? part(argument) else { return nil }
      types.append(type)
    }
    let (first, last) = (types[0], types[types.count - 1])
    let key = first as? any (Hashable & ArchivableValue).Type
    // A type is added to the cache only if it can exist.
    guard key != nil || !composition.hashesFirst, cache.admits(composition, first, last) else { return nil }
    switch composition {
    case .array: return Self.array(of: first)
    case .optional: return Self.optional(of: first)
    case .set: return key.map { Self.set(of: $0) }
    case .dictionary: return key.map { Self.dictionary(of: $0, to: last) }
    }
  }

  /// Splits a generic name into the name of the type and its arguments. Nil if the name has no arguments.
  private static func split(_ name: Substring) -> (head: Substring, arguments: [Substring])? {
    guard name.utf8.last == UInt8(ascii: ">"), let open = name.utf8.firstIndex(of: UInt8(ascii: "<")) else {
      return nil
    }
    let inside = name[name.index(after: open)..<name.index(before: name.endIndex)]
    var arguments: [Substring] = []
    var (start, depth) = (inside.startIndex, 0)
    for index in inside.utf8.indices {
      switch inside.utf8[index] {
      case UInt8(ascii: "<"), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ">"), UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        arguments.append(inside[start..<index])
        start = inside.utf8.index(after: index)
        if inside[start...].utf8.first == UInt8(ascii: " ") { start = inside.utf8.index(after: start) }
      default: break
      }
    }
    return (name[..<open], arguments + [inside[start...]])
  }

  private static func array<Element: ArchivableValue>(of type: Element.Type) -> any ArchivableValue.Type {
    [Element].self
  }

  private static func optional<Wrapped: ArchivableValue>(of type: Wrapped.Type) -> any ArchivableValue.Type {
    Wrapped?.self
  }

  private static func set<Element: Hashable & ArchivableValue>(
    of type: Element.Type
  ) -> any ArchivableValue.Type { Set<Element>.self }

  private static func dictionary<Key: Hashable & ArchivableValue, Value: ArchivableValue>(
    of key: Key.Type, to value: Value.Type
  ) -> any ArchivableValue.Type { [Key: Value].self }
}

/// The composed types that files have named. The runtime never releases a type that it has created, so many
/// files could use up the memory of the program. When the limit is reached, further types are found only if
/// they are registered.
final class ComposedTypeCache: Sendable {
  static let shared = ComposedTypeCache(limit: 1024)

  private struct Key: Hashable {
    let composition: ComposedTypes.Composition
    let first: ObjectIdentifier
    let last: ObjectIdentifier
  }

  private let limit: Int
  private let keys = Mutex<Set<Key>>([])

  init(limit: Int) { self.limit = limit }

  /// Returns whether a composed type may be created. True if the type was admitted before, or if the limit is
  /// not reached. `first` and `last` are the first and the last part of the type, for example the key type
  /// and the value type of a dictionary.
  func admits(
    _ composition: ComposedTypes.Composition, _ first: any ArchivableValue.Type,
    _ last: any ArchivableValue.Type
  ) -> Bool {
    let key = Key(composition: composition, first: ObjectIdentifier(first), last: ObjectIdentifier(last))
    return keys.withLock { keys in
      if keys.contains(key) { return true }
      guard keys.count < limit else { return false }
      keys.insert(key)
      return true
    }
  }
}
