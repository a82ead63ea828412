package import ArcFormat
import ArcRuntime

/// The declared types of the program that reads an imported archive.
///
/// The guide determines which lists and dictionaries of the file become values instead of objects. It also
/// determines the program's class for each class name in the file.
package struct ImportGuide: Sendable {
  /// The shape of a property's values.
  indirect enum Shape: Sendable {
    /// A single value. If the property is a real, integers are converted to reals.
    case value(isReal: Bool)
    /// An array or a set.
    case list(Shape)
    case dictionary(Shape, Shape)

    init(_ type: TypeEncoding) {
      switch type {
      case .optional(let inner), .weak(let inner): self = Shape(inner)
      case .list(let element), .set(let element): self = .list(Shape(element))
      case .dictionary(let key, let value): self = .dictionary(Shape(key), Shape(value))
      case .scalar(.double), .scalar(.float), .scalar(.half): self = .value(isReal: true)
      default: self = .value(isReal: false)
      }
    }

    /// Whether values of the shape are stored without conversion.
    var isPlain: Bool {
      if case .value(isReal: false) = self { true } else { false }
    }
  }

  /// The declared shape of the root.
  let root: Shape
  /// The classes of the program by name. Each has its superclass, and the shapes of its properties by key. A
  /// property with several keys occurs under each key.
  private var classes: [ExactName: (superclass: String?, properties: [ExactName: Shape])] = [:]
  /// The program's class for each name. Nil if several classes could have the name.
  private var names: [ExactName: String?] = [:]

  /// Creates a guide from a program's schema with one root.
  package init(_ schema: SchemaSnapshot) {
    root = schema.roots.first.map { Shape($0.type) } ?? .value(isReal: false)
    for entry in schema.classes {
      var properties: [ExactName: Shape] = [:]
      for property in entry.properties {
        for key in property.keys { properties[ExactName(key)] = Shape(property.type) }
      }
      classes[ExactName(entry.name)] = (entry.superclass, properties)
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
