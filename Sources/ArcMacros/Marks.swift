import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Key`, `@Transient`, `@Coded` and `@Boxed`: add nothing. `ArchivableMacro` reads them; the mark itself
/// reports a place where nobody would.
enum MarkMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    judge(node, on: declaration, in: context)
    return []
  }
}

/// Reports a mark that `ArchivableMacro` does not read; those that it reads it checks itself.
private func judge(
  _ mark: AttributeSyntax, on declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
) {
  guard declaration.is(VariableDeclSyntax.self) || declaration.is(EnumCaseDeclSyntax.self) else {
    context.diagnose(Diagnostic(node: mark, message: ArchivableDiagnostic.misplacedMark(mark.baseName)))
    return
  }
  // A copy of the mark that another macro made, such as the storage for `@Observable`, has no enclosing
  // declaration.
  guard let enclosing = context.lexicalContext.first else { return }
  let attributes = enclosing.asProtocol((any DeclGroupSyntax).self)?.attributes
  if attributes?.first(named: "Archivable") == nil {
    context.diagnose(
      Diagnostic(node: mark, message: ArchivableDiagnostic.markOutsideArchivable(mark.baseName)))
  }
}
