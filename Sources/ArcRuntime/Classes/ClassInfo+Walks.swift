extension ClassInfo {
  /// A member together with the class that declares it.
  public struct Declared<Member: Sendable>: Sendable {
    /// The class that declares the member: the one asked, or one of its superclasses.
    public let declaringClass: ClassInfo
    /// The member.
    public let member: Member
  }

  /// A class, its superclass, and so on upwards.
  public struct Lineage: Sequence, IteratorProtocol, Sendable {
    private var following: ClassInfo?

    init(_ start: ClassInfo?) { following = start }

    /// The next class upwards.
    public mutating func next() -> ClassInfo? {
      defer { following = following?.superclass }
      return following
    }
  }

  /// The class itself and its superclasses, upwards.
  public var lineage: Lineage { Lineage(self) }
  /// The superclasses, upwards.
  public var superclasses: Lineage { Lineage(superclass) }

  /// Whether the class is the named one or inherits from it, as far as the superclasses are known.
  public func inherits(from className: String) -> Bool {
    lineage.contains { $0.name == className || $0.superclassName == className }
  }

  /// All instance variables, as they lie in memory: those of the root class first.
  public var allIvars: [Declared<IvarInfo>] { all(\.ivars) }
  /// All properties, those of the root class first; same-named ones of different classes are all there.
  public var allProperties: [Declared<PropertyInfo>] { all(\.properties) }
  /// All methods, those of the root class first.
  public var allMethods: [Declared<MethodInfo>] { all(\.methods) }

  private func all<Member>(_ members: (ClassInfo) -> [Member]) -> [Declared<Member>] {
    lineage.reversed().flatMap { info in
      members(info).map { Declared(declaringClass: info, member: $0) }
    }
  }

  /// The instance variable with a name, of the nearest class that declares one.
  public func ivar(named name: String) -> Declared<IvarInfo>? {
    nearest(\.ivars) { $0.name.hasSameBytes(as: name) }
  }

  /// The property with a name, of the nearest class that declares one; private ones too.
  public func property(named name: String) -> Declared<PropertyInfo>? {
    nearest(\.properties) { $0.name.hasSameBytes(as: name) }
  }

  /// The method that an object, or the class, answers a selector with.
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

  /// The property that a key means: the name of a property, or one with the class that declares it in front.
  ///
  ///     person.property(forKey: "hairCount")           // the nearest
  ///     person.property(forKey: "Biology.hairCount")   // that of Biology, whatever Person declares
  public func property(forKey key: String) -> Declared<PropertyInfo>? {
    if let found = property(named: key) { return found }
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
