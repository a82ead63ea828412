import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The diagnostics of one expansion, collected until it is known whether the expansion is used.
///
/// Invariant: an expansion whose findings contain an error has members with the right signatures whose bodies
/// always compile, so that the compiler does not report follow-on errors in generated code.
struct Findings {
  private var diagnostics: [Diagnostic] = []

  var containsError: Bool {
    diagnostics.contains { $0.diagMessage.severity == .error }
  }

  mutating func report(
    _ message: ArchivableDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = []
  ) {
    diagnostics.append(Diagnostic(node: node, message: message, fixIts: fixIts))
  }

  mutating func merge(_ others: Findings) {
    diagnostics += others.diagnostics
  }

  func emit(in context: some MacroExpansionContext) {
    for diagnostic in diagnostics {
      context.diagnose(diagnostic)
    }
  }

  /// The statements of a generated function: `lines`, or what compiles everywhere when there is an error.
  func body(_ lines: [String]) -> [String] {
    containsError ? [#"Swift.fatalError("@Archivable reported an error here")"#] : lines
  }
}
