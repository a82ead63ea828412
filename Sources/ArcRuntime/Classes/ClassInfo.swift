/// A description of a class: its name, superclass, members and protocols.
///
///     let biology = ClassInfo(name: "Biology", properties: [hairCount])
///     let person = ClassInfo(name: "Person", superclass: biology, properties: [name])
///     person.property(named: "hairCount")?.declaringClass.name   // Biology
///
/// The described class belongs to the program, or exists only in a file. A description never changes.
///
/// A description contains only the members that the class itself declares. So a class and its superclass can
/// declare different members with the same name. To find inherited members, search the ``lineage``.
public final class ClassInfo: @unchecked Sendable {  // `link` changes in `deinit` only.
  /// The name of the class.
  public let name: String
  /// The name of the superclass. Nil if the class is a root class.
  public let superclassName: String?
  /// The version that the class declares. 0 if the class declares no version.
  public let version: UInt64
  /// The instance variables that the class itself declares, in order.
  public let ivars: [IvarInfo]
  /// The properties that the class itself declares, in order.
  public let properties: [PropertyInfo]
  /// The methods that the class itself declares, including class methods.
  public let methods: [MethodInfo]
  /// The names of the protocols that the class itself adopts.
  public let protocols: [String]
  /// Facts about the class itself, such as whether the class is a root class.
  public let flags: ClassFlags
  private var link: ClassInfo?

  /// Creates the description of a class.
  ///
  ///     let person = ClassInfo(name: "Person", superclass: biology, properties: [name])
  ///
  /// - Parameters:
  ///   - name: the name of the class.
  ///   - superclass: the description of the superclass; nil if there is no description.
  ///   - superclassName: the name of the superclass; used only if `superclass` is nil.
  ///   - version: the version that the class declares.
  ///   - ivars: the instance variables that the class declares; nil to use the instance variables that
  ///     `properties` name.
  ///   - properties: the properties that the class declares.
  ///   - methods: the methods that the class declares.
  ///   - protocols: the protocols that the class adopts.
  ///   - flags: additional flags. Flags that follow from the properties are added automatically.
  public init(
    name: String, superclass: ClassInfo? = nil, superclassName: String? = nil, version: UInt64 = 0,
    ivars: [IvarInfo]? = nil, properties: [PropertyInfo] = [], methods: [MethodInfo] = [],
    protocols: [String] = [],
    flags: ClassFlags = []
  ) {
    self.name = name
    self.superclassName = superclass?.name ?? superclassName
    self.version = version
    self.ivars = ivars ?? properties.compactMap(\.ivar)
    self.properties = properties
    self.methods = methods
    self.protocols = protocols
    self.flags = flags.union(ClassFlags(following: properties, isRoot: self.superclassName == nil))
    link = superclass
  }

  deinit {
    // A file may contain a long chain of superclasses. A loop releases it, because recursion would use stack.
    var next = link.take()
    while next != nil, isKnownUniquelyReferenced(&next) {
      let following = next?.link.take()
      next = following
    }
  }

  /// The description of the superclass. Nil if the class is a root class or its superclass is unknown.
  public var superclass: ClassInfo? { link }
}

extension ClassInfo: Hashable {
  /// Returns whether the descriptions of two classes, and of all their superclasses, are equal.
  public static func == (a: ClassInfo, b: ClassInfo) -> Bool {
    var (left, right): (ClassInfo?, ClassInfo?) = (a, b)
    while let first = left, let second = right {
      if first === second { return true }
      guard first.declaresTheSame(as: second) else { return false }
      (left, right) = (first.superclass, second.superclass)
    }
    return left == nil && right == nil
  }

  /// Hashes the name, the superclass's name and the declared properties.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(superclassName)
    hasher.combine(properties)
  }

  private func declaresTheSame(as other: ClassInfo) -> Bool {
    name == other.name && superclassName == other.superclassName && version == other.version
      && ivars == other.ivars && properties == other.properties && methods == other.methods
      && protocols == other.protocols
      && flags == other.flags
  }
}

/// Facts about a class itself, such as whether the class has a superclass or weak properties.
public struct ClassFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Creates flags from bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Bit 0: the class has no superclass.
  public static let root = ClassFlags(rawValue: 1 << 0)
  /// Bit 1: the class is a Swift class.
  public static let swift = ClassFlags(rawValue: 1 << 1)
  /// Bit 2: the class has hand-written coding, so its properties are unknown.
  public static let codedByHand = ClassFlags(rawValue: 1 << 2)
  /// Bit 3: the class is known only from a file.
  public static let foreign = ClassFlags(rawValue: 1 << 3)
  /// Bit 4: the class declares a weak property.
  public static let hasWeakProperties = ClassFlags(rawValue: 1 << 4)
  /// Bit 5: the class declares a property that refers to objects, weakly or strongly.
  public static let hasReferences = ClassFlags(rawValue: 1 << 5)
  /// Bit 6: the class declares a property that cannot be set.
  public static let hasReadOnlyProperties = ClassFlags(rawValue: 1 << 6)

  init(following properties: [PropertyInfo], isRoot: Bool) {
    var flags: ClassFlags = isRoot ? .root : []
    for property in properties {
      let attributes = property.attributes
      if attributes.isReadOnly { flags.insert(.hasReadOnlyProperties) }
      if attributes.isWeak { flags.insert(.hasWeakProperties) }
      if attributes.isWeak || attributes.isRetained || attributes.flags.kind == .object {
        flags.insert(.hasReferences)
      }
    }
    self = flags
  }
}
