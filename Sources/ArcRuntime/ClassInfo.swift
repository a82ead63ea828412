/// What is known of a class without having it: its name, its superclass's, and the properties it declares.
public struct ClassInfo: Hashable, Sendable {
  /// The name of the class.
  public var name: String
  /// The name of the superclass, `nil` for a root class.
  public var superclassName: String?
  /// The properties that the class itself declares, in order; those of its superclasses are not among them.
  public var properties: [PropertyInfo]

  /// Makes the description of a class.
  public init(name: String, superclassName: String? = nil, properties: [PropertyInfo] = []) {
    self.name = name
    self.superclassName = superclassName
    self.properties = properties
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
}
