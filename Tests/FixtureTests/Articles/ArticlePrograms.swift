import Foundation

/// The programs whose output pages show, by page in the order of the blocks; each gets a folder.
let articlePrograms: [String: [@Sendable (URL) throws -> String]] = [
  "README.md": [{ _ in try lines(of: tree(of: runFirstExample().bytes)) }],
  "GettingStarted.md": [
    { try runGettingStarted(in: $0).printed },
    { try lines(of: tree(of: runGettingStarted(in: $0).bytes)) },
    { try runGettingStartedWithAnError(in: $0) },
  ],
  "IdentityCyclesAndPhases.md": [{ _ in try runIdentity() }],
  "TypeEncodings.md": [{ _ in try runTypes() }, { _ in runWrongType() }, { _ in try runMembers() }],
  "WhichClassModelIsWhich.md": [{ _ in try runClassModels() }],
  "OpeningFilesFromStrangers.md": [{ _ in try runStrangers() }],
  "ReadingWithoutTheClasses.md": [{ _ in try runClasslessExample() }, { _ in try runRecoveryExample() }],
]

/// A text without the line end behind it.
private func lines(of text: String) -> String { text.hasSuffix("\n") ? String(text.dropLast()) : text }
