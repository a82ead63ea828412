extension PropertyAttributes {
  /// The attributes in words, such as "readonly, weak reference to Person, ivar _mother".
  ///
  /// The words never contain `nonatomic`, because all properties of Swift are nonatomic. A property without
  /// the attribute `N` is explained as `atomic`.
  public var explanation: String {
    var words: [String] = []
    if flags.contains(.readOnly) { words.append("readonly") }
    if !flags.contains(.nonatomic) { words.append("atomic") }
    words.append(ownership + (type.flatMap { $0 == .uncoded ? nil : $0.explanation } ?? "no type code"))
    if flags.contains(.dynamic) { words.append("dynamic") }
    if flags.contains(.optional) { words.append("optional in its protocol") }
    if flags.contains(.collectable) { words.append("garbage-collected") }
    if let getter { words.append("getter \(getter)") }
    if let setter { words.append("setter \(setter)") }
    if let ivar { words.append("ivar \(ivar)") }
    words += unknownAttributes.map { "unknown attribute \($0)" }
    return words.joined(separator: ", ")
  }

  private var ownership: String {
    if flags.contains(.weak) { return "weak " }
    if flags.contains(.copy) { return "copied " }
    return flags.contains(.retain) ? "strong " : ""
  }
}
