/// The attributes of a property as the Objective-C runtime keeps them: `T@"NSString",N,C,V_name`.
///
/// The description is the string itself: what ``init(parsing:)`` accepts prints back byte for byte, unknown
/// and empty attributes included. Where an attribute is repeated the first one counts, as in Apple's runtime.
///
///     let attributes = try PropertyAttributes(parsing: "T@\"Person\",N,W,V_mother")
///     attributes.flags.contains(.weak)         // true
///     attributes.type?.qualifiedClassName      // Person
public struct PropertyAttributes: Hashable, Sendable {
  /// One attribute: a letter or a quoted long name, and the text behind it.
  public struct Attribute: Hashable, Sendable {
    /// The letter or the long name, empty for an empty attribute.
    public let name: String
    /// What stands behind the name, up to the comma.
    public let value: String
    let quoting: Quoting
  }

  /// How the name of an attribute is written.
  enum Quoting: Hashable, Sendable { case none, quoted, unclosed }

  /// All attributes, in the order of the string.
  public let attributes: [Attribute]
  /// The type, `nil` where it has no code.
  public let type: TypeEncoding?
  /// The kind and qualifiers of the type together with the attributes that are flags.
  public let flags: EncodingFlags

  init(attributes: [Attribute], type: TypeEncoding?) {
    self.attributes = attributes
    self.type = type
    flags = attributes.reduce(into: EncodingFlags(describing: type)) { flags, attribute in
      flags.formUnion(attribute.flag)
    }
  }

  /// Makes the attributes of a Swift property, in Swift's order: type, `N`, any of `R W C &`, `D`, `V`.
  ///
  /// - Parameters:
  ///   - type: the type of the property.
  ///   - flags: the property attributes that are plain flags; other bits are left out, for they follow from
  ///     the type or need a value.
  ///   - ivar: the name of the instance variable, `nil` for a computed property.
  public init(type: TypeEncoding, flags: EncodingFlags, ivar: String?) {
    var attributes = [Attribute(letter: "T", value: type.description)]
    for (letter, flag) in Self.flagLettersInOrder where flags.contains(flag) {
      attributes.append(Attribute(letter: letter))
    }
    if let ivar { attributes.append(Attribute(letter: "V", value: ivar)) }
    self.init(attributes: attributes, type: type)
  }

  /// The name of the getter where it is not the property's own.
  public var getter: String? { value(of: "G") }

  /// The name of the setter where it is not the usual one.
  public var setter: String? { value(of: "S") }

  /// The name of the instance variable, `nil` for a computed property.
  public var ivar: String? { value(of: "V") }

  /// Attributes that this version gives no meaning to, in order.
  public var unknownAttributes: [Attribute] {
    attributes.filter { !$0.name.isEmpty && $0.flag.isEmpty && !($0.isBare && ["T", "V"].contains($0.name)) }
  }

  private func value(of letter: String) -> String? {
    attributes.first { $0.isBare && $0.name == letter }?.value
  }

  private static let flagLettersInOrder: [(letter: String, flag: EncodingFlags)] = [
    ("?", .optional), ("N", .nonatomic), ("R", .readOnly), ("W", .weak), ("C", .copy), ("&", .retain),
    ("D", .dynamic), ("P", .collectable),
  ]
}

extension PropertyAttributes: CustomStringConvertible {
  /// The attribute string.
  public var description: String { attributes.map(\.description).joined(separator: ",") }
}

extension PropertyAttributes.Attribute: CustomStringConvertible {
  init(letter: String, value: String = "") { self.init(name: letter, value: value, quoting: .none) }

  /// The attribute as it stands in the string.
  public var description: String {
    switch quoting {
    case .none: name + value
    case .quoted: "\"" + name + "\"" + value
    case .unclosed: "\"" + name + value
    }
  }

  var isBare: Bool { quoting == .none }

  /// The bit that the attribute sets, if any.
  var flag: EncodingFlags {
    guard isBare else { return [] }
    return switch name {
    case "R": .readOnly
    case "C": .copy
    case "&": .retain
    case "N": .nonatomic
    case "W": .weak
    case "D": .dynamic
    case "G": .customGetter
    case "S": .customSetter
    case "?": .optional
    case "P": .collectable
    case "t": .oldStyleType
    default: []
    }
  }
}
