import ArcArchive
import ArcFormat
import ArcRuntime

/// A printer that writes the classes of an archive as Objective-C interfaces.
struct InterfaceDeclarations {
  let file: ArchiveFile
  let page: Page

  func write() throws {
    let classes = try file.objectClasses()
    let properties = file.declaredProperties()
    try page.line("// The classes of an Arc archive, by arcdump.")
    try page.line("#import <Foundation/Foundation.h>")
    for name in mentionedClasses(properties.values.flatMap { $0 }) + classes.map(\.description.name) {
      try page.line("@class \(Identifiers.plain(name));")
    }
    for lines in ObjectiveCTypes.definitions(
      for: classes.flatMap { properties[$0.index] ?? [] }.compactMap(\.attributes.type))
    {
      try page.line()
      for line in lines { try page.line(line) }
    }
    for entry in classes {
      try page.line()
      try write(entry, properties[entry.index] ?? [], inherited: inheritedIvars(of: entry, properties))
    }
  }

  /// Returns the classes that occur in the types of properties but are not described by the archive.
  private func mentionedClasses(_ columns: [ColumnDescription]) -> [String] {
    var seen = Set(file.classes.map(\.name)).union(["NSString", "NSData", "NSDate", "NSUUID", "NSURL"])
    seen.insert("NSDecimalNumber")
    var found: [String] = []
    var pending = columns.compactMap(\.attributes.type)
    while let type = pending.popLast() {
      if let name = type.qualifiedClassName, seen.insert(name).inserted { found.append(name) }
      switch type {
      case .optional(let inner), .list(let inner), .set(let inner), .weak(let inner): pending.append(inner)
      case .dictionary(let key, let value): pending += [key, value]
      default: break
      }
    }
    return found.sorted()
  }

  /// Returns the names of the instance variables of all superclasses. In Objective-C, a subclass cannot
  /// declare another variable with the same name.
  private func inheritedIvars(
    of entry: ObjectClass, _ properties: [Int: [ColumnDescription]]
  ) -> Set<String> {
    var names: Set<String> = []
    var next = entry.description.superclassIndex
    while let index = next {
      names.formUnion((properties[index] ?? []).compactMap(\.attributes.ivar))
      next = file.classes[index].superclassIndex
    }
    return names
  }

  private func write(
    _ entry: ObjectClass, _ columns: [ColumnDescription], inherited: Set<String>
  ) throws {
    let name = entry.description.name
    let identifier = Identifiers.plain(name)
    if name != identifier { try page.line("/// \(printableName(name)) in the archive.") }
    let superclass =
      entry.description.superclassIndex.map { Identifiers.plain(file.classes[$0].name) } ?? "NSObject"
    let ivars = columns.filter { $0.attributes.ivar != nil }
    try page.line("@interface \(identifier) : \(superclass)" + (ivars.isEmpty ? "" : " {"))
    for column in ivars {
      let ivar = Self.identifier(column.attributes.ivar ?? "")
      let isInherited = inherited.contains(column.attributes.ivar ?? "")
      let declaration = Self.declaration(of: column, ivar) + ";"
      try page.line(isInherited ? "// \(declaration) a superclass has one too" : declaration, level: 1)
    }
    if !ivars.isEmpty { try page.line("}") }
    for column in columns {
      let words = Self.words(of: column.attributes)
      let list = words.isEmpty ? "" : "(" + words.joined(separator: ", ") + ") "
      try page.line("@property \(list)\(Self.declaration(of: column, Self.identifier(column.key)));")
    }
    try page.line("@end")
  }

  private static func declaration(of column: ColumnDescription, _ name: String) -> String {
    ObjectiveCTypes.declaration(of: column.attributes.type ?? .uncoded, name)
  }

  private static func identifier(_ name: String) -> String {
    let plain = Identifiers.plain(name)
    return Identifiers.objectiveCKeywords.contains(plain) ? plain + "_" : plain
  }

  /// Returns the attributes in the syntax of `@property`.
  private static func words(of attributes: PropertyAttributes) -> [String] {
    var words: [String] = []
    if attributes.isNonatomic { words.append("nonatomic") }
    if attributes.isReadOnly { words.append("readonly") }
    if attributes.isWeak {
      words.append("weak")
    } else if attributes.isCopied {
      words.append("copy")
    } else if attributes.isRetained {
      words.append("strong")
    } else if attributes.flags.kind == .object {
      words.append("unsafe_unretained")
    }
    if let getter = attributes.getter { words.append("getter=" + identifier(getter)) }
    if let setter = attributes.setter, setter.hasSuffix(":") {
      words.append("setter=" + identifier(String(setter.dropLast())) + ":")
    }
    return words
  }
}
