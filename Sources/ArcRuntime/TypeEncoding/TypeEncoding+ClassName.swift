extension TypeEncoding {
  /// Creates the encoding of an object of a class, such as `Person`, `Box<Person>` or `NSObject<P><Q>`.
  ///
  /// As in parsing, names in angle brackets become protocols: `Box<Int>` has the class `Box` and the protocol
  /// `Int`. Therefore, the result for `Box<Int>` is not equal to `.object(className: "Box<Int>", protocols:
  /// [])`, although both have the same text.
  ///
  /// - Parameter qualifiedClassName: the name, with its angle brackets.
  /// - Returns: the type.
  public static func object(named qualifiedClassName: String) -> TypeEncoding {
    object(named: Array(qualifiedClassName.utf8)[...])
  }

  /// The class name in an object's encoding, such as `Person` or `Box<Person>`. Nil without a class name.
  ///
  /// Use this name to find a Swift class. The name is nil for `@`, for protocols without a class (`@"<P>"`),
  /// and for types that are not object references.
  public var qualifiedClassName: String? {
    guard case .object(let className?, let protocols) = self else { return nil }
    return Self.joinedClassName(className, protocols: protocols)
  }

  static func joinedClassName(_ className: String?, protocols: [String]) -> String {
    protocols.reduce(into: className ?? "") { text, name in text += "<" + name + ">" }
  }

  /// Splits a name such as `C<P><Q>`. A text that is not a name with balanced groups becomes one class name.
  ///
  /// In every case, joining the parts returns the text.
  static func object(named name: ArraySlice<UInt8>) -> TypeEncoding {
    let wholeName = { TypeEncoding.object(className: String(decoding: name, as: UTF8.self), protocols: []) }
    guard name.last == UInt8(ascii: ">") else { return wholeName() }
    var protocols: [String] = []
    var depth = 0
    var firstGroup: Int?
    var groupStart = name.startIndex
    var previous: UInt8 = 0
    for index in name.indices {
      let byte = name[index]
      switch byte {
      case UInt8(ascii: "<"):
        if depth == 0 {
          groupStart = index + 1
          if firstGroup == nil { firstGroup = index }
        }
        depth += 1
      case UInt8(ascii: ">") where previous != UInt8(ascii: "-") && firstGroup != nil:
        depth -= 1
        guard depth >= 0 else { return wholeName() }
        if depth == 0 { protocols.append(String(decoding: name[groupStart..<index], as: UTF8.self)) }
      default:
        if depth == 0, firstGroup != nil { return wholeName() }
      }
      previous = byte
    }
    guard depth == 0, let firstGroup else { return wholeName() }
    let isProtocolsOnly = firstGroup == name.startIndex
    return .object(
      className: isProtocolsOnly ? nil : String(decoding: name[..<firstGroup], as: UTF8.self),
      protocols: protocols)
  }
}
