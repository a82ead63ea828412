/// An instance variable of a class.
public struct IvarInfo: Hashable, Sendable {
  /// The name of the variable, such as `_name`.
  public var name: String
  /// The type of the variable.
  ///
  /// In Swift classes without an Objective-C base class, the type is usually ``TypeEncoding/uncoded``.
  public var type: TypeEncoding
  /// The distance of the variable from the start of an object, in bytes. Nil if the distance is unknown.
  public var byteOffset: Int?

  /// Creates the description of an instance variable.
  public init(name: String, type: TypeEncoding, byteOffset: Int? = nil) {
    self.name = name
    self.type = type
    self.byteOffset = byteOffset
  }
}

/// A property of a class: its name and its attributes.
///
///     PropertyInfo(name: "age", attributes: try PropertyAttributes(parsing: "Tq,N,Vage"))
public struct PropertyInfo: Hashable, Sendable {
  /// The name of the property.
  public var name: String
  /// The type, access and storage of the property.
  public var attributes: PropertyAttributes

  /// Creates the description of a property.
  public init(name: String, attributes: PropertyAttributes) {
    self.name = name
    self.attributes = attributes
  }

  /// The type of the property. The type is ``TypeEncoding/uncoded`` if the attributes contain no type.
  public var type: TypeEncoding { attributes.type ?? .uncoded }
  /// The selector of the getter.
  public var getterSelector: String { attributes.getterSelector(forProperty: name) }
  /// The selector of the setter. Nil if the property cannot be set.
  public var setterSelector: String? { attributes.setterSelector(forProperty: name) }
  /// The instance variable that stores the property. Nil if the property is computed.
  public var ivar: IvarInfo? { attributes.ivar.map { IvarInfo(name: $0, type: type) } }
}

/// A method of a class.
public struct MethodInfo: Hashable, Sendable {
  /// The selector, such as `setName:`.
  public var selector: String
  /// The types of the result and the arguments.
  public var type: MethodType
  /// Whether the method is a class method.
  public var isClassMethod: Bool

  /// Creates the description of a method.
  public init(selector: String, type: MethodType, isClassMethod: Bool = false) {
    self.selector = selector
    self.type = type
    self.isClassMethod = isClassMethod
  }

  /// The number of arguments of the selector, which equals the number of its colons.
  public var selectorArgumentCount: Int { selector.utf8.count { $0 == UInt8(ascii: ":") } }
}
