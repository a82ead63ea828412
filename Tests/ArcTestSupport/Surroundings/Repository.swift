package import Foundation

/// The checkout in which the tests run.
package enum Repository {
  /// The top folder of the checkout.
  package static let root = (1...4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// The folder of the golden files.
  package static let fixtures = root.appendingPathComponent("Fixtures")

  /// Returns the valid archives in `Fixtures`, by name.
  package static func goldenArchives() throws -> [(name: String, bytes: [UInt8])] {
    try archives(in: FileManager.default.contentsOfDirectory(atPath: fixtures.path))
  }

  /// Returns all archives in `Fixtures` and its subfolders except `data-sets`, by path. They include the
  /// invalid archives.
  package static func allArchives() throws -> [(name: String, bytes: [UInt8])] {
    try archives(
      in: FileManager.default.subpathsOfDirectory(atPath: fixtures.path)
        .filter { !$0.hasPrefix("data-sets/") })
  }

  private static func archives(in paths: [String]) throws -> [(name: String, bytes: [UInt8])] {
    try paths.filter { $0.hasSuffix(".arc") }.sorted().map {
      ($0, Array(try Data(contentsOf: fixtures.appendingPathComponent($0))))
    }
  }
}
