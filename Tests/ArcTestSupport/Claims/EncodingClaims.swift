#if canImport(ArcRuntime)
  import ArcRuntime
#endif

/// Claims that must hold for every string, including crafted strings. A fuzzer in `Tests/Fuzzers` checks
/// them, too.
package enum EncodingClaims {
  /// Parses the text as each kind of encoding. Returns the first claim that does not hold. Nil if all hold.
  package static func violation(by text: String) -> String? {
    if let type = try? TypeEncoding(parsing: text), let claim = violation(by: type, text) { return claim }
    do {
      let method = try MethodType(parsing: text)
      if !isSame(method.description, text) { return "a method prints back" }
      if (try? MethodType(parsing: method.description)) != method { return "a method reads back equal" }
      _ = method.hasComputedOffsets()
      if method.explanation.isEmpty { return "a method has words" }
    } catch {
      if !describes(error, text) { return "an error tells its place" }
    }
    do {
      let property = try PropertyAttributes(parsing: text)
      if !isSame(property.description, text) { return "attributes print back" }
      if (try? PropertyAttributes(parsing: property.description)) != property {
        return "attributes read back"
      }
      _ = (property.explanation, property.unknownAttributes, property.setterSelector(forProperty: text))
    } catch {
      if !describes(error, text) { return "an error tells its place" }
    }
    do {
      let found = try ObjectiveCEncoding(parsing: text)
      if !isSame(found.description, text) { return "what is recognised prints back" }
    } catch {
      if !describes(error, text) { return "an error tells its place" }
    }
    return nil
  }

  private static func violation(by type: TypeEncoding, _ text: String) -> String? {
    if !isSame(type.description, text) { return "a type prints back" }
    if (try? TypeEncoding(parsing: type.description)) != type { return "a type reads back equal" }
    if !type.isEquivalent(to: type, ignoring: []) { return "a type is equivalent to itself" }
    if type.explanation.isEmpty { return "a type has words" }
    for target in [TargetABI.appleX86_64, .appleI386] {
      let layout = type.layout(for: target)
      if let layout, layout.alignment.nonzeroBitCount != 1 { return "an alignment is a power of two" }
      if let layout, let members = type.memberLayouts(for: target) {
        let ends = members.map { $0.bitOffset / 8 + ($0.bitOffset % 8 + $0.bitCount + 7) / 8 }
        if ends.contains(where: { $0 > layout.size }) { return "members lie inside of their record" }
      }
    }
    _ = EncodingFlags(describing: type)
    return nil
  }

  private static func isSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

  private static func describes(_ error: TypeEncodingError, _ text: String) -> Bool {
    0...text.utf8.count ~= error.byteOffset && isSame(error.text, text) && error.description.contains("\n")
  }
}
