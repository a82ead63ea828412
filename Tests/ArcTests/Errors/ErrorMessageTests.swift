import Arc
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

@Archivable private final class Note {
  var text = ""
  init() {}
}

final class ErrorMessageTests: XCTestCase {
  func testEveryCodeHasASentenceForPeople() {
    for code in ArchiveError.Code.allCases {
      let error = ArchiveError(code, found: "x", remedy: "y")
      let sentence = error.localizedDescription
      XCTAssert(sentence.hasSuffix("."), "\(code): \(sentence)")
      XCTAssertFalse(sentence.contains(code.rawValue), "\(code): \(sentence)")
      XCTAssertEqual(error.failureReason, "\(code): found x; y")
      XCTAssertEqual(error.recoverySuggestion, "y")
    }
  }

  func testErrorsOfAFileNameIt() throws {
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
        XCTAssertEqual(error.localizedDescription, "“note.arc” could not be read or written.")
      }
    }
  }

  func testBytesAreSavedAsArchivesAre() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("note.arc")
      try Archiver.write(Archiver().archive(Note()), to: url)
      XCTAssertEqual(try Unarchiver().read(Note.self, from: url).text, "")
      try Archiver.write([1, 2, 3], to: url)
      XCTAssertEqual(try Data(contentsOf: url), Data([1, 2, 3]))
      XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder.path), ["note.arc"])
      XCTAssertThrowsError(try Archiver.write([], to: folder)) {
        XCTAssertEqual(($0 as? ArchiveError)?.code, .fileSystem)
      }
    }
  }

  func testErrorsOfTheSystemHaveItsWordsAndWhatToDo() throws {
    try withTemporaryFolder { folder in
      let (none, file) = (folder.appendingPathComponent("none/x.arc"), folder.appendingPathComponent("x.arc"))
      try Archiver().write(1, to: file)
      let behind = file.appendingPathComponent("y.arc")
      let unchanged = "the file that was there before is unchanged; "
      let cases: [(URL, read: String, write: String)] = [
        (
          none, "'No such file or directory' on the attempt to read '\(none.path)'; check the path: ",
          "'No such file or directory' on the attempt to find '\(none.path)'; check the path: "
        ),
        (
          folder, "'Is a directory' on the attempt to read '\(folder.path)'; give the path of a file",
          "'Is a directory' on the attempt to replace '\(folder.path)'; \(unchanged)give the path of a file"
        ),
        (
          behind, "'Not a directory' on the attempt to read '\(behind.path)'; check the path: ",
          "'Not a directory' on the attempt to find '\(behind.path)'; check the path: "
        ),
      ]
      for (url, read, write) in cases {
        try assertFails(url, "fileSystem: found " + read) { _ = try Unarchiver().read(Int.self, from: url) }
        try assertFails(url, "fileSystem: found " + read) { _ = try ArchiveFile(contentsOf: url) }
        try assertFails(url, "fileSystem: found " + write) { try Archiver().write(1, to: url) }
        try assertFails(url, "fileSystem: found " + write) { try Archiver.write([1], to: url) }
      }
    }
  }

  func testErrorsOfAnOpenedFileNameIt() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("notes.arc")
      try Data("no archive".utf8).write(to: url)
      for options in [ArchiveFile.OpenOptions(), .mapped] {
        XCTAssertThrowsError(try ArchiveFile(contentsOf: url, options: options)) {
          XCTAssertEqual(($0 as? ArchiveError)?.filePath, url.path)
        }
      }
      var bytes = try Archiver().archive("a note that is damaged")
      bytes[bytes.count / 2] ^= 1
      try Data(bytes).write(to: url)
      for options in [ArchiveFile.OpenOptions(), .mapped] {
        let file = try ArchiveFile(contentsOf: url, options: options)
        XCTAssertThrowsError(try file.verify()) {
          XCTAssertEqual(($0 as? ArchiveError)?.code, .damagedSegment)
          XCTAssertEqual(($0 as? ArchiveError)?.filePath, url.path)
        }
      }
    }
  }

  private func assertFails(_ url: URL, _ start: String, _ body: () throws -> Void) throws {
    XCTAssertThrowsError(try body()) { error in
      let text = "\(error)"
      XCTAssertTrue(text.hasPrefix(start), text)
      XCTAssertEqual((error as? ArchiveError)?.filePath, url.path)
      // The file is named once, and no number or domain is.
      XCTAssertEqual(text.components(separatedBy: url.path).count, 2, text)
      XCTAssertFalse(text.contains("Domain") || text.contains("Code") || text.contains("errno"), text)
    }
  }
}
