import ArcMemory
public import ArcRuntime

extension ClassInfo {
  /// Returns the description of an archivable class. The description is created once and then shared.
  ///
  ///     try ClassInfo.of(Person.self).property(named: "name")?.member.attributes
  ///     // T@"NSString",N,R,C,V_name
  ///
  /// The types of properties are the encodings of their Swift types. The methods are the accessors of
  /// properties. The instance variables have the offsets that the runtime reports.
  ///
  /// - Parameter type: the class.
  /// - Returns: the description.
  /// - Throws: `ArchiveError` with code `notArchivable` or `nameConflict` if the class cannot be archived.
  public static func of(_ type: any Archivable.Type) throws -> ClassInfo {
    try ClassTable.shared.info(of: type)
  }
}

extension ClassTable {
  /// Returns the shared description of an archivable class. The class need not be registered.
  ///
  /// - Parameter type: the class.
  /// - Returns: the description.
  /// - Throws: `ArchiveError` with code `notArchivable` or `nameConflict` if the class cannot be archived.
  public func info(of type: any Archivable.Type) throws -> ClassInfo {
    try info(of: type as AnyClass) {
      let programClass = try ProgramClass.of(type)
      let own = programClass.slots.prefix(programClass.schema.properties.count)
      let properties = own.map { slot in
        PropertyInfo(name: slot.property.name, attributes: slot.attributes)
      }
      let fields = StoredField.all(of: type)
      let ivars = properties.compactMap { property in
        property.ivar.map { ivar in
          // The field of a property wrapper has the name of the instance variable.
          let field = fields.first { $0.name == property.name } ?? fields.first { $0.name == ivar.name }
          return IvarInfo(name: ivar.name, type: ivar.type, byteOffset: field?.offset)
        }
      }
      let superclass = try programClass.schema.superclass.map { try info(of: $0.type) }
      return ClassInfo(
        name: programClass.schema.name, superclass: superclass,
        version: UInt64(clamping: programClass.schema.version), ivars: ivars, properties: properties,
        methods: properties.flatMap(Self.accessors),
        flags: programClass.schema.isKeyed ? [.swift, .codedByHand] : .swift)
    }
  }

  /// Returns the methods that Objective-C would declare for a property.
  private static func accessors(of property: PropertyInfo) -> [MethodInfo] {
    let getter = MethodInfo(
      selector: property.getterSelector, type: .method(returning: property.type))
    let setter = property.setterSelector.map { selector in
      MethodInfo(selector: selector, type: .method(returning: .scalar(.void), [property.type]))
    }
    return [getter] + (setter.map { [$0] } ?? [])
  }
}
