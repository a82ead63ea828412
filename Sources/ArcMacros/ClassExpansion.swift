import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that make a class `Archivable`.
struct ClassExpansion {
  var type: TypeDeclaration
  /// Whether the superclass is archivable. If true, generated members override the superclass's members, and
  /// call the overridden members.
  var isSubclass: Bool { superclass != nil }
  /// The name of the archivable superclass. Nil if there is none.
  var superclass: String?
  /// The names of the superclasses' properties that this class overrides. Nil if they are unknown.
  var overriddenProperties: [String]?
  var version: ClassVersion
  var initializers: InitializerPlan
  var properties: [StoredProperty]
  /// The location of the class's declaration. Nil if the compiler does not provide it.
  var location: SourcePosition?
  var findings: Findings

  var members: [DeclSyntax] {
    ([schema] + (isSubclass ? [] : [typeEncoding]) + initializerSources + [encode, link]
      + [check, announcement].compactMap { $0 }).map(DeclSyntax.init(unparsed:))
  }

  private var override: String { isSubclass ? "override " : "" }

  private var schema: String {
    // Closures instead of key paths, because key paths would slow down each access; see `ClosureAccess`.
    let descriptions = properties.enumerated().map { slot, property in
      let get = plainAccessor(of: property, parameter: "object", type: type.name)
      let set = property.isConstant ? "" : ", \(setter(of: property, parameter: "object"))"
      let result = property.typeOfTuple.map { " () -> \($0) in" } ?? ""
      let initial = property.initialValue.map { ", initial: {\(result)\n\(indented($0))\n}" } ?? ""
      return
        "\(arc)PropertySchema(\(property.descriptionArguments), \(get)\(set)\(initial)\(conversion(of: property))\(ModelMark.argument(of: property, at: slot)))"
    }
    var arguments = ["\(type.name).self", "name: \(type.archiveName)"]
    if isSubclass {
      arguments += ["superclass: super.archiveSchema", "announcement: __Announced.self"]
    }
    arguments += version.arguments(for: type.name)
    if isSubclass { arguments += overrides }
    if initializers.isFilledAfterInit { arguments.append("isFilledAfterInit: true") }
    arguments.append("properties: \(list(descriptions))")
    let marks = ModelMark.statements(properties.map(\.modelMarks))
    return source(
      "\(type.access)\(override)class var archiveSchema: \(arc)ClassSchema",
      findings.body(marks + [result(call("\(arc)ClassSchema", arguments), after: marks)]))
  }

  /// The argument for the overridden properties. Empty if there are none.
  private var overrides: [String] {
    guard let names = overriddenProperties else { return ["overrides: nil"] }
    return names.isEmpty ? [] : ["overrides: [\(names.map(literal).joined(separator: ", "))]"]
  }

  /// Returns the arguments of the schema that convert the values of a property to and from their archived
  /// form. Empty if values are stored as themselves.
  private func conversion(of property: StoredProperty) -> String {
    guard let form = property.form else { return "" }
    let result = property.typeOfTuple.map { " -> \($0)" } ?? ""
    let restored =
      property.type == nil
      ? "{ \(form.restored("$0")) }" : "{ (form: \(form.type))\(result) in\n  \(form.restored("form"))\n}"
    return "\(property.archivedArgument), restored: \(restored)"
  }

  /// The function that returns the type encoding. Each class declares this function, instead of inheriting
  /// the function from an extension of the protocol.
  ///
  /// Swift infers the isolation of the conformance to `ArchivableValue` from the functions that implement it.
  /// If all of them were nonisolated, as in an extension of the protocol, objects of an actor could be
  /// archived on any actor.
  private var typeEncoding: String {
    source(
      "\(type.closedAccess)class func __typeEncoding(in context: \(arc)__TypeEncodingContext) -> \(arc)TypeEncoding",
      ["context.reference(to: self)"])
  }

  private var initializerHead: String { "init(from decoder: borrowing \(arc)ObjectDecoder) throws" }

  private var initializerSources: [String] {
    switch initializers {
    case .inherited:
      return []
    case .convenience:
      return [
        source("\(type.closedAccess)required convenience \(initializerHead)", findings.body(["self.init()"]))
      ]
    case .designated:
      return [designatedInitializer]
    case .designatedAndEmpty(let overrides):
      let empty =
        overrides
        ? source("override init()", findings.body(["super.init()"]))
        : source("init()", findings.body([]))
      return [empty, designatedInitializer]
    }
  }

  private var designatedInitializer: String {
    let assignments = properties.inOrderOfInitialization.flatMap { slot, property -> [String] in
      // Weak references, and wrapped properties with an initial value, are set when linking.
      if property.ownership == .weak || (property.isWrapped && property.hasInitialValue) { return [] }
      let initial =
        property.hasInitialValue ? ", default: \(property.archived("self.\(property.name)"))" : ""
      let older = property.olderValue(at: slot).map { ", older: { \($0) }" } ?? ""
      let value = property.restored(call: "decoder.__slots.value(\(slot)\(initial)\(older))")
      return [property.located("self.\(property.name) = \(value)", conversionLine: 0)].lines
    }
    let superclass =
      isSubclass ? ["try super.init(from: decoder.__superclass(after: \(properties.count)))"] : []
    return source(
      "\(type.closedAccess)required \(initializerHead)", findings.body(assignments + superclass))
  }

  private var encode: String {
    let calls = properties.enumerated().map { $1.archiving(by: "encoder.__slots.encode", at: $0) }
    let superclass =
      isSubclass ? ["try super.encode(to: encoder.__superclass(after: \(properties.count)))"] : []
    return source(
      "\(type.access)\(override)func encode(to encoder: borrowing \(arc)ObjectEncoder) throws",
      findings.body(calls + superclass))
  }

  /// A nested type. With it, the runtime finds the class even if the program has not registered it. Nil if
  /// the class has no archivable superclass, because no nested type is needed then.
  ///
  /// The runtime finds classes by their conformances. It cannot find a subclass like this, because the
  /// subclass inherits its conformance.
  private var announcement: String? {
    isSubclass ? "private enum __Announced: \(arc)__Announcement {\n}" : nil
  }

  private var check: String? {
    let version = version.check(of: type.name, superclass: superclass, at: location)
    let properties = properties.enumerated().flatMap { $1.check(of: "object", at: $0) }
    return DeclarationCheck(statements: version + properties)
      .function(
        "(_ object: \(type.name), _ migrated: inout \(arc)MigratedObject) throws", findings: findings)
  }

  /// Returns an `else` branch for linking. It sets the property to a value that is converted from older
  /// values. Empty if the property has no conversions.
  private func olderLink(of property: StoredProperty, at slot: Int) -> String {
    guard let value = property.olderValue(at: slot, like: "self.\(property.name)") else { return "" }
    return """
       else if let value = \(value) {
        self.\(property.name) = value
      }
      """
  }

  private var link: String {
    let superclass =
      isSubclass ? ["try super.link(from: decoder.__superclass(after: \(properties.count)))"] : []
    let links = properties.enumerated().filter { !$0.element.isConstant }.flatMap { slot, property in
      let statement = """
        if let value = try decoder.__slots.link(\(slot), like: \(property.archived("self.\(property.name)"))) {
          self.\(property.name) = \(property.restored("value"))
        }\(olderLink(of: property, at: slot))
        """
      return [property.located(statement, conversionLine: 2)].lines
    }
    return source(
      "\(type.access)\(override)func link(from decoder: borrowing \(arc)ObjectDecoder) throws",
      findings.body(superclass + links))
  }
}
