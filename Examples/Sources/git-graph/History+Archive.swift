import ArcArchive

extension History {
  /// Returns an archive of the commits and their authors. A commit refers to its parents and its author.
  ///
  /// The program has no class for it: the archive describes the class of a commit.
  func archive() throws -> [UInt8] {
    let builder = try ArchiveBuilder(
      roots: [.init("tips", type: [ObjectID].self), .init("authors", type: [ObjectID].self)],
      metadata: ["made-from": "git log"])
    try builder.addClass(
      "Commit",
      properties: [
        .init("hash", type: String.self), .init("subject", type: String.self),
        .init("seconds", type: Int.self),
        .init("parents", type: [ObjectID].self), .init("author", type: ObjectID?.self),
      ])
    try builder.addClass(
      "Author", properties: [.init("name", type: String.self), .init("commits", type: [ObjectID].self)])

    let ids = try builder.reserveObjects(ofClass: "Commit", count: commits.count)
    let idOfHash = Dictionary(zip(commits.map(\.hash), ids), uniquingKeysWith: { first, _ in first })
    let names = Set(commits.map(\.author)).sorted()
    let authors = try builder.reserveObjects(ofClass: "Author", count: names.count)
    let idOfName = Dictionary(uniqueKeysWithValues: zip(names, authors))

    // A shallow clone lacks some of the parents.
    let parents = commits.map { $0.parents.compactMap { idOfHash[$0] } }
    let ancestors = Set(parents.joined())
    try builder.setRoots(["tips": ids.filter { !ancestors.contains($0) }, "authors": authors])
    try builder.setValues(
      [
        .init("hash", commits.map(\.hash)), .init("subject", commits.map(\.subject)),
        .init("seconds", commits.map(\.seconds)), .init("parents", parents),
        .init("author", commits.map { idOfName[$0.author] }),
      ], of: ids)
    let ownCommits = Dictionary(grouping: zip(commits, ids), by: \.0.author)
    try builder.setValues(
      [.init("name", names), .init("commits", names.map { ownCommits[$0, default: []].map(\.1) })],
      of: authors)
    return try builder.finish()
  }
}
