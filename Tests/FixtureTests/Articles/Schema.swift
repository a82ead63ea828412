// swift-format-ignore-file
// The lines are identical to the lines in the article.

import Arc
import ArcTestSupport
import ArcTesting
import Foundation
import XCTest

/// The root of the files in `Fixtures/releases`.
@Archivable final class Document {
  @Key("title", "name") var title = ""
  var pages: [Page] = []
  var isLocked = false
}

/// A page of a document.
@Archivable final class Page {
  let text: String
  init(text: String) { self.text = text }
}

/// The root in the first release.
@Archivable("Document") final class OldDocument {
  var name = "Plan"
  var pages = [Page(text: "one")]
}

/// Reads the file that the first release wrote. Returns the printed text.
func runFirstChange() throws -> String {
  var printed = ""
  func print(_ items: Any...) { printed = items.map { "\($0)" }.joined(separator: " ") }
  let url = Repository.fixtures.appendingPathComponent("releases/1.0.arc")
  let document = try Unarchiver().read(Document.self, from: url)
  print(document.title, document.pages[0].text, document.isLocked)
  return printed
}

// The article shows the following lines.

final class ReleaseTests: XCTestCase {
  let releases = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Fixtures/releases")

  func testSchemaIsTheReviewedOne() throws {
    try SchemaSnapshot.check(Document.self, against: releases.appending(path: "Document.schema"))
  }
  func testFilesOfAllReleasesCanBeRead() throws {
    try Unarchiver().check(archivesIn: releases, for: Document.self, reading: true)
  }
}
