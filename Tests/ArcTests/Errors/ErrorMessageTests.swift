import Arc
import ArcArchive
import ArcFormat
import ArcRuntime
import ArcTestSupport
import ArcTesting
import Foundation
import XCTest

@Archivable private final class Note {
  var text = ""
  init() {}
}

/// A class that is archived as another object, or that reads a file before it is archived.
@Archivable private final class Stage: ArchiveReplacing, ArchivePreparing {
  @Transient var replacement: Note?
  @Transient var template: URL?
  init(_ replacement: Note? = nil, template: URL? = nil) {
    (self.replacement, self.template) = (replacement, template)
  }
  func replacementForArchiving(in context: ArchiveContext) -> any Archivable { replacement ?? self }
  func willArchive(in context: ArchiveContext) throws {
    if let template { _ = try Unarchiver().read(Note.self, from: template) }
  }
}

/// A type whose initializer refuses its archived form.
private struct Unreadable: ArchivableByConversion {
  var archivedForm: Int { 0 }
  init() {}
  init(archivedForm: Int) throws { throw ArchiveError(.valueOutOfRange, found: "0") }
}

/// A type whose encoding contains itself without end.
private struct CodedNest: Codable, ArchivableByCoding {
  init() {}
  init(from decoder: any Decoder) {}
  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(self)
  }
}

final class ErrorMessageTests: XCTestCase {
  func testEveryErrorCodeHasASentenceForUsers() {
    for code in ArchiveError.Code.allCases {
      let error = ArchiveError(code, found: "x", remedy: "y")
      let sentence = error.localizedDescription
      XCTAssert(sentence.hasSuffix("."), "\(code): \(sentence)")
      XCTAssertFalse(sentence.contains(code.rawValue), "\(code): \(sentence)")
      XCTAssertEqual(error.failureReason, "\(code): found x; y")
      XCTAssertEqual(error.recoverySuggestion, "y")
    }
  }

  func testFileErrorsContainTheFileName() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("my notes.arc")
      try Archiver().write(Note(), to: url)
      try Data(contentsOf: url).dropLast(8).write(to: url)
      XCTAssertThrowsError(try Unarchiver().read(Note.self, from: url)) { error in
        let error = error as? ArchiveError
        XCTAssertEqual(error?.code, .truncated)
        XCTAssertEqual(error?.filePath, url.path)
        XCTAssertEqual(error?.localizedDescription, "“my notes.arc” is incomplete: its end is missing.")
        XCTAssert(error?.description.contains("file '\(url.path)'") ?? false, "\(String(describing: error))")
      }
      XCTAssertThrowsError(try Unarchiver().read(roots: .init("a", Int.self), from: url)) {
        XCTAssertEqual(($0 as? ArchiveError)?.filePath, url.path)
      }
      let missing = folder.appendingPathComponent("none/note.arc")
      XCTAssertThrowsError(try Archiver().write(Note(), to: missing)) { error in
        XCTAssertEqual((error as? ArchiveError)?.code, .fileSystem)
        XCTAssertEqual(error.localizedDescription, "“note.arc” could not be written.")
      }
    }
  }

  /// The old file is unchanged, and the message does not state otherwise.
  func testSaveErrorsDoNotBlameTheOldFile() throws {
    let byMistake = "“x.arc” could not be saved because of an error in the program."
    let cases: [(ArchiveError.Code, String, (URL) throws -> Void)] = [
      (.duplicateKey, byMistake, { try Archiver().write(roots: ["a": 1, "a": 2], to: $0) }),
      (.wrongClass, byMistake, { try Archiver().write([Stage(Note())], to: $0) }),
      (
        .valueOutOfRange, "“x.arc” could not be saved because it contains a value that no file can hold.",
        { try Archiver().write(Unreadable(), to: $0) }
      ),
      (
        .limitExceeded, "“x.arc” could not be saved because it is too large or too deeply nested.",
        { try Archiver().write(CodedNest(), to: $0) }
      ),
    ]
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("x.arc")
      try Archiver().write(Note(), to: url)
      for (code, sentence, save) in cases {
        XCTAssertThrowsError(try save(url), code.rawValue) { error in
          XCTAssertEqual((error as? ArchiveError)?.code, code, "\(error)")
          XCTAssertEqual(error.localizedDescription, sentence)
        }
        XCTAssertNoThrow(try Unarchiver().read(Note.self, from: url))
      }
    }
  }

  func testArchivingErrorsWithoutAFileMentionSaving() throws {
    let sentence = "The document could not be saved because of an error in the program."
    for archive in [
      { _ = try Archiver().archive(roots: ["a": 1, "a": 2]) },
      { _ = try Archiver().snapshot(roots: ["a": 1, "a": 2]) },
    ] as [() throws -> Void] {
      XCTAssertThrowsError(try archive()) { XCTAssertEqual($0.localizedDescription, sentence) }
    }
    let snapshot = try Archiver().snapshot(of: Note())
    XCTAssertThrowsError(try snapshot.write(to: .descriptor(-1))) {
      XCTAssertEqual($0.localizedDescription, "The document could not be written.")
    }
  }

  func testErrorInHookNamesTheFileItRead() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("template.arc")
      try Archiver().write(Note(), to: url)
      try Data(contentsOf: url).dropLast(8).write(to: url)
      let saved = folder.appendingPathComponent("x.arc")
      XCTAssertThrowsError(try Archiver().write(Stage(template: url), to: saved)) {
        XCTAssertEqual($0.localizedDescription, "“template.arc” is incomplete: its end is missing.")
      }
    }
  }

  func testKeyAccessAndTypeErrorsHaveLocalizedDescriptions() throws {
    XCTAssertThrowsError(try Note().value(forKeyPath: "txet")) {
      XCTAssert($0 is KeyAccessError)
      XCTAssertEqual($0.localizedDescription, "\($0)")
    }
    XCTAssertThrowsError(try ClassTable().register(Note.self, as: "")) {
      XCTAssert($0 is ClassTableError)
      XCTAssertEqual($0.localizedDescription, "\($0)")
    }
    XCTAssertThrowsError(try TypeEncoding(parsing: "{S=x}")) {
      XCTAssert($0 is TypeEncodingError)
      XCTAssertEqual($0.localizedDescription, "\($0)")
    }
  }

  func testSchemaCheckErrorsHaveLocalizedDescriptions() throws {
    try withTemporaryFolder { folder in
      try Archiver().write(Note(), to: folder.appendingPathComponent("note.arc"))
      XCTAssertThrowsError(try Unarchiver().check(archivesIn: folder, for: Int.self)) {
        XCTAssert($0 is ArchiveFolderError)
        XCTAssertEqual($0.localizedDescription, "\($0)")
      }
      XCTAssertThrowsError(
        try SchemaSnapshot.check(Note.self, against: folder.appendingPathComponent("Note.schema"))
      ) {
        XCTAssert($0 is SchemaSnapshotError)
        XCTAssertEqual($0.localizedDescription, "\($0)")
      }
    }
  }

  func testArchiveFileCanBeSavedToURL() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("note.arc")
      let file = try ArchiveFile(bytes: Archiver().archive(Note()))
      try file.write(to: url)
      XCTAssertEqual(try Unarchiver().read(Note.self, from: url).text, "")
      XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), ["note.arc"])
      assertThrows(.fileSystem) { try file.write(to: folder) }
    }
  }

  func testSystemErrorsContainSystemMessageAndARemedy() throws {
    try withTemporaryFolder { folder in
      let (none, file) = (folder.appendingPathComponent("none/x.arc"), folder.appendingPathComponent("x.arc"))
      try Archiver().write(1, to: file)
      let opened = try ArchiveFile(contentsOf: file)
      let behind = file.appendingPathComponent("y.arc")
      let cases: [(URL, read: String, write: String)] = [
        (
          none, "'No such file or directory' on the attempt to read '\(none.path)'; check the path: ",
          "'No such file or directory' on the attempt to find '\(none.path)'; check the path: "
        ),
        (
          folder, "'Is a directory' on the attempt to read '\(folder.path)'; pass the path of a file",
          "'Is a directory' on the attempt to replace '\(folder.path)'; pass the path of a file"
        ),
        (
          behind, "'Not a directory' on the attempt to read '\(behind.path)'; check the path: ",
          "'Not a directory' on the attempt to find '\(behind.path)'; check the path: "
        ),
      ]
      for (url, read, write) in cases {
        try assertFails(url, "fileSystem: found the system error " + read) {
          _ = try Unarchiver().read(Int.self, from: url)
        }
        try assertFails(url, "fileSystem: found the system error " + read) {
          _ = try ArchiveFile(contentsOf: url)
        }
        try assertFails(url, "fileSystem: found the system error " + write) {
          try Archiver().write(1, to: url)
        }
        try assertFails(url, "fileSystem: found the system error " + write) {
          try opened.write(to: url)
        }
      }
    }
  }

  private static let openers: [@Sendable (URL) throws -> ArchiveFile] = [
    { try ArchiveFile(contentsOf: $0) }, { try ArchiveFile(mapping: $0) },
  ]

  func testErrorsFromAnOpenedFileContainThePath() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("notes.arc")
      try Data("no archive".utf8).write(to: url)
      for open in Self.openers {
        XCTAssertEqual(assertThrows(ArchiveError.self) { try open(url) }?.filePath, url.path)
      }
      var bytes = try Archiver().archive("a note that is damaged")
      bytes[bytes.count / 2] ^= 1
      try Data(bytes).write(to: url)
      for open in Self.openers {
        let file = try open(url)
        XCTAssertEqual(assertThrows(.damagedSegment) { try file.verify() }?.filePath, url.path)
      }
    }
  }

  private func assertFails(_ url: URL, _ start: String, _ body: () throws -> Void) throws {
    XCTAssertThrowsError(try body()) { error in
      let text = "\(error)"
      XCTAssertTrue(text.hasPrefix(start), text)
      XCTAssertEqual((error as? ArchiveError)?.filePath, url.path)
      // The message contains the path of the file once, and no error number or domain.
      XCTAssertEqual(text.components(separatedBy: url.path).count, 2, text)
      XCTAssertFalse(text.contains("Domain") || text.contains("Code") || text.contains("errno"), text)
    }
  }
}
