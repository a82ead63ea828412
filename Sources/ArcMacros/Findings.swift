import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The diagnostics of one expansion, collected until the macro knows whether it uses the expansion.
///
/// Invariant: if the findings contain an error, the members of the expansion have the right signatures and
/// bodies that always compile. Therefore the compiler reports no further errors in generated code.
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

  /// Returns the statements for the body of a generated function: `lines`. If an error was found, returns a
  /// statement that always compiles instead.
  func body(_ lines: [String]) -> [String] {
    containsError ? [#"Swift.fatalError("@Archivable reported an error here")"#] : lines
  }
}
