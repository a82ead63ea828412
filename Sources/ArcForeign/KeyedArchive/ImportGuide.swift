package import ArcFormat
import ArcRuntime

/// The declared types of the program that reads an imported archive.
///
/// The guide determines which lists and dictionaries of the file become values instead of objects. It also
/// determines the program's class for each class name in the file.
package struct ImportGuide: Sendable {
  /// The name and the declared shape of each root that the program reads.
  let roots: [(name: String, shape: Shape)]
  /// The classes of the program, by name.
  private var classes: [ExactName: DeclaredClass] = [:]
  /// The program's class for each name. Nil if several classes could have the name.
  private var names: [ExactName: String?] = [:]

  /// A class of the program.
  private struct DeclaredClass: Sendable {
    let superclass: String?
    /// The shapes of the properties, by each key of a property.
    let properties: [ExactName: Shape]
    /// Whether a hand-written coder or a migration may read any key.
    let readsAnyKey: Bool
    /// The older keys whose values the program converts to properties.
    let olderKeys: Set<ExactName>
  }

  /// Creates a guide from a program's schema.
  package init(_ schema: SchemaSnapshot) {
    roots = schema.roots.map { ($0.name, Shape($0.type)) }
    for entry in schema.classes {
      var properties: [ExactName: Shape] = [:]
      for property in entry.properties {
        for key in property.keys { properties[ExactName(key)] = Shape(property.type) }
      }
      classes[ExactName(entry.name)] = DeclaredClass(
        superclass: entry.superclass, properties: properties, readsAnyKey: entry.isKeyed || entry.migrates,
        olderKeys: Set(entry.properties.flatMap { $0.older.joined() }.map(ExactName.init)))
    }
    for entry in schema.classes {
      for name in [entry.name] + entry.formerNames { names[ExactName(name)] = .some(entry.name) }
    }
    // A name may omit the module and the enclosing types, unless another class has the short name or several
    // classes share it.
    for entry in schema.classes {
      for name in [entry.name] + entry.formerNames {
        guard let last = name.split(separator: ".").last.map(String.init), last != name else { continue }
        let known = names[ExactName(last)]
        if known == nil {
          names[ExactName(last)] = .some(entry.name)
        } else if let other = known ?? nil, !other.hasSameBytes(as: entry.name),
          classes[ExactName(last)] == nil
        {
          names[ExactName(last)] = .some(nil)
        }
      }
    }
  }

  /// Returns the program's class for a class name in a file. Nil if no class has the name.
  ///
  /// The name may be mangled (`_TtC…`). If the whole name is unknown, the function searches for the name
  /// without the module and the enclosing types.
  func className(for name: String) -> String? {
    var candidates = [name]
    // No program has names of this length, and trying each suffix would take quadratic time.
    guard name.utf8.count <= 1024 else { return names[ExactName(name)] ?? nil }
    let parts = Self.demangled(name) ?? name.split(separator: ".").map(String.init)
    for start in parts.indices { candidates.append(parts[start...].joined(separator: ".")) }
    for candidate in candidates {
      if let known = names[ExactName(candidate)], let known { return known }
    }
    return nil
  }

  /// Returns the declared shape of a root. Nil if the program does not read a root with this name.
  func shape(ofRoot name: String) -> Shape? { roots.first { $0.name.hasSameBytes(as: name) }?.shape }

  /// Whether the program has a class with this name.
  func hasClass(_ name: String) -> Bool { classes[ExactName(name)] != nil }

  func superclass(of name: String) -> String? { classes[ExactName(name)]?.superclass }

  /// Returns the shape of the property with a key. The class can declare or inherit the property. Nil if
  /// there is no such property.
  func shape(ofKey key: String, inClass name: String) -> Shape? {
    var next: String? = name
    while let current = next, let entry = classes[ExactName(current)] {
      if let shape = entry.properties[ExactName(key)] { return shape }
      next = entry.superclass
    }
    return nil
  }

  /// Whether a class, or one of its superclasses, may read the values of a key.
  func reads(key: String, inClass name: String) -> Bool {
    var next: String? = name
    while let current = next, let entry = classes[ExactName(current)] {
      let name = ExactName(key)
      if entry.readsAnyKey || entry.properties[name] != nil || entry.olderKeys.contains(name) { return true }
      next = entry.superclass
    }
    return false
  }

  /// Returns the parts of a name that Swift mangled for the Objective-C runtime: MyApp and Node for
  /// `_TtC5MyApp4Node`. Nil for other names.
  static func demangled(_ name: String) -> [String]? {
    guard name.hasPrefix("_TtC") || name.hasPrefix("_TtGC") else { return nil }
    var rest = name.utf8.drop { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }
    var parts: [String] = []
    while let first = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first {
      let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      rest = rest.dropFirst(digits.count)
      guard let count = Int(String(Substring(digits))), count > 0, count <= rest.count else { return nil }
      guard let part = String(rest.prefix(count)) else { return nil }
      parts.append(part)
      rest = rest.dropFirst(count)
    }
    return parts.isEmpty ? nil : parts
  }
}
