import ArcTestSupport
import Foundation
import XCTest

/// A test case with an empty folder for each test. The folder is removed after the test.
class FolderTestCase: XCTestCase {
  private(set) var directory = FileManager.default.temporaryDirectory

  override func setUpWithError() throws { directory = try temporaryFolder() }

  /// Returns the URL of a file in the folder.
  func url(_ name: String) -> URL { directory.appendingPathComponent(name) }
}
