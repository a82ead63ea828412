import SwiftSyntax

/// The arguments of `@Archivable("Name", formerly: "Older", superclass: .automatic)`.
struct ArchivableArguments: Equatable {
  enum Superclass: String { case automatic, archivable, notArchivable }

  /// The name in archives. Nil if the name in archives is the name in the program.
  var name: String?
  /// The names in older archives.
  var formerNames: [String] = []
  var superclass = Superclass.automatic

  /// Reads the arguments. Reports and ignores an argument that cannot be read.
  init(of attribute: AttributeSyntax, findings: inout Findings) {
    guard case .argumentList(let arguments) = attribute.arguments else { return }
    // An argument without a label is the name, or a further former name.
    var label: String?
    for argument in arguments {
      label = argument.label?.text ?? label
      switch label {
      case "superclass": readSuperclass(argument.expression, findings: &findings)
      case "formerly": readFormerName(argument.expression, findings: &findings)
      default: readName(argument.expression, findings: &findings)
      }
    }
  }

  private mutating func readFormerName(_ expression: ExprSyntax, findings: inout Findings) {
    guard let former = expression.plainStringValue else {
      findings.report(.nameNotLiteral, at: expression)
      return
    }
    if former.isEmpty {
      findings.report(.emptyName, at: expression)
    } else if former == name || formerNames.contains(former) {
      findings.report(.repeatedName(former), at: expression)
    } else {
      formerNames.append(former)
    }
  }

  private mutating func readName(_ expression: ExprSyntax, findings: inout Findings) {
    if expression.is(NilLiteralExprSyntax.self) { return }
    guard let name = expression.plainStringValue else {
      findings.report(.nameNotLiteral, at: expression)
      return
    }
    if name.isEmpty {
      findings.report(.emptyName, at: expression)
    } else {
      self.name = name
    }
  }

  private mutating func readSuperclass(_ expression: ExprSyntax, findings: inout Findings) {
    let name = expression.as(MemberAccessExprSyntax.self)?.declName.baseName.plainName
    if let superclass = name.flatMap(Superclass.init(rawValue:)) {
      self.superclass = superclass
    } else {
      findings.report(.superclassNotLiteral, at: expression)
    }
  }
}
