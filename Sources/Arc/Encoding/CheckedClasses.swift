import Synchronization

/// The classes that a check has examined, each together with the types of the roots with which it was
/// examined. The check then examines them only once per process.
struct CheckedClasses: ~Copyable, Sendable {
  /// Each element contains the identities of the types of the roots, followed by the identity of the class.
  private let identities = Mutex<Set<[ObjectIdentifier]>>([])

  /// Whether a class was examined.
  func contains(_ type: Any.Type, roots: [any ArchivableValue.Type]) -> Bool {
    identities.withLock { $0.contains(Self.identity(type, roots)) }
  }

  /// Adds a class. Returns whether it was not examined before.
  @discardableResult func insert(_ type: Any.Type, roots: [any ArchivableValue.Type]) -> Bool {
    identities.withLock { $0.insert(Self.identity(type, roots)).inserted }
  }

  private static func identity(_ type: Any.Type, _ roots: [any ArchivableValue.Type]) -> [ObjectIdentifier] {
    roots.map { ObjectIdentifier($0) } + [ObjectIdentifier(type)]
  }
}
