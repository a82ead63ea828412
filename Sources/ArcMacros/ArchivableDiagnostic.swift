import SwiftDiagnostics

/// The errors and warnings of the macros, with their identifiers and exact messages.
enum ArchivableDiagnostic: DiagnosticMessage, Equatable {
  // The type that carries `@Archivable`, and the arguments of the attribute.
  case actor(String)
  case protocolType(String)
  case extensionType(String)
  case unsupportedDeclaration
  case noncopyableType(String)
  case parameterPack(String, of: String)
  case unconstrainedParameter(String, of: String)
  case noInitializer(String, property: String)
  case noSuperclass(String)
  case superclassOfValue(String)
  case superclassNotLiteral
  case nameNotLiteral
  case emptyName
  case repeatedName(String)
  case emptyEnum(String)
  case overloadedCase(String)
  case unreachable(String)
  case moduleName
  case otherForm(String, conformance: String)
  case migrationWithoutVersion(String)
  /// A member that resembles a hook, but that Arc does not call. `missing` is the protocol of the hook if the
  /// class does not declare that it conforms to the protocol.
  case nearHook(String, hook: String, missing: String?)

  // Stored properties, cases and their payloads.
  case constantKeepsValue(String)
  case weakConstant(String)
  case unownedUnsafe(String)
  case unnamedPattern
  case conditional(String)
  case isolatedProperty(String, actor: String)
  case codedAndBoxed(String)
  case codedReference(String, String)
  case unarchivable(String, UnarchivableType)

  // `@Key` and `@Transient`.
  case keyNotLiteral
  case emptyKey
  case repeatedKey(String)
  case duplicateKey(String, of: String, owner: String)
  case keyOnTransient(String)
  case keyOnUnarchived(String, reason: String)
  case keyOnSeveral
  case keyOnRawCase(String)
  case keyConversionMisplaced(String)
  case conversionOfOwnKey(String, key: String)
  case modelMarkMisplaced(String, mark: String, reason: String)
  case transientWithoutValue(String)
  case transientOnCase
  case transientHasNoEffect(String, reason: String)
  case misplacedMark(String)
  case markOutsideArchivable(String)

  var severity: DiagnosticSeverity {
    switch self {
    case .constantKeepsValue, .transientHasNoEffect, .markOutsideArchivable, .nearHook: .warning
    default: .error
    }
  }

  var message: String { entry.text }

  /// The identifier of the diagnostic, for tools. It does not change when the message changes.
  var id: String { entry.id }

  var diagnosticID: MessageID { MessageID(domain: "Arc", id: id) }

  private var entry: (id: String, text: String) {
    switch self {
    case .actor(let name):
      (
        "actor",
        "actor '\(name)' cannot be archived: an archive reads all properties at once, from outside the actor"
          + "; archive a class, struct or enum that the actor holds"
      )
    case .protocolType(let name):
      (
        "protocolType",
        "'@Archivable' does not apply to a protocol; attach it to the types that conform to '\(name)'"
      )
    case .extensionType(let name):
      (
        "extensionType",
        "'@Archivable' does not apply to an extension; attach it to the declaration of '\(name)', "
          + "which has the stored properties"
      )
    case .unsupportedDeclaration:
      ("unsupportedDeclaration", "'@Archivable' applies to classes, structs and enums")
    case .noncopyableType(let name):
      (
        "noncopyableType",
        "noncopyable '\(name)' cannot be archived, because reading an archive may need several copies of one "
          + "value; remove '~Copyable'"
      )
    case .parameterPack(let parameter, let type):
      (
        "parameterPack",
        "type parameter pack '\(parameter)' of '\(type)' cannot be archived: "
          + "its number of types has no stored form; declare one type parameter for each type"
      )
    case .unconstrainedParameter(let parameter, let type):
      (
        "unconstrainedParameter",
        "type parameter '\(parameter)' of '\(type)' has no constraint; "
          + "values of type '\(parameter)' can be archived only if it is 'ArchivableValue'"
      )
    case .noInitializer(let type, let property):
      (
        "noInitializer",
        "class '\(type)' has no initializer that sets '\(property)'; "
          + "write an 'init', or give '\(property)' an initial value"
      )
    case .noSuperclass(let name):
      ("noSuperclass", "'superclass: .archivable' needs a superclass, but '\(name)' inherits from nothing")
    case .superclassOfValue(let name):
      ("superclassOfValue", "'superclass' applies to classes, and '\(name)' is not a class")
    case .superclassNotLiteral:
      (
        "superclassNotLiteral",
        "'superclass' must be written as '.automatic', '.archivable' or '.notArchivable': "
          + "it is read when the program is compiled"
      )
    case .nameNotLiteral:
      (
        "nameNotLiteral",
        "the name in '@Archivable' must be a string literal without interpolation: "
          + "archives refer to the type by it"
      )
    case .emptyName:
      ("emptyName", "the name in '@Archivable' must not be empty")
    case .repeatedName(let name):
      ("repeatedName", "'@Archivable' has the name '\(name)' twice; remove one of them")
    case .emptyEnum(let name):
      ("emptyEnum", "enum '\(name)' has no cases, so there is no value to archive; add a case")
    case .overloadedCase(let name):
      (
        "overloadedCase",
        "two cases are named '\(name)', and Swift's patterns do not distinguish them; rename one of them"
      )
    case .unreachable(let name):
      (
        "unreachable",
        "'\(name)' is private to the type around it, and '@Archivable' adds a conformance outside of that; "
          + "make it 'fileprivate'"
      )
    case .moduleName:
      (
        "moduleName",
        "'Arc' hides the module of that name, which generated code calls; choose another name here, "
          + "and keep 'Arc' in files by '@Key' or '@Archivable'"
      )
    case .otherForm(let name, let conformance):
      (
        "otherForm",
        "'\(name)' is '@Archivable' and conforms to '\(conformance)', which are two ways to archive it; "
          + "choose one"
      )
    case .migrationWithoutVersion(let name):
      (
        "migrationWithoutVersion",
        "'migrate(_:from:)' is called for files of older versions, but '\(name)' states no version; "
          + "declare 'static let archiveVersion' with the version that it writes now"
      )
    case .nearHook(let found, let hook, let missing):
      (
        "nearHook",
        "Arc never calls '\(found)'; to have it called, declare '\(hook)'"
          + (missing.map { " and the conformance to '\($0)'" } ?? "")
      )
    case .constantKeepsValue(let name):
      (
        "constantKeepsValue",
        "constant '\(name)' keeps its initial value and is not archived; "
          + "make it 'var' or give it its value in 'init'"
      )
    case .weakConstant(let name):
      (
        "weakConstant",
        "'weak let \(name)' cannot be archived: a weak reference is set after 'init', so it must be 'var'"
      )
    case .unownedUnsafe(let name):
      (
        "unownedUnsafe",
        "'unowned(unsafe)' property '\(name)' cannot be archived: "
          + "what it refers to may be gone; use 'unowned' or 'weak'"
      )
    case .unnamedPattern:
      (
        "unnamedPattern",
        "a property that is declared by a pattern cannot be archived; declare each property by itself"
      )
    case .conditional(let name):
      (
        "conditional",
        "'\(name)' is declared inside '#if' and cannot be archived: "
          + "the macro does not know which branch is compiled; move it out of '#if'"
      )
    case .isolatedProperty(let name, let actor):
      (
        "isolatedProperty",
        "property '\(name)' is isolated to '@\(actor)' and cannot be archived: "
          + "an archive reads and rebuilds it outside of that actor; isolate the whole class to '@\(actor)', or "
          + "mark the property '@Transient'"
      )
    case .codedAndBoxed(let name):
      (
        "codedAndBoxed",
        "'\(name)' cannot be both '@Coded' and '@Boxed': one is for a 'Codable' type, "
          + "the other for 'Any' and 'AnyObject'"
      )
    case .codedReference(let name, let ownership):
      (
        "codedReference",
        "'@Coded' does not apply to \(ownership) property '\(name)': what is decoded is a new object, "
          + "which nothing would keep; make its class '@Archivable', or mark it '@Transient'"
      )
    case .unarchivable(let name, let type):
      ("unarchivable", "'\(name)' cannot be archived: \(type.explanation)")
    case .keyNotLiteral:
      (
        "keyNotLiteral",
        "a key must be a string literal without interpolation: archives refer to the property by it"
      )
    case .emptyKey:
      ("emptyKey", "a key must not be empty")
    case .repeatedKey(let key):
      ("repeatedKey", "key '\(key)' is written twice; remove one of them")
    case .duplicateKey(let key, let name, let owner):
      ("duplicateKey", "key '\(key)' of '\(name)' is already a key of '\(owner)'; choose another one")
    case .keyOnTransient(let name):
      (
        "keyOnTransient",
        "'\(name)' cannot have both '@Key' and '@Transient', because a property that is not archived needs no "
          + "key; remove one of them"
      )
    case .keyOnUnarchived(let name, let reason):
      ("keyOnUnarchived", "'@Key' does not apply to '\(name)': \(reason) is not archived")
    case .keyOnSeveral:
      ("keyOnSeveral", "'@Key' names one property or case; declare each by itself")
    case .keyConversionMisplaced(let name):
      (
        "keyConversionMisplaced",
        "'@Key(…, from:)' does not apply to '\(name)': it is for properties of classes and fields of "
          + "structures without '@Coded' and '@Boxed'; change other values by 'migrate(_:from:)' of the "
          + "class that has them"
      )
    case .modelMarkMisplaced(let name, let mark, let reason):
      ("modelMarkMisplaced", "'@\(mark)' does not apply to '\(name)': \(reason)")
    case .conversionOfOwnKey(let name, let key):
      (
        "conversionOfOwnKey",
        "'@Key(\(key), from:)' is never used: it is a key of '\(name)' itself, whose values are read as they "
          + "are; give '\(name)' a new key with '@Key(\"…\")'"
      )
    case .keyOnRawCase(let name):
      (
        "keyOnRawCase",
        "'@Key' does not apply to '\(name)': an enum with raw values is archived by its raw value"
      )
    case .transientWithoutValue(let name):
      (
        "transientWithoutValue",
        "'@Transient' property '\(name)' needs an initial value or must be an optional 'var': "
          + "nothing else sets it when the object is rebuilt"
      )
    case .transientOnCase:
      (
        "transientOnCase",
        "'@Transient' does not apply to an enum case, because a value may be in that case; remove it"
      )
    case .transientHasNoEffect(let name, let reason):
      ("transientHasNoEffect", "'@Transient' has no effect on '\(name)': \(reason) is not archived")
    case .misplacedMark(let mark):
      (
        "misplacedMark",
        "'@\(mark)' applies to \(mark == "Key" ? "stored properties and enum cases" : "stored properties")"
      )
    case .markOutsideArchivable(let mark):
      (
        "markOutsideArchivable",
        "'@\(mark)' has no effect in a type that is not '@Archivable'; mark the type, or remove '@\(mark)'"
      )
    }
  }
}
