/// What is known of a class, whether the program has it or only a file tells of it.
///
/// Made once and shared: it never changes. It holds what the class itself declares; what it inherits is
/// reached through ``lineage``, so same-named members of a class and its superclass stay apart.
///
///     let biology = ClassInfo(name: "Biology", properties: [hairCount])
///     let person = ClassInfo(name: "Person", superclass: biology, properties: [name])
///     person.property(named: "hairCount")?.declaringClass.name   // Biology
public final class ClassInfo: @unchecked Sendable {  // `link` changes in `deinit` only.
  /// The name of the class.
  public let name: String
  /// The name of the superclass, `nil` for a root class.
  public let superclassName: String?
  /// The instance variables that the class itself declares, in order.
  public let ivars: [IvarInfo]
  /// The properties that the class itself declares, in order.
  public let properties: [PropertyInfo]
  /// The methods that the class itself declares, those of the class object too.
  public let methods: [MethodInfo]
  /// The names of the protocols that the class itself adopts.
  public let protocols: [String]
  /// What can be said of the class as a whole.
  public let flags: ClassFlags
  private var link: ClassInfo?

  /// Makes the description of a class.
  ///
  /// - Parameters:
  ///   - name: the name of the class.
  ///   - superclass: the description of the superclass, where there is one.
  ///   - superclassName: the name of a superclass that is not described.
  ///   - ivars: the own instance variables; without them, those that the properties name.
  ///   - properties: the own properties.
  ///   - methods: the own methods.
  ///   - protocols: the own protocols.
  ///   - flags: what only the maker knows; what follows from the properties is added.
  public init(
    name: String, superclass: ClassInfo? = nil, superclassName: String? = nil, ivars: [IvarInfo]? = nil,
    properties: [PropertyInfo] = [], methods: [MethodInfo] = [], protocols: [String] = [],
    flags: ClassFlags = []
  ) {
    self.name = name
    self.superclassName = superclass?.name ?? superclassName
    self.ivars = ivars ?? properties.compactMap(\.ivar)
    self.properties = properties
    self.methods = methods
    self.protocols = protocols
    self.flags = flags.union(ClassFlags(following: properties, isRoot: self.superclassName == nil))
    link = superclass
  }

  deinit {
    // A chain of superclasses from a file can be long: it is released one by one, not by recursion.
    var next = link.take()
    while next != nil, isKnownUniquelyReferenced(&next) {
      let following = next?.link.take()
      next = following
    }
  }

  /// The description of the superclass, `nil` for a root class and where it is not known.
  public var superclass: ClassInfo? { link }
}

extension ClassInfo: Hashable {
  /// Whether both describe the same: what the class declares, and all that it inherits.
  public static func == (a: ClassInfo, b: ClassInfo) -> Bool {
    var (left, right): (ClassInfo?, ClassInfo?) = (a, b)
    while let first = left, let second = right {
      if first === second { return true }
      guard first.declaresTheSame(as: second) else { return false }
      (left, right) = (first.superclass, second.superclass)
    }
    return left == nil && right == nil
  }

  /// Feeds the name and the own properties into the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(superclassName)
    hasher.combine(properties)
  }

  private func declaresTheSame(as other: ClassInfo) -> Bool {
    name == other.name && superclassName == other.superclassName && ivars == other.ivars
      && properties == other.properties && methods == other.methods && protocols == other.protocols
      && flags == other.flags
  }
}

/// What can be said of a class as a whole.
public struct ClassFlags: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Makes flags of their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Bit 0: has no superclass.
  public static let root = ClassFlags(rawValue: 1 << 0)
  /// Bit 1: is a class of Swift.
  public static let swift = ClassFlags(rawValue: 1 << 1)
  /// Bit 2: is coded by hand, so that its properties are not told.
  public static let codedByHand = ClassFlags(rawValue: 1 << 2)
  /// Bit 3: is known from a file only.
  public static let foreign = ClassFlags(rawValue: 1 << 3)
  /// Bit 4: declares a weak property.
  public static let hasWeakProperties = ClassFlags(rawValue: 1 << 4)
  /// Bit 5: declares a property that refers to objects, weakly or not.
  public static let hasReferences = ClassFlags(rawValue: 1 << 5)
  /// Bit 6: declares a property that cannot be set.
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
