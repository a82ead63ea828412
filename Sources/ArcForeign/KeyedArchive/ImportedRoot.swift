package import ArcFormat

/// A root of a keyed archive: its name, and its class.
///
///     for root in try ArchiveImporter().roots(of: data) { print(root.name, root.className ?? "-") }
///     // document MyApp.Document
///     // version -
public struct ImportedRoot: Hashable, Sendable {
  /// The name of the root, such as `root`, or the key that the program passed to `encode(_:forKey:)`.
  public let name: String
  /// The name of the root's class in the file. Nil for a value without a class, such as a string or a number,
  /// and for nil.
  public let className: String?
}

extension ImportedRoot {
  /// Returns the roots of a property list. A property list that is not a keyed archive has one root, `root`.
  package static func list(of bytes: [UInt8], limits: ArchiveLimits) throws(ImportError) -> [ImportedRoot] {
    let list = try PropertyList(parsing: bytes, limits: limits)
    guard KeyedArchive.isKeyed(list) else { return [ImportedRoot(name: "root", className: nil)] }
    var keys = KeyTable(nodeCount: list.nodes.count)
    let archive = try KeyedArchive(list, &keys)
    let objects = Array(archive.objects)
    let budget = ImportBudget(limits)
    func object(_ node: Int) -> Int? {
      guard case .uid(let uid) = list.nodes[node], uid < UInt64(objects.count) else { return nil }
      return Int(objects[Int(uid)])
    }
    var roots: [ImportedRoot] = []
    for (key, node) in archive.top.items + archive.others {
      var name: String?
      if let target = object(node), let members = try KeyedMembers(list, target, &keys),
        let description = members[keys.number(of: "$class")].flatMap(object),
        let names = try KeyedMembers(list, description, &keys),
        let nameNode = names[keys.number(of: "$classname")]
      {
        try budget.charge(bytes: list.contentByteCount(nameNode), at: list.byteOffsets[nameNode])
        name = list.string(nameNode)
      }
      roots.append(ImportedRoot(name: keys.keys[key], className: name))
    }
    return roots
  }
}
