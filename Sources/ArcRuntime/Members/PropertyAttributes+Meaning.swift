/// The meaning of the attributes.
extension PropertyAttributes {
  /// Whether the property cannot be set: the attribute string contains the attribute `R`.
  public var isReadOnly: Bool { flags.contains(.readOnly) }
  /// Whether the setter copies the new value: the attribute string contains the attribute `C`.
  public var isCopied: Bool { flags.contains(.copy) }
  /// Whether the property retains its object: the attribute string contains the attribute `&`.
  public var isRetained: Bool { flags.contains(.retain) }
  /// Whether the accessors use no lock: the attribute string contains the attribute `N`.
  public var isNonatomic: Bool { flags.contains(.nonatomic) }
  /// Whether the property does not retain its object: the attribute string contains the attribute `W`.
  public var isWeak: Bool { flags.contains(.weak) }
  /// Whether the accessors are provided at run time: the attribute string contains the attribute `D`.
  public var isDynamic: Bool { flags.contains(.dynamic) }
  /// Whether the property is optional in its protocol: the attribute string contains the attribute `?`.
  public var isOptional: Bool { flags.contains(.optional) }
  /// Whether Apple's former garbage collector retained the object: the attribute string contains the
  /// attribute `P`.
  public var isCollectable: Bool { flags.contains(.collectable) }

  /// The name of the getter, from the attribute `G`. Nil without this attribute.
  public var getter: String? { value(of: UInt8(ascii: "G")) }
  /// The name of the setter with its colon, from the attribute `S`. Nil without this attribute.
  ///
  /// A read-only property may have a setter name.
  public var setter: String? { value(of: UInt8(ascii: "S")) }
  /// The name of the instance variable, from the attribute `V`. Nil if the property is computed.
  public var ivar: String? { value(of: UInt8(ascii: "V")) }
  /// The old-style encoding of the type, from the attribute `t`. Nil without this attribute.
  public var oldStyleType: String? { value(of: UInt8(ascii: "t")) }

  /// The attributes that this version of Arc does not know, in the order of the attribute string.
  public var unknownAttributes: [Attribute] {
    attributes.filter { attribute in
      !attribute.name.isEmpty && attribute.flag.isEmpty && attribute.letter != UInt8(ascii: "T")
    }
  }

  /// Returns the value of the first attribute with a name, which is a letter or a long name. Nil if no
  /// attribute has the name.
  public func value(ofAttribute name: String) -> String? { attributes.first { $0.name == name }?.value }

  private func value(of letter: UInt8) -> String? { attributes.first { $0.letter == letter }?.value }

  /// Returns the selector of the getter: the value of the attribute `G`. Without this attribute, the selector
  /// is the property's name.
  public func getterSelector(forProperty name: String) -> String { getter ?? name }

  /// Returns the selector of the setter: the value of the attribute `S`. Without this attribute, the selector
  /// is `setName:`, in which an ASCII letter after `set` is in upper case.
  ///
  /// The result is nil if the property is read-only.
  ///
  /// - Parameter name: the name of the property.
  /// - Returns: the selector.
  public func setterSelector(forProperty name: String) -> String? {
    if isReadOnly { return nil }
    if let setter { return setter }
    guard let first = name.unicodeScalars.first else { return "set:" }
    guard first.isASCII else { return "set" + name + ":" }
    return "set" + String(first).uppercased() + String(name.unicodeScalars.dropFirst()) + ":"
  }
}

/// An initializer that creates the attributes from the facts of a declaration.
extension PropertyAttributes {
  /// The order in which a compiler writes attributes.
  public enum Order: Sendable {
    /// `T ? N R W C & D P G S V`: Swift's order. The attributes that only clang writes are inserted in
    /// between.
    case swift
    /// `T ? R C & W D N P G S V`: clang's order.
    case clang
  }

  /// Creates the attributes of a property.
  ///
  /// - Parameters:
  ///   - type: the type of the property.
  ///   - flags: the attributes without a value, such as ``EncodingFlags/readOnly``. Bits for the type, and
  ///     for attributes with a value, are ignored.
  ///   - getter: the name of the getter; nil if it is the property's name.
  ///   - setter: the name of the setter with its colon; nil if it is `setName:`.
  ///   - ivar: the name of the instance variable; nil if the property is computed.
  ///   - order: the compiler whose order of attributes the result follows.
  ///   - others: further attributes to append.
  public init(
    type: TypeEncoding, flags: EncodingFlags = [], getter: String? = nil, setter: String? = nil,
    ivar: String? = nil, order: Order = .swift, others: [Attribute] = []
  ) {
    var attributes = [Attribute(letter: UInt8(ascii: "T"), value: type.description)]
    for letter in (order == .swift ? "?NRWC&DP" : "?RC&WDNP").utf8 {
      let attribute = Attribute(letter: letter)
      if flags.contains(attribute.flag) { attributes.append(attribute) }
    }
    if let getter { attributes.append(Attribute(letter: UInt8(ascii: "G"), value: getter)) }
    if let setter { attributes.append(Attribute(letter: UInt8(ascii: "S"), value: setter)) }
    if let ivar { attributes.append(Attribute(letter: UInt8(ascii: "V"), value: ivar)) }
    self.init(attributes: attributes + others, type: type)
  }
}
