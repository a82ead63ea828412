import SwiftSyntax

/// The arguments of `@Archivable("Name", superclass: .automatic)`.
struct ArchivableArguments: Equatable {
  enum Superclass: String { case automatic, archivable, notArchivable }

  /// The name in archives, nil for the name in the program.
  var name: String?
  var superclass = Superclass.automatic

  /// Reads the arguments; what cannot be read is reported and counts as not given.
  init(of attribute: AttributeSyntax, findings: inout Findings) {
    guard case .argumentList(let arguments) = attribute.arguments else { return }
    for argument in arguments {
      if argument.label?.text == "superclass" {
        readSuperclass(argument.expression, findings: &findings)
      } else {
        readName(argument.expression, findings: &findings)
      }
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
