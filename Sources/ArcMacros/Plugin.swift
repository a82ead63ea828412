import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plugin that target `Arc` names in its `#externalMacro` declarations.
@main
struct ArcMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    ArchivableMacro.self, KeyMacro.self, TransientMacro.self, CodedMacro.self, BoxedMacro.self,
  ]
}
