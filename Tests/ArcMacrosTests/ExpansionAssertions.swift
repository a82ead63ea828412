import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import SwiftSyntaxMacrosTestSupport
import XCTest

@testable import ArcMacros

/// The macros as the compiler calls them on a type that misses `conformances`.
///
/// Of a class with an archivable superclass only the other forms are missing.
func macroSpecs(missing conformances: [TypeSyntax]) -> [String: MacroSpec] {
  [
    "Archivable": MacroSpec(type: ArchivableMacro.self, conformances: conformances),
    "Key": MacroSpec(type: MarkMacro.self),
    "Transient": MacroSpec(type: MarkMacro.self),
  ]
}

/// Asserts the whole source that `source` expands to, and everything that the macros say about it.
///
/// One test for each kind of type does so; the others look at the members that they are about.
func assertExpansion(
  _ source: String, _ expected: String, isSubclass: Bool = false, diagnostics: [DiagnosticSpec] = [],
  file: StaticString = #filePath, line: UInt = #line
) {
  assertMacroExpansion(
    source, expandedSource: withSelectors(expected), diagnostics: diagnostics,
    macroSpecs: macroSpecs(missing: conformances(isSubclass: isSubclass)), indentationWidth: .spaces(2),
    file: file, line: line)
}

/// The text of an expansion with the names of the modules as this compiler takes them: `Arc::` for `Arc.`.
func withSelectors(_ expansion: String) -> String {
  expansion.replacing(#/\b(Arc|ArcModel)\./#) { $0.1 == "Arc" ? arc : arcModel }
}

/// Asserts that `source` expands without a finding, and what the expansion contains; nil allows anything.
///
/// `heads` are the members and extensions, in short form as in `ExpandedDeclarations`, except
/// `__checkDeclarations`. `properties` has a line per property or field: what the schema states before its
/// accessors. Each of `fragments` is consecutive lines of the expansion, compared without indentation.
func assertExpansion(
  of source: String, adds heads: [String]? = nil, properties: String? = nil,
  contains fragments: [String] = [],
  isSubclass: Bool = false, file: StaticString = #filePath, line: UInt = #line
) {
  XCTAssertEqual(findings(in: source, isSubclass: isSubclass), [], file: file, line: line)
  let expansion = expanded(source, isSubclass: isSubclass)
  if let heads {
    let written = ExpandedDeclarations(in: source).heads
    var added = ExpandedDeclarations(in: expansion).heads
    for head in written {
      guard let index = added.firstIndex(of: head) else {
        return XCTFail("no \(head)", file: file, line: line)
      }
      added.remove(at: index)
    }
    added.removeAll { $0.contains("__checkDeclarations") }
    XCTAssertEqual(added, heads.map(withSelectors), file: file, line: line)
  }
  if let properties {
    let found = expansion.matches(of: #/(?:PropertySchema|context\.member)\((.*), \{ \(/#).map {
      String($0.1)
    }
    XCTAssertEqual(found.joined(separator: "\n"), properties, file: file, line: line)
  }
  let found = "\n\(withoutIndentation(expansion))\n"
  for fragment in fragments.map(withSelectors) where !found.contains("\n\(withoutIndentation(fragment))\n") {
    XCTFail("no lines\n\(fragment)\nin\n\(expansion)", file: file, line: line)
  }
}

/// The members that a root class gets, and its extension, in short form.
func membersOfRoot(
  _ access: String = "", initializers: [String] = ["required init(from:)"],
  extension name: String? = "Person"
) -> [String] {
  ["\(access)class var archiveSchema", "\(access)class func __typeEncoding(in:)"] + initializers
    + ["\(access)func encode(to:)", "\(access)func link(from:)"]
    + (name.map { ["extension \($0): Arc.Archivable, Arc.ArchivableValue"] } ?? [])
}

private func withoutIndentation(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
    .joined(separator: "\n")
}

/// Asserts the one finding in `source`, by its position and kind, and what the source is after a fix-it.
func assertFixIt(
  _ fixIt: String, of finding: String, in source: String, gives fixed: String,
  file: StaticString = #filePath, line: UInt = #line
) {
  let found = findings(in: source).filter { !$0.hasPrefix("fix-it: ") }
  XCTAssertEqual(found.map { $0.hasPrefix("\(finding): ") }, [true], "\(found)", file: file, line: line)
  let (expansion, context) = expansion(of: source, isSubclass: false)
  let diagnostics = context.diagnostics.map { diagnostic in
    let (place, message) = (context.location(of: diagnostic), diagnostic.diagMessage)
    return DiagnosticSpec(
      id: message.diagnosticID, message: message.message, line: place.line, column: place.column,
      severity: message.severity, fixIts: diagnostic.fixIts.map { FixItSpec(message: $0.message.message) })
  }
  assertMacroExpansion(
    source, expandedSource: expansion, diagnostics: diagnostics,
    macroSpecs: macroSpecs(missing: conformances(isSubclass: false)), applyFixIts: [fixIt],
    fixedSource: fixed, indentationWidth: .spaces(2), file: file, line: line)
}

/// The conformances that the compiler says are missing.
private func conformances(isSubclass: Bool) -> [TypeSyntax] {
  ["ArchivableByCoding", "ArchivableByConversion"] + (isSubclass ? [] : ["Archivable", "ArchivableValue"])
}

/// The source that `source` expands to, with what the macros say about it.
private func expansion(
  of source: String, isSubclass: Bool
) -> (text: String, context: BasicMacroExpansionContext) {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
  let text = file.expand(
    macroSpecs: macroSpecs(missing: conformances(isSubclass: isSubclass)),
    contextGenerator: { node in
      BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    }, indentationWidth: .spaces(2)
  ).description
  return (text, context)
}

extension BasicMacroExpansionContext {
  /// The line and column of a diagnostic, from 1; 0 for what the macros made.
  fileprivate func location(of diagnostic: Diagnostic) -> (line: Int, column: Int) {
    let location = location(of: diagnostic.node, at: .afterLeadingTrivia, filePathMode: .filePath)
    func number(_ expression: ExprSyntax?) -> Int { expression.flatMap { Int($0.trimmedDescription) } ?? 0 }
    return (number(location?.line), number(location?.column))
  }
}

/// The source that `source` expands to.
func expanded(_ source: String, isSubclass: Bool = false) -> String {
  expansion(of: source, isSubclass: isSubclass).text
}

/// What the macros say about `source`, one string for each diagnostic and each fix-it.
func findings(in source: String, isSubclass: Bool = false) -> [String] {
  let context = expansion(of: source, isSubclass: isSubclass).context
  return context.diagnostics.flatMap { diagnostic -> [String] in
    // The test harness also reports what the compiler itself would.
    guard let message = diagnostic.diagMessage as? ArchivableDiagnostic else { return [] }
    let (line, column) = context.location(of: diagnostic)
    return ["\(line):\(column) \(message.severity) \(message.id): \(message.message)"]
      + diagnostic.fixIts.map { "fix-it: \($0.message.message)" }
  }
}

/// Asserts, for each row of a table, everything that the macros say about a source.
///
/// A row is the lines of a source and then its findings, each after an arrow and on as many lines as it
/// needs. An empty line ends a row.
func assertFindings(
  _ table: String, isSubclass: Bool = false, file: StaticString = #filePath, line: UInt = #line
) {
  let rows = table.split(separator: "\n\n").map { row in
    let parts = "\n\(row)".components(separatedBy: "\n→ ")
    let findings = parts.dropFirst().map { $0.replacing("\n  ", with: " ") }
    return (source: String(parts[0].dropFirst()), expected: findings)
  }
  assertFindings(rows, isSubclass: isSubclass, file: file, line: line)
}

/// Asserts everything that the macros say about each of several sources.
func assertFindings(
  _ rows: [(source: String, expected: [String])], isSubclass: Bool = false, file: StaticString = #filePath,
  line: UInt = #line
) {
  for row in rows {
    let found = findings(in: row.source, isSubclass: isSubclass)
    XCTAssertEqual(found, row.expected, row.source, file: file, line: line)
  }
}
