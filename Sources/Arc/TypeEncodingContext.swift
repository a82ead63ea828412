/// Collects a type encoding: knows which types enclose the one being described, and which classes were met.
public final class TypeEncodingContext {
  /// A field of a structure, a case of an enumeration, or an associated value of a case.
  public struct Member {
    let keys: [String]
    let encoding: TypeEncoding?
  }

  private var enclosing: [ObjectIdentifier] = []
  /// Classes that the types refer to.
  private(set) var classes: [any Archivable.Type] = []
  /// Older names of fields and cases, by the name of their type.
  private(set) var olderNames: [String: [String: [String]]] = [:]

  /// References in types so far. A mention of an enclosing type counts, since there may be references in it.
  private var referenceCount = 0
  /// Whether one of them is not read as it is stored, but given by a wrapper, a raw value or a macro.
  private(set) var hasComputedReferences = false

  init() {}

  /// Remembers a class that a property refers to.
  private func noteClass(_ type: any Archivable.Type) {
    referenceCount += 1
    // There are few: as many as one class declares references.
    if !classes.contains(where: { $0 == type }) { classes.append(type) }
  }

  /// The encoding of a reference: `@"Name"`.
  public func reference(to type: any Archivable.Type) -> TypeEncoding {
    noteClass(type)
    return .object(named: type.archiveSchema.name)
  }

  /// The encoding of a type of which values are computed.
  func computed(_ encoding: () -> TypeEncoding) -> TypeEncoding {
    let count = referenceCount
    defer { if referenceCount > count { hasComputedReferences = true } }
    return encoding()
  }

  /// The encoding of a structure, `{Name="key"T…}`, or inside itself only its name, `{Name}`.
  public func structure(_ type: Any.Type, name: String, _ fields: () -> [Member]) -> TypeEncoding {
    .structure(name: name, fields: members(of: type, name: name, fields))
  }

  /// The encoding of an enumeration, `$(Name="case"…)`, or inside itself only its name.
  public func enumeration(_ type: Any.Type, name: String, _ cases: () -> [Member]) -> TypeEncoding {
    .enumeration(name: name, cases: members(of: type, name: name, cases))
  }

  private func members(of type: Any.Type, name: String, _ members: () -> [Member]) -> [TypeEncoding.Field]? {
    let identity = ObjectIdentifier(type)
    if enclosing.contains(identity) {
      referenceCount += 1
      return nil
    }
    enclosing.append(identity)
    defer { enclosing.removeLast() }
    return members().map { member in
      let key = member.keys.first ?? ""
      if member.keys.count > 1 { olderNames[name, default: [:]][key] = Array(member.keys.dropFirst()) }
      return TypeEncoding.Field(name: key, type: member.encoding ?? .uncoded)
    }
  }

  /// A stored property of a structure; `accessor` only tells the type of a property that has no annotation.
  public func member<Owner, Value: ArchivableValue>(
    _ name: String, keys: [String]? = nil, _ traits: PropertyTraits = [], _ accessor: (Owner) -> Value
  ) -> Member {
    let isComputed = !traits.isDisjoint(with: .computed)
    let encoding =
      isComputed ? computed { Value.__typeEncoding(in: self) } : Value.__typeEncoding(in: self)
    return Member(keys: keys ?? [name], encoding: traits.contains(.weak) ? .weak(encoding) : encoding)
  }

  /// A case of an enumeration: without payload, or with a nameless structure of its associated values.
  public func enumerationCase(_ name: String, keys: [String]? = nil, _ payload: [Member] = []) -> Member {
    let fields = payload.map { TypeEncoding.Field(name: $0.keys.first, type: $0.encoding ?? .uncoded) }
    return Member(
      keys: keys ?? [name], encoding: payload.isEmpty ? nil : .structure(name: "?", fields: fields))
  }

  /// An associated value; the label is empty if it has none.
  public func associatedValue<Value: ArchivableValue>(_ label: String, _ type: Value.Type) -> Member {
    Member(keys: [label], encoding: Value.__typeEncoding(in: self))
  }
}

extension TypeEncoding {
  /// The type encoding of an archivable type: `q` for `Int`, `$[@"Person"]` for `[Person]`.
  public init(of type: any ArchivableValue.Type) { self = type.__typeEncoding(in: TypeEncodingContext()) }
}
