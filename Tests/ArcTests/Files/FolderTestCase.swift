import ArcTestSupport
import Foundation
import XCTest

/// A test case in which each test has an empty folder, which is gone afterwards.
class FolderTestCase: XCTestCase {
  private(set) var directory = FileManager.default.temporaryDirectory

  override func setUpWithError() throws { directory = try temporaryFolder() }

  /// A file in the folder.
  func url(_ name: String) -> URL { directory.appendingPathComponent(name) }
}
