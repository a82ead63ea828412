/// An instance variable of a class.
public struct IvarInfo: Hashable, Sendable {
  /// The name, such as `_name`.
  public var name: String
  /// The type; ``TypeEncoding/uncoded`` is usual in Swift classes without an Objective-C base.
  public var type: TypeEncoding
  /// The distance from the start of an object in bytes, where it is known.
  public var byteOffset: Int?

  /// Makes the description of an instance variable.
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

  /// Makes the description of a property.
  public init(name: String, attributes: PropertyAttributes) {
    self.name = name
    self.attributes = attributes
  }

  /// The type of the property, ``TypeEncoding/uncoded`` where none is told.
  public var type: TypeEncoding { attributes.type ?? .uncoded }
  /// The selector that gets the property.
  public var getterSelector: String { attributes.getterSelector(forProperty: name) }
  /// The selector that sets the property, `nil` where it cannot be set.
  public var setterSelector: String? { attributes.setterSelector(forProperty: name) }
  /// The instance variable that stores the property, `nil` where it has none.
  public var ivar: IvarInfo? { attributes.ivar.map { IvarInfo(name: $0, type: type) } }
}

/// A method of a class.
public struct MethodInfo: Hashable, Sendable {
  /// The selector, such as `setName:`.
  public var selector: String
  /// The types of the result and the arguments.
  public var type: MethodType
  /// Whether the class itself has the method, and not its instances.
  public var isClassMethod: Bool

  /// Makes the description of a method.
  public init(selector: String, type: MethodType, isClassMethod: Bool = false) {
    self.selector = selector
    self.type = type
    self.isClassMethod = isClassMethod
  }

  /// How many arguments the selector takes: the number of its colons.
  public var selectorArgumentCount: Int { selector.utf8.count { $0 == UInt8(ascii: ":") } }
}
