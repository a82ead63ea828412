import SwiftDiagnostics
import SwiftSyntax

/// A member of a class that Arc finds by its name, such as `didUnarchive(in:)`.
///
/// A member with a similar name compiles, but Arc never calls it. The macro warns of such members.
struct Hook {
  let name: String
  /// The parameter labels of each form of the function that Arc calls. Empty for a property.
  let labels: [[String]]
  let isStatic: Bool
  /// The correct declaration of the hook, which the warning suggests.
  let declaration: String
  /// The protocol of the hook. Nil if the hook belongs to no protocol.
  let interface: String?
  /// The type of a property. Nil for a function, and for a property that may have any type.
  var type: String?
  /// Whether only Arc uses the name of the hook. If true, the macro assumes that every member with this name
  /// is meant as the hook.
  var isSpecific = true

  static let all = [
    Hook(
      name: "willArchive", labels: [["in"]], isStatic: false,
      declaration: "func willArchive(in context: ArchiveContext)", interface: "ArchivePreparing"),
    Hook(
      name: "replacementForArchiving", labels: [["in"]], isStatic: false,
      declaration: "func replacementForArchiving(in context: ArchiveContext) -> any Archivable",
      interface: "ArchiveReplacing"),
    Hook(
      name: "replacementAfterUnarchiving", labels: [["in"]], isStatic: false,
      declaration: "func replacementAfterUnarchiving(in context: ArchiveContext) -> any Archivable",
      interface: "UnarchiveReplacing"),
    Hook(
      name: "didUnarchive", labels: [["in"]], isStatic: false,
      declaration: "func didUnarchive(in context: ArchiveContext)", interface: "UnarchiveFinishing"),
    Hook(
      name: "migrate", labels: [["_", "from"]], isStatic: true,
      declaration: "static func migrate(_ object: inout MigratedObject, from version: Int)", interface: nil,
      isSpecific: false),
    Hook(
      name: "archiveVersion", labels: [], isStatic: true, declaration: "static let archiveVersion",
      interface: nil),
    Hook(
      name: "willRead", labels: [["_"], ["_", "in"]], isStatic: true,
      declaration: "static func willRead(_ object: inout JSONObject)", interface: "JSONPreprocessing",
      isSpecific: false),
    Hook(
      name: "didRead", labels: [[], ["in"]], isStatic: false, declaration: "func didRead()",
      interface: "ModelFinishing", isSpecific: false),
    Hook(
      name: "willWrite", labels: [["_"], ["_", "in"]], isStatic: false,
      declaration: "func willWrite(_ object: inout JSONObject)", interface: "JSONPostprocessing",
      isSpecific: false),
    Hook(
      name: "modelClass", labels: [["for"], ["for", "in"]], isStatic: true,
      declaration: "static func modelClass(for object: JSONNode) -> (any Archivable.Type)?",
      interface: "JSONClassChoosing", isSpecific: false),
    Hook(
      name: "mapping", labels: [], isStatic: true, declaration: "static var mapping: JSONMapping",
      interface: "ModelMapping", type: "JSONMapping", isSpecific: false),
    Hook(
      name: "identifyingProperties", labels: [], isStatic: true,
      declaration: "static var identifyingProperties: [String]", interface: "ModelIdentifiable",
      type: "[String]"),
    Hook(
      name: "comparedProperties", labels: [], isStatic: true,
      declaration: "static var comparedProperties: [String]", interface: "ModelEquatable", type: "[String]"),
  ]

  /// The types that only hooks have as parameters. A function with such a parameter is meant as a hook.
  fileprivate static let typesOfParameters: Set = [
    "ArchiveContext", "MigratedObject", "JSONObject", "JSONNode",
  ]
}

extension ClassDeclSyntax {
  /// Warns of members that resemble hooks.
  func checkHooks(_ findings: inout Findings) {
    let interfaces = Set((inheritanceClause?.inheritedTypes ?? []).compactMap(\.type.nameWithoutAttributes))
    let members = memberBlock.members.compactMap { HookCandidate($0.decl) }
    for member in members {
      guard let hook = member.hookMissed(among: members, interfaces) else { continue }
      findings.report(
        .nearHook(
          member.description, hook: hook.declaration,
          missing: hook.interface.flatMap { interfaces.contains($0) ? nil : $0 }), at: member.name,
        fixIts: member.name.plainName == hook.name ? [] : [.rename(member.name, to: hook.name)])
    }
  }
}

/// A function or property that may be meant as a hook.
private struct HookCandidate {
  let name: TokenSyntax
  private let isStatic: Bool
  /// The labels of the function's parameters. Nil for a property.
  private let labels: [String]?
  private let typesOfParameters: Set<String>
  /// The type of a property. Nil for a function, or if the declaration does not state the type.
  private let type: String?

  init?(_ declaration: DeclSyntax) {
    if let function = declaration.as(FunctionDeclSyntax.self) {
      let parameters = function.signature.parameterClause.parameters
      (name, labels, type) = (function.name, parameters.map(\.firstName.text), nil)
      isStatic = function.modifiers.isOfType
      typesOfParameters = Set(parameters.compactMap(\.type.nameWithoutAttributes))
    } else if let variable = declaration.as(VariableDeclSyntax.self), variable.bindings.count == 1,
      let binding = variable.bindings.first,
      let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
    {
      (self.name, labels, isStatic, typesOfParameters) = (name, nil, variable.modifiers.isOfType, [])
      type = binding.typeAnnotation.map { $0.type.baseName ?? $0.type.trimmedDescription }
    } else {
      return nil
    }
  }

  var description: String {
    let arguments = labels.map { "(\($0.map { "\($0):" }.joined()))" } ?? ""
    return "\(isStatic ? "static " : "")\(name.plainName)\(arguments)"
  }

  /// Returns the hook that the member resembles. Nil if the member is a hook itself, or resembles no hook.
  func hookMissed(among members: [HookCandidate], _ interfaces: Set<String>) -> Hook? {
    let hooks = Hook.all.filter { $0.labels.isEmpty == (labels == nil) }
    if hooks.contains(where: isHook) { return nil }
    return hooks.first { hook in
      let isDeclared = hook.interface.map(interfaces.contains) ?? false
      guard labels == nil ? isProperty(meantAs: hook, isDeclared) : isFunction(meantAs: hook, isDeclared)
      else { return false }
      // If the class also has the hook itself, a similar function is the program's own. But a second property
      // with a list of names is probably a mistake.
      return !members.contains { $0.isHook(hook) } || hook.isSpecific && type != nil && type == hook.type
    }
  }

  private func isFunction(meantAs hook: Hook, _ isDeclared: Bool) -> Bool {
    if isDeclared, name.plainName.lowercased().hasPrefix(hook.name.lowercased()) { return true }
    let isMeant =
      isDeclared || hook.isSpecific && name.plainName == hook.name
      || !typesOfParameters.isDisjoint(with: Hook.typesOfParameters)
    return isMeant && name.plainName.isAlmost(hook.name)
  }

  private func isProperty(meantAs hook: Hook, _ isDeclared: Bool) -> Bool {
    // Only static properties, because a stored property of an object may well have a similar name.
    guard isStatic || name.plainName == hook.name, name.plainName.isAlmost(hook.name) else { return false }
    guard let expected = hook.type else { return true }
    if isDeclared, name.plainName.lowercased() == hook.name.lowercased() { return true }
    return type.map { $0 == expected } ?? isDeclared
  }

  private func isHook(_ hook: Hook) -> Bool {
    name.plainName == hook.name && isStatic == hook.isStatic
      && (labels.map(hook.labels.contains) ?? hook.labels.isEmpty)
  }
}

extension TypeSyntax {
  /// The name of a type, without attributes and specifiers such as `inout`.
  fileprivate var nameWithoutAttributes: String? {
    (self.as(AttributedTypeSyntax.self)?.baseType ?? self).baseName
  }
}

extension DeclModifierListSyntax {
  fileprivate var isOfType: Bool { contains(.static) || contains(.class) }
}

extension String {
  /// Whether two strings differ only in case, or in at most two letters. For a long string, three letters are
  /// allowed.
  fileprivate func isAlmost(_ other: String) -> Bool {
    let (one, another) = (Array(lowercased()), Array(other.lowercased()))
    // `identifyingProperty` differs from `identifyingProperties` in three letters.
    let maximum = another.count < 16 ? 2 : 3
    guard abs(one.count - another.count) <= maximum else { return false }
    // The edit distances from each prefix of `one` to all prefixes of `another`, row by row.
    var row = Array(0...another.count)
    for (index, letter) in one.enumerated() {
      var next = [index + 1]
      for (position, otherLetter) in another.enumerated() {
        let replacing = row[position] + (letter == otherLetter ? 0 : 1)
        next.append(Swift.min(replacing, row[position + 1] + 1, next[position] + 1))
      }
      row = next
    }
    return row[another.count] <= maximum
  }
}
