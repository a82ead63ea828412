/// The attributes of a property as the Objective-C runtime stores them: `T@"NSString",C,N,V_name`.
///
/// ``description`` equals the parsed string, byte for byte, including unknown and empty attributes. If an
/// attribute is repeated, the first occurrence determines its value, as in Apple's runtime.
///
///     let attributes = try PropertyAttributes(parsing: "T@\"Person\",N,W,V_mother")
///     attributes.isWeak                                    // true
///     attributes.type?.qualifiedClassName                  // Person
///     attributes.setterSelector(forProperty: "mother")     // setMother:
public struct PropertyAttributes: Hashable, Sendable {
  /// All attributes, in the order of the string.
  public let attributes: [Attribute]
  /// The type of the property, from the attribute `T`, as in `Ti` for an `int`.
  ///
  /// The type is ``TypeEncoding/uncoded`` if `T` has no value, and nil if the string has no attribute `T`.
  public let type: TypeEncoding?
  /// The kind and qualifiers of the type, and a bit for each known attribute except `T`.
  public let flags: EncodingFlags

  init(attributes: [Attribute], type: TypeEncoding?) {
    self.attributes = attributes
    self.type = type
    var flags = EncodingFlags(describing: type ?? .uncoded)
    for attribute in attributes { flags.formUnion(attribute.flag) }
    self.flags = flags
  }

  /// Returns the attributes with another type. The list of absent fields is removed.
  package func replacingType(_ type: TypeEncoding) -> PropertyAttributes {
    var attributes = attributes.filter { $0.name != Self.absentFields }
    let attribute = Attribute(letter: UInt8(ascii: "T"), value: type.description)
    if let position = attributes.firstIndex(where: { $0.letter == attribute.letter }) {
      attributes[position] = attribute
    } else {
      attributes.insert(attribute, at: 0)
    }
    return PropertyAttributes(attributes: attributes, type: type)
  }

  /// The attributes without the attribute `W`, which marks a weak property.
  package var withoutWeakness: PropertyAttributes {
    PropertyAttributes(attributes: attributes.filter { $0.letter != UInt8(ascii: "W") }, type: type)
  }

  /// An attribute: a name, which is a letter or a quoted long name, and a value.
  public struct Attribute: Hashable, Sendable {
    /// The name, if it is one ASCII character. 0 for other names, which the runtime ignores.
    let letter: UInt8
    private let longName: String
    /// The text after the name, without the comma that ends the attribute.
    public let value: String
    /// Whether the attribute string contains quotes around the name. `unclosed` lacks the closing quote.
    enum Quoting: Hashable, Sendable { case none, quoted, unclosed }
    let quoting: Quoting

    /// Creates an attribute whose name is one ASCII character.
    init(letter: UInt8, value: String = "") {
      self.letter = letter
      longName = ""
      self.value = value
      quoting = .none
    }

    /// Creates an attribute whose name is not one ASCII character.
    init(longName: String, value: String, quoting: Quoting) {
      letter = 0
      self.longName = longName
      self.value = value
      self.quoting = quoting
    }

    /// Creates an attribute from a name and a value.
    ///
    /// In the attribute string, a name of several characters has quotes, and a name of one character has no
    /// quotes, as in Apple's runtime. If the value contains a comma, or the name contains a quote, parsing
    /// the attribute string yields different attributes.
    ///
    /// - Parameters:
    ///   - name: the letter or the long name.
    ///   - value: the text after the name.
    public init(name: String, value: String) {
      let utf8 = name.utf8
      if let letter = utf8.first, utf8.count == 1, 1..<0x80 ~= letter, letter != UInt8(ascii: "\"") {
        self.init(letter: letter, value: value)
      } else {
        let isOneCharacter = name.unicodeScalars.count == 1
        self.init(longName: name, value: value, quoting: isOneCharacter ? .none : .quoted)
      }
    }

    /// The letter or the long name. Empty if the attribute is empty.
    public var name: String { letter == 0 ? longName : String(Unicode.Scalar(letter)) }
  }
}

extension PropertyAttributes: CustomStringConvertible {
  /// The attribute string, such as `Tq,N,Vage`.
  public var description: String {
    var text = ""
    for (index, attribute) in attributes.enumerated() {
      if index > 0 { text += "," }
      text += attribute.description
    }
    return text
  }
}

extension PropertyAttributes.Attribute: CustomStringConvertible {
  /// The attribute as the attribute string contains it, such as `Vage`.
  public var description: String {
    switch quoting {
    case .none: name + value
    case .quoted: "\"" + name + "\"" + value
    case .unclosed: "\"" + name + value
    }
  }

  /// The bit of the attribute. Empty for an attribute without a bit.
  var flag: EncodingFlags {
    switch letter {
    case UInt8(ascii: "R"): .readOnly
    case UInt8(ascii: "C"): .copy
    case UInt8(ascii: "&"): .retain
    case UInt8(ascii: "N"): .nonatomic
    case UInt8(ascii: "W"): .weak
    case UInt8(ascii: "D"): .dynamic
    case UInt8(ascii: "G"): .customGetter
    case UInt8(ascii: "S"): .customSetter
    case UInt8(ascii: "V"): .stored
    case UInt8(ascii: "?"): .optional
    case UInt8(ascii: "P"): .collectable
    case UInt8(ascii: "t"): .oldStyleType
    default: []
    }
  }
}
