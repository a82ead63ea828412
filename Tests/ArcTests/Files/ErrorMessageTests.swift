import Arc
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
        XCTAssertEqual(error?.path, url.path)
        XCTAssertEqual(error?.localizedDescription, "“my notes.arc” is incomplete: its end is missing.")
        XCTAssert(error?.description.contains("file '\(url.path)'") ?? false, "\(String(describing: error))")
      }
      XCTAssertThrowsError(try Unarchiver().read(roots: .init("a", Int.self), from: url)) {
        XCTAssertEqual(($0 as? ArchiveError)?.path, url.path)
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
}
