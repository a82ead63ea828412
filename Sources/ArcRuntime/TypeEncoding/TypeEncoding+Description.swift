extension TypeEncoding: CustomStringConvertible {
  /// The encoding string, such as `{CGPoint=dd}`.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  func write(to text: inout String) {
    switch self {
    case .uncoded: break
    case .scalar(let scalar): scalar.rawValue.writeCharacter(to: &text)
    case .object(let className, let protocols):
      text += "@"
      if className != nil || !protocols.isEmpty {
        text += "\"" + Self.joinedClassName(className, protocols: protocols) + "\""
      }
    case .block(let signature):
      text += "@?"
      guard let signature else { return }
      text += "<"
      for type in signature { type.write(to: &text) }
      text += ">"
    case .pointer(let pointee):
      text += "^"
      pointee.write(to: &text)
    case .array(let count, let element):
      text += "["
      if let count { text += String(count) }
      element.write(to: &text)
      text += "]"
    case .structure(let name, let fields): Self.writeRecord("{", name, fields, "}", to: &text)
    case .union(let name, let fields): Self.writeRecord("(", name, fields, ")", to: &text)
    case .bitField(let width, nil): text += "b\(width)"
    case .bitField(let width, let gnu?):
      text += "b\(gnu.bitOffset)"
      gnu.type.rawValue.writeCharacter(to: &text)
      text += String(width)
    case .vector(let byteSize, let byteAlignment, let element):
      text += "![\(byteSize),\(byteAlignment)"
      element.write(to: &text)
      text += "]"
    case .qualified(let qualifier, let type):
      qualifier.rawValue.writeCharacter(to: &text)
      type.write(to: &text)
    case .optional(let wrapped):
      text += "$?"
      wrapped.write(to: &text)
    case .list(let element):
      text += "$["
      element.write(to: &text)
      text += "]"
    case .set(let element):
      text += "$<"
      element.write(to: &text)
      text += ">"
    case .dictionary(let key, let value):
      text += "$<"
      key.write(to: &text)
      text += ":"
      value.write(to: &text)
      text += ">"
    case .enumeration(let name, let cases): Self.writeRecord("$(", name, cases, ")", to: &text)
    case .weak(let target):
      text += "$~"
      target.write(to: &text)
    }
  }

  private static func writeRecord(
    _ opener: String, _ name: String, _ fields: [Field]?, _ closer: String, to text: inout String
  ) {
    text += opener
    text += name
    if let fields {
      text += "="
      for field in fields {
        if let name = field.name { text += "\"" + name + "\"" }
        field.type.write(to: &text)
      }
    }
    text += closer
  }
}

extension UInt8 {
  fileprivate func writeCharacter(to text: inout String) {
    text.unicodeScalars.append(Unicode.Scalar(self))
  }
}
