/// What the attributes say.
extension PropertyAttributes {
  /// Whether the property cannot be set: `R`.
  public var isReadOnly: Bool { flags.contains(.readOnly) }
  /// Whether the setter copies: `C`.
  public var isCopied: Bool { flags.contains(.copy) }
  /// Whether the property keeps its object: `&`.
  public var isRetained: Bool { flags.contains(.retain) }
  /// Whether the accessors take no lock: `N`.
  public var isNonatomic: Bool { flags.contains(.nonatomic) }
  /// Whether the property refers to its object without keeping it: `W`.
  public var isWeak: Bool { flags.contains(.weak) }
  /// Whether the accessors come at run time: `D`.
  public var isDynamic: Bool { flags.contains(.dynamic) }
  /// Whether a class that conforms to the protocol may leave the property out: `?`.
  public var isOptional: Bool { flags.contains(.optional) }
  /// Whether the garbage collector, where there was one, kept the object: `P`.
  public var isCollectable: Bool { flags.contains(.collectable) }

  /// The name of the getter where it is written: `G`.
  public var getter: String? { value(of: UInt8(ascii: "G")) }
  /// The name of the setter where it is written, with its colon: `S`. Also a read-only property can have one.
  public var setter: String? { value(of: UInt8(ascii: "S")) }
  /// The name of the instance variable, `nil` for a computed property: `V`.
  public var ivar: String? { value(of: UInt8(ascii: "V")) }
  /// The type in the old style: `t`.
  public var oldStyleType: String? { value(of: UInt8(ascii: "t")) }

  /// Attributes that this version gives no meaning to, in order.
  public var unknownAttributes: [Attribute] {
    attributes.filter { attribute in
      !attribute.name.isEmpty && attribute.flag.isEmpty && attribute.letter != UInt8(ascii: "T")
    }
  }

  /// The value of the first attribute with the name, letter or long name; `nil` where there is none.
  public func value(ofAttribute name: String) -> String? { attributes.first { $0.name == name }?.value }

  private func value(of letter: UInt8) -> String? { attributes.first { $0.letter == letter }?.value }

  /// The selector that gets the property: the written one, or the property's name.
  public func getterSelector(forProperty name: String) -> String { getter ?? name }

  /// The selector that sets the property: the written one, or `setName:` with the first letter in upper case
  /// if it is an ASCII letter. `nil` for a read-only property, for which no setter is declared.
  public func setterSelector(forProperty name: String) -> String? {
    if isReadOnly { return nil }
    if let setter { return setter }
    guard let first = name.unicodeScalars.first else { return "set:" }
    guard first.isASCII else { return "set" + name + ":" }
    return "set" + String(first).uppercased() + String(name.unicodeScalars.dropFirst()) + ":"
  }
}

/// Attributes made from what a declaration says.
extension PropertyAttributes {
  /// The order in which a compiler writes the attributes.
  public enum Order: Sendable {
    /// `T ? N R W C & D P G S V`, Swift's order with what only clang writes in between.
    case swift
    /// `T ? R C & W D N P G S V`.
    case clang
  }

  /// Makes the attributes of a property.
  ///
  /// - Parameters:
  ///   - type: the type of the property.
  ///   - flags: the property attributes that are plain flags; other bits are left out, for they follow from
  ///     the type or need a value.
  ///   - getter: the name of the getter where it is not the property's.
  ///   - setter: the name of the setter, with its colon, where it is not the usual one.
  ///   - ivar: the name of the instance variable, `nil` for a computed property.
  ///   - order: whose string it should be equal to.
  ///   - others: attributes to put at the end.
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
