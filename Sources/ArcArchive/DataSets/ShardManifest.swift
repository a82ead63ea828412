package import ArcFormat
import ArcRuntime

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
  /// The identifier and the number of shards in the metadata of the manifest, if they are valid.
  let placement: ShardPlacement

  /// The properties of the class of shards, with the type of each. Spec: 14-data-sets, section 3.
  static let properties: [(key: String, type: String)] = [
    ("path", #"@"NSString""#), ("id", #"@"NSUUID""#), ("rows", "Q"), ("bytes", "Q"),
    ("classes", #"$<@"NSString":Q>"#), ("least", "$?Q"), ("most", "$?Q"),
  ]

  /// Reads a manifest and checks it.
  ///
  /// - Throws: the code of the damage if the archive is damaged, or `wrongShard` if the archive is not a
  ///   manifest or if a data set cannot have such shards. Spec: 14-data-sets, rules Q1, Q2 and Q5.
  package init(_ file: ArchiveFile) throws {
    try file.verify()
    let metadata = try file.metadata()
    placement = ShardPlacement(metadata)
    (dataSetID, sortedBy) = (metadata[MetadataSegment.dataSetKey], metadata[MetadataSegment.sortedByKey])
    let rows = try Self.rows(of: file)
    // Reading in the order of the rows reads each segment only once, whatever the order of the shards.
    let order = rows.indices.sorted { rows[$0].rawValue < rows[$1].rawValue }
    var shards = [Shard?](repeating: nil, count: rows.count)
    for index in order { shards[index] = try Shard(rows[index], in: file) }
    self.shards = shards.compactMap { $0 }
    if let count = placement.shardCount, count != rows.count {
      throw ArchiveError(
        .wrongShard, found: "a manifest of \(plural(rows.count, "shard"))",
        expected: "\(plural(count, "shard")), as in the metadata of the manifest")
    }
    try Self.checkDistinct(self.shards.map(\.path))
  }

  /// Checks the form of a manifest. Returns the rows of the shards, in the order of the root. Spec:
  /// 14-data-sets, rule Q5.
  private static func rows(of file: ArchiveFile) throws -> [ObjectID] {
    let rootType = "$[@\"\(className)\"]"
    try check(file.classes[0], [(rootName, rootType)], "a root")
    guard case .array(let elements)? = try file.roots()[rootName] else {
      throw malformed("another root '\(rootName)'", "a root '\(rootName)' of type \(rootType)")
    }
    guard !elements.isEmpty else { return [] }
    guard let shards = file.classes.first(where: { $0.name == className }) else {
      throw malformed("no class '\(className)'", "the class '\(className)'")
    }
    try check(shards, properties, "a property")
    // This check precedes reading, because a row that is listed a million times would be read a million
    // times.
    var rows: Set<ObjectID> = []
    return try elements.map { element in
      guard let row = element.objectID, rows.insert(row).inserted else {
        throw malformed(
          element.objectID.map { "object #\($0.rawValue) twice" } ?? "nil instead of a shard",
          "a different object of class '\(className)' for each shard")
      }
      return row
    }
  }

  /// Checks that a class has a column for each property of a list, with the type in the list and without the
  /// flag *keyed*.
  private static func check(
    _ description: ClassDescription, _ columns: [(key: String, type: String)], _ word: String
  ) throws(ArchiveError) {
    for (key, type) in columns {
      let found = description.columns.filter { $0.key.hasSameBytes(as: key) }
      guard found.count == 1, found[0].attributes.type?.description == type, !found[0].flags.contains(.keyed)
      else {
        throw malformed(
          found.first.map { "\(word) '\(key)' of type \($0.attributes.type?.description ?? "none")" }
            ?? "no \(word.dropFirst(2)) '\(key)'", "\(word) '\(key)' of type \(type)")
      }
    }
  }

  fileprivate static func malformed(_ found: String, _ expected: String) -> ArchiveError {
    ArchiveError(
      .wrongShard, found: "a manifest with \(found)", expected: expected,
      remedy: "write the manifest again with ShardedArchive.writeManifest(in:)")
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
    guard hasDistinctFolderKeys(parts.dropLast()) else {
      throw ArchiveError(
        .wrongShard, found: "the path '\(path)' for a shard",
        expected: "folders 'key=value' with distinct keys that are not empty, and '%' codes of UTF-8")
    }
  }

  /// Whether folders `key=value` have distinct keys that are not empty, and UTF-8 after their `%` codes are
  /// replaced. Spec: 14-data-sets, section 3 and rule Q1.
  private static func hasDistinctFolderKeys(_ folders: ArraySlice<Substring.UTF8View>) -> Bool {
    var keys: Set<[UInt8]> = []
    return folders.allSatisfy { folder in
      guard let sign = folder.firstIndex(of: UInt8(ascii: "=")) else { return true }
      let key = unescaped(folder[..<sign])
      return !key.isEmpty && keys.insert(key).inserted && String(validating: key, as: UTF8.self) != nil
        && String(validating: unescaped(folder[sign...]), as: UTF8.self) != nil
    }
  }

  /// Replaces each `%` with two hexadecimal digits after it by the byte that they denote.
  private static func unescaped(_ text: Substring.UTF8View) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let first = rest.popFirst() {
      let digits = rest.prefix(2).map { Character(UnicodeScalar($0)).hexDigitValue }
      if first == UInt8(ascii: "%"), digits.count == 2, let high = digits[0], let low = digits[1] {
        bytes.append(UInt8(high << 4 | low))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(first)
      }
    }
    return bytes
  }
}

extension ShardManifest.Shard {
  /// Reads the description of a shard from a manifest whose class of shards was checked.
  fileprivate init(_ row: ObjectID, in file: ArchiveFile) throws {
    let object = try file.object(row)
    guard object.className == ShardManifest.className, let path = object["path"]?.string,
      case .uuid(let id)? = object["id"], case .dictionary(let entries)? = object["classes"]
    else {
      throw ShardManifest.malformed(
        "object #\(row.rawValue) of class '\(object.className)'",
        "an object of class '\(ShardManifest.className)' for each shard")
    }
    func number(_ key: String) throws(ArchiveError) -> Int {
      guard let number = object[key]?.int else {
        throw ShardManifest.malformed("'\(key)' of shard '\(path)' above 2^63", "a size of a file")
      }
      return number
    }
    func bound(_ key: String) -> UInt64? {
      if case .integer(let value)? = object[key] { UInt64(exactly: value) } else { nil }
    }
    try ShardManifest.check(path: path)
    var (counts, sum): ([String: Int], UInt64) = ([:], 1)
    for entry in entries where entry.key.string != ClassDescription.rootsName {
      guard let name = entry.key.string, let count = entry.value.int,
        counts.updateValue(count, forKey: name) == nil, count <= Int(UInt32.max)
      else {
        throw ShardManifest.malformed(
          "an impossible entry of 'classes' of shard '\(path)'",
          "one number of rows, below 2^32, for each class")
      }
      sum += UInt64(count)
    }
    (self.path, self.id, rowCounts) = (path, id, counts)
    (rowCount, byteCount) = (try number("rows"), try number("bytes"))
    (least, most) = (bound("least"), bound("most"))
    guard sum == UInt64(rowCount) else {
      throw ShardManifest.malformed(
        "\(plural(rowCount, "row")) of shard '\(path)' and \(sum - 1) objects in 'classes'",
        "one row more than objects")
    }
    guard (least == nil) == (most == nil) else {
      throw ShardManifest.malformed(
        "only one of 'least' and 'most' of shard '\(path)'", "both of 'least' and 'most', or neither")
    }
  }
}
