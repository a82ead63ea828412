import ArcArchive
import ArcFormat
import ArcRuntime

/// A printer that writes the classes of an archive as Swift declarations. The output compiles without other
/// sources.
struct SwiftDeclarations {
  private let page: Page
  private let classes: [ObjectClass]
  private let types = SwiftTypes()
  private var properties: [Int: [Property]] = [:]

  private struct Property {
    let name: String
    let type: String
    let attributes: PropertyAttributes
    let isKeyed: Bool
    /// Whether a subclass declares a property with the same name.
    var isHidden = false

    var text: String { isKeyed && !type.hasSuffix("?") ? type + "?" : type }
    /// The default value of the initializer's parameter, with `=`. Empty if the parameter has none.
    var initialValue: String { text.hasSuffix("?") ? " = nil" : "" }
  }

  init(_ file: ArchiveFile, page: Page) throws {
    self.page = page
    classes = try file.objectClasses()
    for entry in classes { _ = types.className(entry.description.name, isDescribed: true) }
    let declared = file.declaredProperties()
    for entry in classes {
      var names = Identifiers(reserved: [], keywords: Identifiers.swiftKeywords)
      properties[entry.index] = (declared[entry.index] ?? []).map { column in
        Property(
          name: names.make(from: column.key), type: types.text(of: column.attributes.type ?? .uncoded),
          attributes: column.attributes, isKeyed: column.flags.contains(.keyed))
      }
    }
    hideRedeclaredProperties()
  }

  /// Marks properties whose name a subclass declares again. Swift accepts both declarations only if the
  /// property of the superclass is private.
  private mutating func hideRedeclaredProperties() {
    for entry in classes {
      let own = Set((properties[entry.index] ?? []).map(\.name))
      var next = entry.description.superclassIndex
      while let index = next, index != 0 {
        for position in (properties[index] ?? []).indices {
          let name = properties[index]?[position].name ?? ""
          if own.contains(name) { properties[index]?[position].isHidden = true }
        }
        next = classes[index - 1].description.superclassIndex
      }
    }
  }

  func write() throws {
    try page.line("// The classes of an Arc archive, by arcdump.")
    if types.needsFoundation { try page.line("import Foundation") }
    for entry in classes { try write(entry) }
    for name in types.missingClasses {
      try page.line()
      try page.line("/// Mentioned, but not described.")
      try page.line("class \(types.className(name)) {}")
      try writeHashing(of: types.className(name))
    }
    for (position, declaration) in types.declarations.enumerated() {
      try page.line()
      try writeName(declaration.name, declaration.identifier)
      let form = declaration.isEnumeration ? "indirect enum" : "struct"
      let conformance = types.needsHashing ? ": Hashable" : ""
      try page.line("\(form) \(declaration.identifier)\(conformance) {")
      for line in types.lines[position] ?? [] { try page.line(line, level: 1) }
      try page.line("}")
    }
    if types.needsIndirect {
      try page.line()
      try page.line("/// A value inside of another of its own type.")
      try page.line("indirect enum Indirect<Value> { case value(Value) }")
      if types.needsHashing {
        try page.line("extension Indirect: Equatable where Value: Equatable {}")
        try page.line("extension Indirect: Hashable where Value: Hashable {}")
      }
    }
  }

  /// Writes a comment with a declaration's name in the archive, if the identifier differs from the name.
  private func writeName(_ name: String, _ identifier: String) throws {
    if name != identifier, name != "?" { try page.line("/// \(printableName(name)) in the archive.") }
  }

  private func write(_ entry: ObjectClass) throws {
    let own = properties[entry.index] ?? []
    let identifier = types.className(entry.description.name)
    let superclass = entry.description.superclassIndex.map {
      types.className(classes[$0 - 1].description.name)
    }
    try page.line()
    try writeName(entry.description.name, identifier)
    try page.line("class \(identifier)\(superclass.map { ": " + $0 } ?? "") {")
    for property in own { try page.line(Self.declaration(of: property), level: 1) }
    if !own.isEmpty || superclass == nil {
      if !own.isEmpty { try page.line() }
      try writeInitializer(of: entry, own)
    }
    try page.line("}")
    if superclass == nil { try writeHashing(of: identifier) }
  }

  private static func declaration(of property: Property) -> String {
    let attributes = property.attributes
    let isReference = if case .object? = attributes.type { property.type.hasSuffix("?") } else { false }
    let isUnowned = isReference && !attributes.isWeak && !attributes.isRetained && !attributes.isCopied
    let ownership = attributes.isWeak ? "weak " : isUnowned && !property.isKeyed ? "unowned " : ""
    let keyword = attributes.isReadOnly && !attributes.isWeak ? "let" : "var"
    return (property.isHidden ? "private " : "") + "\(ownership)\(keyword) \(property.name): \(property.text)"
  }

  /// Writes a memberwise initializer. Each parameter has a numbered internal name, because a class and its
  /// superclass can have properties with equal names.
  private func writeInitializer(of entry: ObjectClass, _ own: [Property]) throws {
    var inherited: [Property] = []
    var next = entry.description.superclassIndex
    while let index = next, index != 0 {
      inherited += properties[index] ?? []
      next = classes[index - 1].description.superclassIndex
    }
    let parameters = (own + inherited).enumerated().map { position, property in
      "\(property.name) _\(position): \(property.text)\(property.initialValue)"
    }
    try page.line("init(" + parameters.joined(separator: ", ") + ") {", level: 1)
    for (position, property) in own.enumerated() {
      try page.line("self.\(property.name) = _\(position)", level: 2)
    }
    if entry.description.superclassIndex != nil {
      let arguments = inherited.enumerated().map { "\($1.name): _\(own.count + $0)" }
      try page.line("super.init(" + arguments.joined(separator: ", ") + ")", level: 2)
    }
    try page.line("}", level: 1)
  }

  private func writeHashing(of identifier: String) throws {
    guard types.needsHashing else { return }
    try page.line("extension \(identifier): Hashable {")
    try page.line("static func == (a: \(identifier), b: \(identifier)) -> Bool { a === b }", level: 1)
    try page.line("func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }", level: 1)
    try page.line("}")
  }
}
