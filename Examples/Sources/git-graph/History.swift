import Foundation

/// The commits of a git repository, from `git log`.
struct History {
  struct Commit {
    let hash: String
    let parents: [String]
    let author: String
    let seconds: Int
    let subject: String
  }

  let commits: [Commit]

  /// Returns all commits that the branches reach, the latest first.
  init(ofRepository folder: String) throws {
    let format = "%H%x1f%P%x1f%an%x1f%at%x1f%s%x00"
    let text = try Self.git("-C", folder, "log", "--branches", "HEAD", "--topo-order", "--format=\(format)")
    commits = text.split(separator: "\0").compactMap { line in
      let parts = line.split(separator: "\u{1F}", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .newlines)
      }
      guard parts.count == 5, let seconds = Int(parts[3]) else { return nil }
      return Commit(
        hash: parts[0], parents: parts[1].split(separator: " ").map(String.init), author: parts[2],
        seconds: seconds,
        subject: parts[4])
    }
  }

  /// Runs git, and returns what it prints.
  @discardableResult static func git(_ arguments: String...) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw GitFailure(status: process.terminationStatus) }
    return String(decoding: output, as: UTF8.self)
  }

  struct GitFailure: Error { let status: Int32 }
}
