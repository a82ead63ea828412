package import Foundation

/// The checkout that the tests run in.
package enum Repository {
  /// Its outermost folder.
  package static let root = (1...4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// The golden files.
  package static let fixtures = root.appendingPathComponent("Fixtures")

  /// The valid archives in `Fixtures`, by name.
  package static func goldenArchives() throws -> [(name: String, bytes: [UInt8])] {
    try archives(in: FileManager.default.contentsOfDirectory(atPath: fixtures.path))
  }

  /// All archives in `Fixtures` and the folders in it, by path: the invalid ones too.
  package static func allArchives() throws -> [(name: String, bytes: [UInt8])] {
    try archives(in: FileManager.default.subpathsOfDirectory(atPath: fixtures.path))
  }

  private static func archives(in paths: [String]) throws -> [(name: String, bytes: [UInt8])] {
    try paths.filter { $0.hasSuffix(".arc") }.sorted().map {
      ($0, Array(try Data(contentsOf: fixtures.appendingPathComponent($0))))
    }
  }
}
