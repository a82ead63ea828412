extension ClassInfo {
  /// A member of a class, together with the class that declares it.
  public struct Declared<Member: Sendable>: Sendable {
    /// The class that declares the member: the class that was searched, or one of its superclasses.
    public let declaringClass: ClassInfo
    /// The member.
    public let member: Member
  }

  /// A sequence of a class and its superclasses, from the class up to the root class.
  public struct Lineage: Sequence, IteratorProtocol, Sendable {
    private var following: ClassInfo?

    init(_ start: ClassInfo?) { following = start }

    /// Returns the next class: first the class itself, then each superclass. Nil after the last superclass.
    public mutating func next() -> ClassInfo? {
      defer { following = following?.superclass }
      return following
    }
  }

  /// The class itself and its superclasses. Ends at the root class, or before a class without a `ClassInfo`.
  public var lineage: Lineage { Lineage(self) }
  /// The superclasses, nearest first. Ends at the root class, or before a class without a `ClassInfo`.
  public var superclasses: Lineage { Lineage(superclass) }

  /// Returns whether the class is the named class or inherits from it.
  ///
  /// If only the name of a superclass is known, the search compares this name and ends, because the
  /// superclasses above it are unknown.
  ///
  /// - Parameter className: the name to search for.
  /// - Returns: whether the class or one of its known superclasses has the name.
  public func inherits(from className: String) -> Bool {
    lineage.contains { $0.name == className || $0.superclassName == className }
  }

  /// All instance variables in memory order, beginning with the variables of the root class.
  public var allIvars: [Declared<IvarInfo>] { all(\.ivars) }
  /// All properties, beginning with the properties of the root class.
  ///
  /// If several classes declare a property of the same name, the array contains each of these properties.
  public var allProperties: [Declared<PropertyInfo>] { all(\.properties) }
  /// All methods, beginning with the methods of the root class.
  public var allMethods: [Declared<MethodInfo>] { all(\.methods) }

  private func all<Member>(_ members: (ClassInfo) -> [Member]) -> [Declared<Member>] {
    lineage.reversed().flatMap { info in
      members(info).map { Declared(declaringClass: info, member: $0) }
    }
  }

  /// Returns the instance variable with a name, from the nearest class that declares it. Nil if no class
  /// declares it.
  public func ivar(named name: String) -> Declared<IvarInfo>? {
    nearest(\.ivars) { $0.name.hasSameBytes(as: name) }
  }

  /// Returns the property with a name, from the nearest class that declares it. Nil if no class declares it.
  ///
  /// Private properties are included.
  ///
  /// - Parameter name: the name of the property.
  /// - Returns: the property, with the class that declares it.
  public func property(named name: String) -> Declared<PropertyInfo>? {
    nearest(\.properties) { $0.name.hasSameBytes(as: name) }
  }

  /// Returns the method for a selector, from the nearest class that declares it. Nil if no class declares it.
  public func method(selector: String, isClassMethod: Bool = false) -> Declared<MethodInfo>? {
    nearest(\.methods) { $0.selector == selector && $0.isClassMethod == isClassMethod }
  }

  private func nearest<Member>(
    _ members: (ClassInfo) -> [Member], where fits: (Member) -> Bool
  ) -> Declared<Member>? {
    for info in lineage {
      if let member = members(info).first(where: fits) {
        return Declared(declaringClass: info, member: member)
      }
    }
    return nil
  }

  /// Returns the property for a key such as `hairCount` or `Biology.hairCount`. Nil if there is no such
  /// property.
  ///
  ///     person.property(forKey: "hairCount")           // declared by the nearest class
  ///     person.property(forKey: "Biology.hairCount")   // declared by Biology, not by Person
  ///
  /// - Parameter key: the name of the property, or the declaring class, a dot and the name of the property.
  /// - Returns: the property, with the class that declares it.
  public func property(forKey key: String) -> Declared<PropertyInfo>? {
    if let property = property(named: key) { return property }
    for info in lineage where key.hasPrefix(info.name) {
      let rest = key.dropFirst(info.name.count)
      guard rest.first == "." else { continue }
      if let property = info.properties.first(where: { $0.name == rest.dropFirst() }) {
        return Declared(declaringClass: info, member: property)
      }
    }
    return nil
  }
}
