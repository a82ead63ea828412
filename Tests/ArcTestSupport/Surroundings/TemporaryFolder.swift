package import Foundation
package import XCTest

extension XCTestCase {
  /// Creates an empty folder, which is removed after the test.
  package func temporaryFolder() throws -> URL {
    let folder = try newFolder()
    addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
    return folder
  }
}

/// Calls a closure with a new, empty folder, which is removed afterwards. For code outside test cases.
package func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = try newFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

private func newFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("arc-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}
