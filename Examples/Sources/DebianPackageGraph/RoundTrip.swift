import Arc
import Foundation

/// The sizes and times of archiving a package graph, reading the archive and comparing the copy.
struct RoundTrip {
  private(set) var sizeWithoutCompression = 0
  private(set) var sizeWithZlib = 0
  private(set) var objectCount = 0
  /// The parts in order, such as "archive", with their times.
  private(set) var times: [(part: String, duration: Duration)] = []

  private var progress: ProgressLine

  /// Archives a graph to a file, reads it back, and compares the copy with the original.
  ///
  /// - Throws: the errors of Arc, or a `GraphDifference` if the copy differs from the original.
  init(of database: PackageDatabase, through url: URL, progress: ProgressLine) throws {
    self.progress = progress
    defer { self.progress.clear() }
    // The database declares its packages as `Package`, so only the subclasses must be registered.
    let classes = ClassTable()
    try classes.register(InstalledPackage.self)
    try classes.register(AvailablePackage.self)
    try classes.register(VirtualPackage.self)
    try classes.register(MissingPackage.self)

    sizeWithoutCompression = try measure("archive") {
      try Archiver(compression: .none).archive(database).count
    }
    try measure("write") {
      try Archiver(compression: .zlib(level: 6)).write(database, to: url)
    }
    sizeWithZlib = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
    let copy = try measure("read") {
      try Unarchiver(classes: classes).read(PackageDatabase.self, from: url)
    }
    objectCount = try measure("compare") {
      try GraphIsomorphism.verify(original: database, copy: copy)
    }
    copy.dismantle()
  }

  private mutating func measure<Result>(_ part: String, _ work: () throws -> Result) rethrows -> Result {
    progress.show("\(part)…")
    let start = ContinuousClock.now
    let result = try work()
    times.append((part, ContinuousClock.now - start))
    return result
  }
}
