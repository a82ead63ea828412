extension TypeEncoding {
  /// A reference to an object of the class with a name such as `Person`, `Box<Person>` or `NSObject<P><Q>`.
  ///
  /// It equals what parsing its description gives, which `.object(className: "Box<Int>", protocols: [])`
  /// does not: the string cannot tell a generic argument from a protocol.
  public static func object(named qualifiedClassName: String) -> TypeEncoding {
    let (className, protocols) = splitClassName(qualifiedClassName)
    return .object(className: className, protocols: protocols)
  }

  /// The text between the quotes of an object's encoding, such as `Person` or `Box<Person>`.
  ///
  /// This is the name to look a Swift class up by. It is `nil` for `@`, for protocols without a class
  /// (`@"<P>"`), and for what is not an object reference itself.
  public var qualifiedClassName: String? {
    guard case .object(let className?, let protocols) = self else { return nil }
    return Self.joinedClassName(className, protocols: protocols)
  }

  static func joinedClassName(_ className: String?, protocols: [String]) -> String {
    protocols.reduce(into: className ?? "") { text, name in text += "<" + name + ">" }
  }

  /// Splits `C<P><Q>`; text that is not a name with balanced groups behind it is one class name as a whole,
  /// so that joining the parts gives the text back in every case.
  static func splitClassName(_ text: String) -> (className: String?, protocols: [String]) {
    let utf8 = text.utf8
    guard utf8.last == UInt8(ascii: ">"), let firstGroup = utf8.firstIndex(of: UInt8(ascii: "<")) else {
      return (text, [])
    }
    var protocols: [String] = []
    var depth = 0
    var groupStart = firstGroup
    var previous: UInt8 = 0
    for index in utf8.indices[firstGroup...] {
      let byte = utf8[index]
      switch byte {
      case UInt8(ascii: "<"):
        if depth == 0 { groupStart = utf8.index(after: index) }
        depth += 1
      case UInt8(ascii: ">") where previous != UInt8(ascii: "-"):
        depth -= 1
        guard depth >= 0 else { return (text, []) }
        if depth == 0 { protocols.append(String(text[groupStart..<index])) }
      default:
        if depth == 0 { return (text, []) }
      }
      previous = byte
    }
    guard depth == 0 else { return (text, []) }
    return (firstGroup == utf8.startIndex ? nil : String(text[..<firstGroup]), protocols)
  }
}
