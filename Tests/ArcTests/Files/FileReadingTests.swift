import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

#if canImport(Glibc)
  import Glibc
#endif

/// The kinds and paths of files that can be read, and the part of them that is read.
final class FileReadingTests: FolderTestCase {
  func testFileSizeLimitIsCheckedBeforeReading() throws {
    // A sparse file of one terabyte, without a block on the disk.
    let path = url("huge.arc").path
    XCTAssertTrue(FileManager.default.createFile(atPath: path, contents: nil))
    XCTAssertEqual(truncate(path, 1 << 40), 0)
    assertThrows(.limitExceeded, "raise ArchiveLimits.fileBytes") {
      try Unarchiver().read(Person.self, from: self.url("huge.arc"))
    }
    var limits = ArchiveLimits.default
    limits.fileBytes = 100
    try Archiver().write(Array(0..<1000), to: url("thousand.arc"))
    assertThrows(.limitExceeded, "raise ArchiveLimits.fileBytes") {
      try Unarchiver(limits: limits).read([Int].self, from: self.url("thousand.arc"))
    }
    XCTAssertEqual(try Unarchiver().read([Int].self, from: url("thousand.arc")).count, 1000)
  }

  func testSeveralRootsOfAFileAreRead() throws {
    try Archiver().write(roots: ["a": 1, "b": "two"], to: url("roots.arc"))
    let roots = try Unarchiver().read(
      roots: .init("a", Int.self), .init("b", String.self), from: url("roots.arc"))
    XCTAssertEqual(roots.0, 1)
    XCTAssertEqual(roots.1, "two")
  }

  func testMissingFileIsAnErrorThatNamesIt() throws {
    assertThrows(.fileSystem, "'No such file or directory' on the attempt to read '\(url("none.arc").path)'")
    {
      _ = try Unarchiver().read(Person.self, from: self.url("none.arc"))
    }
    assertThrows(.fileSystem, "read") { try Unarchiver().read(Person.self, from: self.directory) }
    assertThrows(.fileSystem, "Invalid argument") { try ArchiveFile(path: self.url("a").path + "\0b") }
  }

  func testNonFileURLIsRefused() throws {
    let path = url("x.arc").path
    for text in ["http://example.com\(path)", "ftp:\(path)", "file://elsewhere.example\(path)"] {
      let url = try XCTUnwrap(URL(string: text))
      assertThrows(.fileSystem, text) { try Archiver().write(1, to: url) }
      assertThrows(.fileSystem, text) { try Unarchiver().read(Int.self, from: url) }
      assertThrows(.fileSystem, text) { try ArchiveFile(contentsOf: url) }
      assertThrows(.fileSystem, text) { try ArchiveFile(mapping: url) }
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    for text in ["file://\(path)", "file://localhost\(path)", path] {
      let url = try XCTUnwrap(URL(string: text))
      try Archiver().write(7, to: url)
      XCTAssertEqual(try Unarchiver().read(Int.self, from: url), 7)
    }
  }

  func testNamedPipeIsReadButNotMapped() throws {
    let pipe = url("pipe")
    XCTAssertEqual(mkfifo(pipe.path, 0o600), 0)
    assertThrows(.fileSystem, "not a regular file") { try ArchiveFile(mapping: pipe) }
    let bytes = try Archiver().archive([1, 2, 3])
    Thread.detachNewThread { try? Data(bytes).write(to: pipe) }
    XCTAssertEqual(try Unarchiver().read([Int].self, from: pipe), [1, 2, 3])
  }

  func testFileNamesBeginningWithCombiningCharactersRoundTrip() throws {
    for name in ["\u{301}x", "\u{301}", "e\u{301}"] {
      let path = directory.path + "/" + name
      try Archiver().write(name, to: URL(fileURLWithPath: path))
      XCTAssertEqual(try Unarchiver().read(String.self, from: URL(fileURLWithPath: path)), name)
    }
    // The combining mark forms one character with the slash, but the target of the link is still an absolute
    // path.
    let target = directory.path + "/\u{302}target"
    XCTAssertEqual(symlink(target, directory.path + "/link"), 0)
    try Archiver().write(1, to: url("link"))
    XCTAssertEqual(try Unarchiver().read(Int.self, from: URL(fileURLWithPath: target)), 1)
  }
}
