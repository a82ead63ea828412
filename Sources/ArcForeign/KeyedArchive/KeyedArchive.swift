import ArcFormat

/// The top level of a keyed archive.
///
/// It is a dictionary with the keys `$archiver`, `$version`, `$objects` (an array in which UIDs are indices)
/// and `$top` (the named roots). The class of an object is also in `$objects`, with the keys `$classname` and
/// `$classes`.
struct KeyedArchive {
  /// The nodes of the objects, by UID.
  let objects: ArraySlice<UInt32>
  /// The named roots.
  let top: KeyedMembers
  /// The members of the top level whose keys are not among the four known keys.
  let others: [(key: Int, node: Int)]
  /// The name of the archiver. Nil if the file does not state it.
  let archiver: String?

  private static let version: Int128 = 100_000

  /// Whether the outermost dictionary of a list has a key that only keyed archives have.
  static func isKeyed(_ list: PropertyList) -> Bool {
    guard let keys = list.entries(list.top)?.keys else { return false }
    return keys.contains { ["$archiver", "$objects"].contains(list.string(Int($0))) }
  }

  init(_ list: PropertyList, _ table: inout KeyTable) throws(ImportError) {
    let offset = list.byteOffsets[list.top]
    func malformed(_ found: String, _ expected: String, _ key: String) -> ImportError {
      ImportError(
        .malformedKeyedArchive, found: found, expected: expected, byteOffset: offset, key: key)
    }
    guard let members = try KeyedMembers(list, list.top, &table) else {
      throw malformed(
        "\(list.words(list.top)) at the top level", "a dictionary with '$archiver'", "$archiver")
    }
    let names = ["$archiver", "$version", "$objects", "$top"].map { table.number(of: $0) }
    archiver = members[names[0]].flatMap { list.string($0) }
    guard let version = members[names[1]], case .integer(let number) = list.nodes[version] else {
      throw malformed("no number under '$version'", "the version \(Self.version)", "$version")
    }
    guard number == Self.version else {
      throw ImportError(
        .unsupportedVersion, found: "version \(number) of a keyed archive",
        expected: "version \(Self.version)",
        byteOffset: offset, key: "$version")
    }
    guard let objects = members[names[2]].flatMap({ list.elements($0) }), !objects.isEmpty else {
      throw malformed("no objects under '$objects'", "an array that begins with '$null'", "$objects")
    }
    guard let node = members[names[3]], let top = try KeyedMembers(list, node, &table) else {
      throw malformed("no roots under '$top'", "a dictionary of roots", "$top")
    }
    self.objects = objects
    self.top = top
    others = members.items.filter { !names.contains($0.key) }
  }
}
