import Foundation

/// Prints what an example claims, and ends the program with status 1 where it is not true.
public func claim(_ words: String, _ isTrue: Bool) {
  print(isTrue ? "  ✓ \(words)" : "  ✗ NOT TRUE: \(words)")
  if !isTrue { exit(1) }
}

/// Runs an example under its title. What it throws is printed, and ends the program with status 1.
public func example(_ title: String, _ body: () throws -> Void) {
  print("== \(title)")
  do {
    try body()
  } catch {
    // Foundation's errors say what happened only here, Arc's only in their description.
    print("  ✗ \((error as? CocoaError)?.localizedDescription ?? "\(error)")")
    exit(1)
  }
}

/// A file in a folder of its own, which is removed when the work with it is done.
public func withTemporaryFile<Result>(named name: String, _ work: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("arc-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try work(folder.appendingPathComponent(name))
}

/// Runs an example that waits, on the main actor, as `example(_:_:)` runs one that does not.
@MainActor public func example(_ title: String, _ body: @MainActor () async throws -> Void) async {
  print("== \(title)")
  do {
    try await body()
  } catch {
    print("  ✗ \((error as? CocoaError)?.localizedDescription ?? "\(error)")")
    exit(1)
  }
}

/// A folder of its own, which is removed when the work with it is done.
@MainActor public func withTemporaryFolder<Result>(
  _ work: @MainActor (URL) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("arc-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await work(folder)
}
