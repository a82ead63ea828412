import Synchronization

/// The classes that a check has examined, so that it examines each class only once per process. A class is
/// examined again for roots of other types, so each class is stored with the types of the roots.
struct CheckedClasses: ~Copyable, Sendable {
  /// One element per examined class: the identities of the types of the roots, followed by the identity of
  /// the class.
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
