import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosTestSupport
import XCTest

@testable import ArcMacros

/// The macros as the compiler calls them on a type that misses `conformances`.
///
/// For a class with an archivable superclass the compiler passes none.
func macroSpecs(missing conformances: [TypeSyntax]) -> [String: MacroSpec] {
  [
    "Archivable": MacroSpec(type: ArchivableMacro.self, conformances: conformances),
    "Key": MacroSpec(type: KeyMacro.self),
    "Transient": MacroSpec(type: TransientMacro.self),
  ]
}

/// Asserts the whole source that `source` expands to, and everything that the macros say about it.
func assertExpansion(
  _ source: String, _ expected: String, isSubclass: Bool = false, diagnostics: [DiagnosticSpec] = [],
  applying fixIts: [String]? = nil, fixed: String? = nil, file: StaticString = #filePath, line: UInt = #line
) {
  assertMacroExpansion(
    source, expandedSource: expected, diagnostics: diagnostics,
    macroSpecs: macroSpecs(missing: isSubclass ? [] : ["Archivable", "ArchivableValue"]),
    applyFixIts: fixIts, fixedSource: fixed, indentationWidth: .spaces(2), file: file, line: line)
}

/// The source that `source` expands to, for a look at a part of it.
func expanded(_ source: String) -> String {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
  return file.expand(
    macroSpecs: macroSpecs(missing: ["Archivable", "ArchivableValue"]),
    contextGenerator: { node in
      BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    }, indentationWidth: .spaces(2)
  ).description
}

/// What the macros say about `source`, one string for each diagnostic and each fix-it.
func findings(in source: String, isSubclass: Bool = false) -> [String] {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
  _ = file.expand(
    macroSpecs: macroSpecs(missing: isSubclass ? [] : ["Archivable", "ArchivableValue"]),
    contextGenerator: { node in
      BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    })
  return context.diagnostics.flatMap { diagnostic -> [String] in
    // The test harness also reports what the compiler itself would.
    guard let message = diagnostic.diagMessage as? ArchivableDiagnostic else { return [] }
    let place = context.location(of: diagnostic.node, at: .afterLeadingTrivia, filePathMode: .filePath)
    let (line, column) = (place?.line.trimmedDescription ?? "?", place?.column.trimmedDescription ?? "?")
    return ["\(line):\(column) \(message.severity) \(message.id): \(message.message)"]
      + diagnostic.fixIts.map { "fix-it: \($0.message.message)" }
  }
}

/// Asserts, for each row of a table, everything that the macros say about a source.
func assertFindings(
  _ table: [(source: String, expected: [String])], isSubclass: Bool = false, file: StaticString = #filePath,
  line: UInt = #line
) {
  for row in table {
    let found = findings(in: row.source, isSubclass: isSubclass)
    XCTAssertEqual(found, row.expected, row.source, file: file, line: line)
  }
}
