import SwiftSyntax

/// A case of an enum that is archived as a tagged union. Its position in the array of cases is its index.
struct EnumerationCase: Equatable {
  struct Payload: Equatable {
    /// The label as spelled in the program. Nil without a label.
    var label: String?
    var plainLabel: String
    var type: String
    /// The form in which an archive stores the value. Nil if the value is stored as itself.
    var form: ArchivedForm?
    /// The default value, as source. Nil without a default value.
    var initialValue: String?
    /// The location of the value's declaration. Nil if the compiler does not provide it.
    var location: SourcePosition?
  }

  /// The name as spelled in the program, with backticks if it needs them.
  var name: String
  var plainName: String
  /// The keys of `@Key` as string literals, current key first.
  var keys: [String]?
  /// The attributes of the case that ArcModel reads.
  var modelMarks: [ModelMark] = []
  var payload: [Payload]
}

/// Reads the cases of an enum.
struct CaseReader {
  private(set) var cases: [EnumerationCase] = []
  private(set) var findings = Findings()
  private var keys = KeyLedger()
  private let hasRawValues: Bool
  private let locate: SourcePosition.Locator

  init(_ declaration: EnumDeclSyntax, locate: @escaping SourcePosition.Locator) {
    self.locate = locate
    hasRawValues = declaration.hasRawValues
    for member in declaration.memberBlock.members {
      if let declaration = member.decl.as(EnumCaseDeclSyntax.self) {
        read(declaration)
      } else if let conditional = member.decl.as(IfConfigDeclSyntax.self), !hasRawValues {
        reportCases(in: conditional)
      }
    }
    let hasConditionalCases = findings.containsError
    if cases.isEmpty, !hasConditionalCases {
      findings.report(.emptyEnum(declaration.name.plainName), at: declaration.name)
    }
  }

  private mutating func read(_ declaration: EnumCaseDeclSyntax) {
    let mark = declaration.attributes.first(named: "Key")
    if let transient = declaration.attributes.first(named: "Transient") {
      findings.report(.transientOnCase, at: transient)
    }
    let misplaced = ["Boxed", "Coded", "JSONRule", "JSONFormat"].compactMap {
      declaration.attributes.first(named: $0)
    }
    for mark in misplaced { findings.report(.misplacedMark(mark.baseName), at: mark) }
    let namesOneCase = declaration.elements.count == 1
    if let mark {
      if hasRawValues, let first = declaration.elements.first {
        findings.report(.keyOnRawCase(first.name.plainName), at: mark)
      } else if !namesOneCase {
        findings.report(.keyOnSeveral, at: mark)
      }
    }
    for element in declaration.elements {
      let name = element.name.plainName
      if cases.contains(where: { $0.plainName == name }) {
        findings.report(.overloadedCase(name), at: element.name)
        continue
      }
      cases.append(
        EnumerationCase(
          name: element.name.text, plainName: name,
          keys: keys.claim(namesOneCase ? mark : nil, for: name, at: element.name, findings: &findings),
          modelMarks: hasRawValues
            ? [] : declaration.attributes.modelMarks.map { ModelMark($0, location: locate(Syntax($0))) },
          payload: element.parameterClause?.parameters.map {
            payload($0, of: name, isMarked: !misplaced.isEmpty)
          } ?? []))
    }
  }

  private mutating func payload(
    _ parameter: EnumCaseParameterSyntax, of name: String, isMarked: Bool
  ) -> EnumerationCase.Payload {
    if !isMarked, let problem = UnarchivableType(in: parameter.type, marks: nil) {
      findings.report(.unarchivable(name, problem), at: parameter.type)
    }
    let label = parameter.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0 }
    return EnumerationCase.Payload(
      label: label?.text, plainLabel: label?.plainName ?? "", type: parameter.type.trimmedDescription,
      form: ArchivedForm(of: parameter.type),
      initialValue: parameter.defaultValue?.value.trimmedDescription, location: locate(Syntax(parameter.type))
    )
  }

  private mutating func reportCases(in conditional: IfConfigDeclSyntax) {
    for case .decls(let members)? in conditional.clauses.map(\.elements) {
      for member in members {
        if let nested = member.decl.as(IfConfigDeclSyntax.self) { reportCases(in: nested) }
        for element in member.decl.as(EnumCaseDeclSyntax.self)?.elements ?? [] {
          findings.report(.conditional(element.name.plainName), at: element)
        }
      }
    }
  }
}

extension EnumDeclSyntax {
  /// Whether the enum is archived by its raw values, which `RawRepresentable` does without generated code.
  var hasRawValues: Bool {
    let elements = memberBlock.members.flatMap { member in
      member.decl.as(EnumCaseDeclSyntax.self).map { Array($0.elements) } ?? []
    }
    if elements.contains(where: { $0.parameterClause != nil }) { return false }
    let rawTypes: Set = [
      "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "String", "Character", "Double", "Float", "Float16",
      "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128",
    ]
    let inherited = inheritanceClause?.inheritedTypes.compactMap(\.type.baseName) ?? []
    return elements.contains { $0.rawValue != nil } || inherited.contains(where: rawTypes.contains)
  }
}
