import ArcFormat
import ArcRuntime

/// A printer that explains encodings as text: a summary of each type, then the types nested in it as a tree.
struct EncodingTree {
  let page: Page
  let target: TargetABI

  /// Writes an encoding and its explanation.
  func write(_ text: ObjectiveCEncoding) throws(OutputFailure) {
    try page.line(page.style(.type, text.description.isEmpty ? "\"\"" : printable(text.description)))
    switch text {
    case .type(let type):
      try page.line("type: " + Self.summary(of: type, target), level: 1)
      try writeNestedTypes(of: type, level: 2)
    case .method(let method): try write(method)
    case .property(let attributes): try write(attributes)
    }
  }

  private func write(_ method: MethodType) throws(OutputFailure) {
    let kind = method.isBlock ? "block" : "method"
    try page.line(kind + (method.frameSize.map { ": frame of \($0) bytes" } ?? ""), level: 1)
    try branch("returns", method.result, level: 2)
    let hiddenCount = method.arguments.count - method.explicitArguments.count
    for (position, argument) in method.arguments.enumerated() {
      let offset = argument.offset.map {
        ($0.isInRegister ? "register " : "+") + "\($0.value.map(String.init) ?? "?")"
      }
      let hidden =
        position >= hiddenCount ? nil : method.isBlock ? "the block" : ["self", "_cmd"][min(position, 1)]
      try branch([offset, hidden].compactMap { $0 }.joined(separator: " "), argument.type, level: 2)
    }
  }

  private func write(_ attributes: PropertyAttributes) throws(OutputFailure) {
    try page.line("property: " + printable(attributes.explanation), level: 1)
    guard let type = attributes.type else { return }
    try branch("type", type, level: 2)
    for attribute in attributes.attributes where attribute.name != "T" {
      let meaning = Self.meaning(of: attribute.description) ?? "unknown"
      try page.line(page.style(.key, printable(attribute.description)) + " " + meaning, level: 2)
    }
  }

  /// Returns the meaning of an attribute's letter. Nil if the letter is unknown.
  private static func meaning(of attribute: String) -> String? {
    switch attribute.first {
    case "R": "readonly"
    case "C": "copy"
    case "&": "retain"
    case "N": "nonatomic"
    case "W": "weak"
    case "D": "dynamic"
    case "?": "optional in its protocol"
    case "P": "garbage-collected"
    case "G": "getter"
    case "S": "setter"
    case "V": "instance variable"
    case "t": "type in the old style"
    default: nil
    }
  }

  private func branch(_ label: String, _ type: TypeEncoding, level: Int) throws(OutputFailure) {
    let name = label.isEmpty ? "" : page.style(.key, printable(label)) + " "
    try page.line(name + Self.summary(of: type, target), level: level)
    try writeNestedTypes(of: type, level: level + 1)
  }

  /// Writes the types nested in a type: the members of a record, the cases of an enumeration, or the parts of
  /// a block's signature. For a pointer or collection, writes the types nested in its target or element.
  private func writeNestedTypes(of type: TypeEncoding, level: Int) throws(OutputFailure) {
    switch type {
    case .pointer(let inner), .array(_, let inner), .vector(_, _, let inner), .qualified(_, let inner),
      .optional(let inner), .list(let inner), .set(let inner), .weak(let inner):
      try writeNestedTypes(of: inner, level: level)
    case .dictionary(let key, let value):
      try branch("key", key, level: level)
      try branch("value", value, level: level)
    case .block(let signature?):
      for (position, part) in signature.enumerated() where position != 1 {
        try branch(position == 0 ? "returns" : "takes", part, level: level)
      }
    case .structure(_, let fields?), .union(_, let fields?), .enumeration(_, let fields?):
      let layouts = type.memberLayouts(for: target)
      for (position, field) in fields.enumerated() {
        let offset = layouts.map { Self.offsetText($0[position]) }
        try branch([offset, field.name].compactMap { $0 }.joined(separator: " "), field.type, level: level)
      }
    default: break
    }
  }

  private static func offsetText(_ member: MemberLayout) -> String {
    let bit = member.bitOffset % 8
    return bit == 0 ? "+\(member.byteOffset)" : "+\(member.byteOffset).\(bit)"
  }

  /// Returns a description of a type, without the nested types. Contains the size if the size is known.
  private static func summary(of type: TypeEncoding, _ target: TargetABI) -> String {
    let words = printable(title(of: type))
    // The title of a bit-field contains its width, and `void` has no size.
    switch type {
    case .bitField, .scalar(.void), .qualified(_, .scalar(.void)): return words
    default: break
    }
    guard let layout = type.layout(for: target) else { return words }
    let bytes = layout.size == 1 ? "1 byte" : "\(layout.size) bytes"
    return words + (layout.isExact ? ", \(bytes)" : ", probably \(bytes)")
      + (layout.alignment > 1 ? ", aligned to \(layout.alignment)" : "")
  }

  private static func title(of type: TypeEncoding) -> String {
    switch type {
    case .pointer(.scalar(.unknown)): "function pointer"
    case .pointer(let inner): "pointer to " + title(of: inner)
    case .array(let count, let inner): "C array of \(count.map { "\($0) × " } ?? "")" + title(of: inner)
    case .vector(let size, _, let inner): "\(size)-byte vector of " + title(of: inner)
    case .qualified(let qualifier, let inner): qualifier.word + " " + title(of: inner)
    case .optional(let inner): "optional " + title(of: inner)
    case .list(let inner): "array of " + title(of: inner)
    case .set(let inner): "set of " + title(of: inner)
    case .weak(let inner): "weak " + title(of: inner)
    case .dictionary: "dictionary"
    case .block: "block"
    case .structure(let name, let fields): record("structure", name, fields)
    case .union(let name, let fields): record("union", name, fields)
    case .enumeration(let name, let cases): record("enumeration", name, cases)
    default: type.explanation
    }
  }

  private static func record(_ kind: String, _ name: String, _ fields: [TypeEncoding.Field]?) -> String {
    let title = name == "?" ? "anonymous " + kind : kind + " " + name
    guard let fields else { return title + ", insides hidden" }
    return fields.isEmpty ? title + ", empty or opaque" : title
  }
}
