import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Archivable`: generates the conformance of a class, struct or enum as calls into the library.
///
/// Members of a class are generated in the class, because subclasses inherit only initializers that are
/// declared in the class. Members of an enum are generated in the enum, because only code in the enum can
/// find the types of associated values by name. Members of a struct are generated in an extension, so that
/// the struct retains its memberwise initializer. The macro role that generates the functions also reports
/// the errors of the declaration.
enum ArchivableMacro {
  /// No formatting, because the generated source is already formatted.
  static var formatMode: FormatMode { .disabled }
}

extension ArchivableMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    var findings = Findings()
    defer { findings.emit(in: context) }
    if let conformance = otherForm(missing: protocols) {
      findings.report(declaration.otherForm(conformance), at: node)
    }
    if let declaration = declaration.as(StructDeclSyntax.self) {
      return members(of: declaration, in: context)
    }
    if let declaration = declaration.as(ClassDeclSyntax.self) {
      return members(of: declaration, node: node, missing: protocols, findings: &findings, in: context)
    }
    if let declaration = declaration.as(EnumDeclSyntax.self) {
      return members(of: declaration, node: node, findings: &findings, in: context)
    }
    findings.report(.unsupported(declaration), at: node)
    return []
  }

  /// Returns the declaration of the type names that the extension of a nested struct uses. Empty at file
  /// scope.
  private static func members(
    of declaration: StructDeclSyntax, in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    if context.lexicalContext.isEmpty { return [] }
    var names = FormNames()
    // The expansion of the extension reports the findings of this reader.
    for property in PropertyReader(members: declaration.memberBlock.members).properties {
      _ = names.naming(property)
    }
    return [names.declaration].compactMap { $0.map(DeclSyntax.init(unparsed:)) }
  }

  private static func members(
    of declaration: ClassDeclSyntax, node: AttributeSyntax, missing: [TypeSyntax],
    findings: inout Findings, in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    // The compiler rejects the extension of a local type with an error.
    if context.lexicalContext.contains(where: \.isCode) { return [] }
    guard isOpenToArchives(declaration, findings: &findings) else { return [] }
    if missing.contains(where: { $0.baseName == "Archivable" }) {
      checkReach(of: declaration, findings: &findings, in: context)
    }
    let arguments = ArchivableArguments(of: node, findings: &findings)
    checkTypeParameters(of: declaration, findings: &findings)
    let inheritance = ClassInheritance(
      of: declaration, arguments: arguments, missing: missing, at: node, findings: &findings)
    let isObservable = declaration.attributes.first(named: "Observable") != nil
    let locate = SourcePosition.locator(in: declaration, context)
    let reader = PropertyReader(
      members: declaration.memberBlock.members, isObservable: isObservable,
      mayGainAccessors: declaration.mayGainMembers, isClass: true, locate: locate)
    findings.merge(reader.findings)
    let initializers = InitializerPlan(
      for: declaration, inheritance: inheritance, uninitialized: reader.uninitialized, findings: &findings)
    let type = TypeDeclaration(declaration, arguments: arguments, in: context)
    let version = ClassVersion(of: declaration, findings: &findings)
    declaration.checkHooks(&findings)
    let expansion = ClassExpansion(
      type: type, superclass: inheritance == .archivable ? declaration.superclassName : nil,
      overriddenProperties: declaration.overriddenProperties,
      version: version, initializers: initializers,
      properties: reader.properties, location: locate(Syntax(declaration.name)), findings: findings)
    // With the functions of two forms, the compiler would report an ambiguity. These functions prevent it.
    let choice =
      otherForm(missing: missing) == nil
      ? [] : [type.writeFunction(findings.body([])), type.readFunction(findings.body([]))]
    return expansion.members + choice.map(DeclSyntax.init(unparsed:))
  }

  private static func members(
    of declaration: EnumDeclSyntax, node: AttributeSyntax, findings: inout Findings,
    in context: some MacroExpansionContext
  ) -> [DeclSyntax] {
    if context.lexicalContext.contains(where: \.isCode) { return [] }
    guard isOpenToArchives(declaration, findings: &findings) else { return [] }
    let arguments = ArchivableArguments(of: node, findings: &findings)
    checkValueType(declaration, arguments: arguments, at: node, findings: &findings)
    let reader = CaseReader(declaration, locate: SourcePosition.locator(in: declaration, context))
    findings.merge(reader.findings)
    let type = TypeDeclaration(declaration, arguments: arguments, in: context)
    // The library reads and writes every `RawRepresentable`, so an enum with raw values needs only the name.
    if declaration.hasRawValues { return [DeclSyntax(unparsed: type.nameProperty)] }
    let expansion = EnumerationExpansion(type: type, cases: reader.cases, findings: findings)
    if context.lexicalContext.isEmpty { return expansion.members }
    var names = FormNames()
    for element in reader.cases { _ = names.naming(element) }
    return expansion.members + [names.declaration].compactMap { $0.map(DeclSyntax.init(unparsed:)) }
  }
}

extension ArchivableMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let declaration = Syntax(declaration).nominal else { return [] }
    var findings = Findings()
    defer { findings.emit(in: context) }
    guard let source = extensionSource(of: declaration, node: node, findings: &findings, in: context)
    else { return [] }
    let isClass = declaration.is(ClassDeclSyntax.self)
    // States all promised conformances, including implied conformances. Otherwise Swift 6.3.1 crashes on a
    // subclass. Also, a conditional conformance does not imply the inherited conformances.
    let applicable =
      isClass ? ["Archivable", "ArchivableValue", "ColumnValue"] : ["ArchivableValue", "ColumnValue"]
    let missing = Set(protocols.compactMap(\.baseName))
    // The conformance of a type that is isolated to an actor is isolated to the same actor.
    let actor = declaration.attributes.globalActor.map { "@\($0.attributeName.trimmedDescription) " } ?? ""
    let stated = applicable.filter(missing.contains).map { "\(actor)\(arc)\($0)" }.joined(separator: ", ")
    if stated.isEmpty, !declaration.is(StructDeclSyntax.self) { return [] }
    // If a class lacks `Archivable` itself, the member role reports these findings.
    var reach = Findings()
    checkReach(of: declaration, findings: &reach, in: context)
    if reach.containsError {
      if !missing.contains("Archivable") || !isClass { findings.merge(reach) }
      return []
    }
    let clause = stated.isEmpty ? "" : ": \(stated)"
    // The extension of a `nonisolated` type must not be isolated to the default actor of the module.
    let modifiers: DeclModifierListSyntax =
      declaration.modifiers.contains(.nonisolated)
      ? [DeclModifierSyntax(name: .keyword(.nonisolated, trailingTrivia: .space))] : []
    return [ExtensionDeclSyntax(modifiers: modifiers, unparsed: "\(type.trimmed)\(clause)\(source)")]
  }

  /// Returns the source of the extension, beginning with its where clause. Nil if the extension would not
  /// compile.
  private static func extensionSource(
    of declaration: any TypeDeclaration.Nominal, node: AttributeSyntax, findings: inout Findings,
    in context: some MacroExpansionContext
  ) -> String? {
    guard let declaration = declaration.as(StructDeclSyntax.self) else {
      // The expansion of the members reports these findings.
      var ignored = Findings()
      guard isOpenToArchives(declaration, findings: &ignored) else { return nil }
      if declaration.is(ClassDeclSyntax.self) { return " {\n}" }
      guard let declaration = declaration.as(EnumDeclSyntax.self) else { return nil }
      let type = TypeDeclaration(declaration, in: context)
      if declaration.hasRawValues { return "\(type.whereClause) {\n}" }
      let reader = CaseReader(declaration, locate: SourcePosition.locator(in: declaration, context))
      var names = FormNames()
      let cases = context.lexicalContext.isEmpty ? reader.cases : reader.cases.map { names.naming($0) }
      let check = EnumerationExpansion(type: type, cases: cases, findings: reader.findings).check
      return "\(type.whereClause) {\n\(check.map { "\(indented($0))\n" } ?? "")}"
    }
    guard isOpenToArchives(declaration, findings: &findings) else { return nil }
    let arguments = ArchivableArguments(of: node, findings: &findings)
    checkValueType(declaration, arguments: arguments, at: node, findings: &findings)
    let reader = PropertyReader(
      members: declaration.memberBlock.members, mayGainAccessors: declaration.mayGainMembers,
      locate: SourcePosition.locator(in: declaration, context))
    findings.merge(reader.findings)
    var names = FormNames()
    let properties =
      context.lexicalContext.isEmpty ? reader.properties : reader.properties.map { names.naming($0) }
    return StructureExpansion(
      type: TypeDeclaration(declaration, arguments: arguments, in: context),
      properties: properties, omitsProperties: reader.omitsProperties, findings: findings
    ).source
  }
}
