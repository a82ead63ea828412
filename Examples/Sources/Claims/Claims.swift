import Foundation

/// Prints a claim. If the claim does not hold, ends the program with status 1.
public func claim(_ words: String, _ isTrue: Bool) {
  print(isTrue ? "  ✓ \(words)" : "  ✗ NOT TRUE: \(words)")
  if !isTrue { exit(1) }
}

/// Prints the title and runs an example. If it throws, prints the error and ends the program with status 1.
public func example(_ title: String, _ body: () throws -> Void) {
  print("== \(title)")
  do {
    try body()
  } catch {
    // Foundation's errors describe the failure only here, Arc's errors only in their description.
    print("  ✗ \((error as? CocoaError)?.localizedDescription ?? "\(error)")")
    exit(1)
  }
}

/// Calls `work` with a file in a new folder, and removes the folder afterwards.
public func withTemporaryFile<Result>(named name: String, _ work: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("arc-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try work(folder.appendingPathComponent(name))
}

/// Runs an asynchronous example on the main actor, like `example(_:_:)`.
@MainActor public func example(_ title: String, _ body: @MainActor () async throws -> Void) async {
  print("== \(title)")
  do {
    try await body()
  } catch {
    print("  ✗ \((error as? CocoaError)?.localizedDescription ?? "\(error)")")
    exit(1)
  }
}

/// Calls `work` with a new folder, and removes the folder afterwards.
@MainActor public func withTemporaryFolder<Result>(
  _ work: @MainActor (URL) async throws -> Result
) async throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("arc-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await work(folder)
}
