import ArcRuntime

/// Writes what strings mean as JSON, an object each.
struct EncodingJSON {
  let json: JSONOutput
  let target: TargetABI

  /// Writes a string that could be read.
  func write(_ text: ObjectiveCEncoding) throws(OutputFailure) {
    try json.begin()
    try json.member("kind", text.kind.rawValue)
    try json.member("normalized", text.description)
    switch text {
    case .type(let type):
      try layout(of: type)
      try members(of: type)
    case .method(let method): try write(method)
    case .property(let attributes): try write(attributes)
    }
    try json.member("explanation", text.explanation)
    try json.member("flags", number: text.flags.rawValue)
    try json.end()
  }

  /// Writes why a string could not be read.
  func write(_ failure: EncodingFailure) throws(OutputFailure) {
    try json.begin()
    try json.member("error", failure.message)
    try json.member("code", failure.code)
    try json.member("byteOffset", failure.byteOffset)
    try json.end()
  }

  private func layout(of type: TypeEncoding) throws(OutputFailure) {
    let layout = type.layout(for: target)
    try json.member("size", number: layout?.size)
    try json.member("alignment", number: layout?.alignment)
    try json.member("stride", number: layout?.stride)
    try json.member("exact", bool: layout?.isExact ?? false)
  }

  private func members(of type: TypeEncoding) throws(OutputFailure) {
    guard let members = type.memberLayouts(for: target) else { return }
    try json.beginArray("members")
    for member in members {
      try json.begin()
      try json.member("name", optional: member.field.name)
      try json.member("type", member.field.type.description)
      try json.member("offset", number: member.byteOffset)
      try json.member("bitOffset", number: member.bitOffset)
      try json.member("bits", number: member.bitCount)
      try json.end()
    }
    try json.end()
  }

  private func write(_ method: MethodType) throws(OutputFailure) {
    try json.member("size", number: method.frameSize?.value)
    try json.member("alignment", number: Int?.none)
    try json.member("result", method.result.description)
    try json.beginArray("arguments")
    for argument in method.arguments {
      try json.begin()
      try json.member("type", argument.type.description)
      try json.member("offset", number: argument.offset?.value)
      try json.end()
    }
    try json.end()
  }

  private func write(_ attributes: PropertyAttributes) throws(OutputFailure) {
    try layout(of: attributes.type ?? .uncoded)
    try json.member("type", optional: attributes.type?.description)
    try json.member("readonly", bool: attributes.isReadOnly)
    try json.member("copy", bool: attributes.isCopied)
    try json.member("retain", bool: attributes.isRetained)
    try json.member("nonatomic", bool: attributes.isNonatomic)
    try json.member("weak", bool: attributes.isWeak)
    try json.member("dynamic", bool: attributes.isDynamic)
    try json.member("optional", bool: attributes.isOptional)
    try json.member("getter", optional: attributes.getter)
    try json.member("setter", optional: attributes.setter)
    try json.member("ivar", optional: attributes.ivar)
    try json.beginArray("unknown")
    for attribute in attributes.unknownAttributes { try json.string(attribute.description) }
    try json.end()
  }
}
