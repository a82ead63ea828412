package import ArcFormat

/// The list of the archives that belong to a data set, and their descriptions. The manifest itself is stored
/// as an archive.
///
/// Readers check the descriptions against the archives. Spec: 14-data-sets, section 3.
package struct ShardManifest: Hashable, Sendable {
  /// The path of the manifest in the folder of the data set.
  package static let path = "_arc/manifest.arc"
  /// The name of the root.
  static let rootName = "shards"
  /// The name of the class of the objects that the root contains.
  static let className = "Shard"

  /// The description of one archive.
  package struct Shard: Hashable, Sendable {
    /// The path of the archive in the folder of the data set.
    package let path: String
    /// The 16 bytes of the UUID that the archive's metadata contains under `arc.id`.
    package let id: [UInt8]
    /// The UUID as a string.
    package var idText: String { UUIDNotation.text(id) }
    /// The number of rows, including row 0 with the roots.
    package let rowCount: Int
    package let byteCount: Int
    /// The number of rows of each class, by the coded name of the class.
    package let rowCounts: [String: Int]
    /// The minimum of the values by which the rows are sorted, encoded as in the ranges of a chunk directory.
    /// Nil if there are no values.
    package let least: UInt64?
    /// The maximum of the values by which the rows are sorted, encoded like `least`. Nil if there are no
    /// values.
    package let most: UInt64?
  }

  /// The value of `arc.dataset` in the metadata of the manifest. Nil if the metadata does not contain this
  /// key.
  package let dataSetID: String?
  /// The value of `arc.sorted-by` in the metadata of the manifest. Nil if the metadata does not contain this
  /// key.
  package let sortedBy: String?
  package let shards: [Shard]

  /// Reads a manifest and checks it.
  ///
  /// - Throws: the code of the damage if the archive is damaged, `missingRoot`, `missingKey` or
  ///   `typeMismatch` if the archive is not a manifest, `wrongShard` if a data set cannot have such shards.
  ///   Spec: 14-data-sets, rules Q1 and Q2.
  package init(_ file: ArchiveFile) throws {
    try file.verify()
    let metadata = try file.metadata()
    (dataSetID, sortedBy) = (metadata[MetadataSegment.dataSetKey], metadata[MetadataSegment.sortedByKey])
    guard let root = try file.roots()[Self.rootName] else {
      throw ArchiveError(
        .missingRoot, found: "an archive without a root '\(Self.rootName)'",
        expected: "the manifest of a data set, with the root '\(Self.rootName)'")
    }
    guard case .array(let elements) = root else {
      throw ArchiveError(
        .typeMismatch, found: "a root '\(Self.rootName)' that is \(root.kindInWords)",
        expected: "an array of shards",
        key: Self.rootName)
    }
    // This check precedes reading, because a row that is listed a million times would be read a million
    // times.
    var rows: Set<ObjectID> = []
    for row in elements.lazy.compactMap(\.objectID) where !rows.insert(row).inserted {
      throw ArchiveError(
        .wrongShard, found: "a manifest that lists one shard twice", expected: "distinct shards",
        objectID: row)
    }
    // Reading in the order of the rows reads each segment only once, whatever the order of the shards.
    let order = elements.indices.sorted {
      elements[$0].objectID?.rawValue ?? 0 < elements[$1].objectID?.rawValue ?? 0
    }
    var shards = [Shard?](repeating: nil, count: elements.count)
    for index in order { shards[index] = try Shard(elements[index], in: file) }
    self.shards = shards.compactMap { $0 }
    if let count = metadata[MetadataSegment.shardsKey], Int(count) != elements.count {
      throw ArchiveError(
        .wrongShard, found: "a manifest of \(plural(elements.count, "shard"))",
        expected: "\(count) shards, as in the metadata of the manifest")
    }
    try Self.checkDistinct(self.shards.map(\.path))
  }

  /// Checks that all paths differ. Spec: 14-data-sets, rule Q1.
  static func checkDistinct(_ paths: [String]) throws(ArchiveError) {
    var seen: Set<[UInt8]> = []
    guard let path = paths.first(where: { !seen.insert(Array($0.utf8)).inserted }) else { return }
    throw ArchiveError(.wrongShard, found: "two shards with the path '\(path)'", expected: "distinct paths")
  }

  /// Checks that a path can be the path of a shard: it stays in the folder, and none of its names begins with
  /// `_` or `.`, as the names of manifests do.
  ///
  /// The check compares bytes and not characters, because a slash and a combining character after it form one
  /// character. Spec: 14-data-sets, rule Q1.
  ///
  /// - Throws: `wrongShard` if the path is not valid.
  package static func check(path: String) throws(ArchiveError) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isSound = parts.allSatisfy { part in
      guard let first = part.first else { return false }
      return first != UInt8(ascii: ".") && first != UInt8(ascii: "_")
        && !part.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: ":") || $0 == 0 }
    }
    guard isSound else {
      throw ArchiveError(
        .wrongShard, found: "the path '\(path)' for a shard",
        expected:
          "a relative path of names that do not begin with '.' or '_' and contain no backslash, colon or NUL")
    }
  }
}

extension ShardManifest.Shard {
  /// Reads the description of a shard from a manifest.
  fileprivate init(_ value: ArchiveValue, in file: ArchiveFile) throws {
    guard let row = value.objectID else {
      throw ArchiveError(
        .typeMismatch, found: value.kindInWords,
        expected: "a reference to an object of class '\(ShardManifest.className)'",
        key: ShardManifest.rootName)
    }
    let object = try file.object(row)
    guard object.className == ShardManifest.className else {
      throw ArchiveError(
        .wrongClass, found: "an object of class '\(object.className)'",
        expected: "an object of class '\(ShardManifest.className)'",
        objectID: row)
    }
    func property<Value>(_ key: String, _ expected: String, _ read: (ArchiveValue) -> Value?) throws -> Value
    {
      guard let value = object[key] else {
        throw ArchiveError(
          .missingKey, found: "a shard without the property '\(key)'",
          expected: "the property '\(key)' with \(expected)",
          className: object.className, key: key,
          objectID: row)
      }
      guard let read = read(value) else {
        throw ArchiveError(
          .typeMismatch, found: value.kindInWords, expected: expected, className: object.className, key: key,
          objectID: row)
      }
      return read
    }
    path = try property("path", "a string", \.string)
    try ShardManifest.check(path: path)
    id = try property("id", "a UUID") { if case .uuid(let bytes) = $0 { bytes } else { nil } }
    rowCount = try property("rows", "a number of rows", \.int)
    byteCount = try property("bytes", "a number of bytes", \.int)
    rowCounts = try property("classes", "a dictionary of counts by class name") { value in
      guard case .dictionary(let entries) = value else { return nil }
      var counts: [String: Int] = [:]
      for entry in entries {
        guard let name = entry.key.string, let count = entry.value.int else { return nil }
        counts[name] = count
      }
      return counts
    }
    func bound(_ key: String) -> UInt64? {
      if case .integer(let value)? = object[key] { UInt64(exactly: value) } else { nil }
    }
    (least, most) = (bound("least"), bound("most"))
  }
}
