// Archives the history of a git repository as a graph, and reads it without any class: commits with their
// parents, authors with their commits. The argument is the folder of a repository. Without an argument,
// the program reads this checkout, or makes a repository.

import ArcArchive
import Claims
import Foundation

/// Returns the repository to read: the argument, the repository of this folder, or a new one in `folder`.
func repository(in folder: URL) throws -> String {
  if CommandLine.arguments.count > 1 { return CommandLine.arguments[1] }
  if (try? History(ofRepository: "."))?.commits.isEmpty == false { return "." }
  let path = folder.path
  try History.git("init", "-q", path)
  for (number, subject) in ["Begin", "Go on", "Leave"].enumerated() {
    try History.git(
      "-C", path, "-c", "user.name=Author \(number % 2)", "-c", "user.email=author@example.org", "commit",
      "-q",
      "--allow-empty", "-m", subject)
  }
  return path
}

/// The values that the program reads from a file, without a class.
struct CommitGraph {
  let subjects: [String]
  let seconds: [Int]
  /// The index of each commit by its number in the file.
  let indices: [ObjectID: Int]
  let parents: [[Int]]

  init(_ file: ArchiveFile) throws {
    let commits = try file.rows(ofClass: "Commit")
    var ids: [ObjectID] = []
    try commits.forEachBatch { ids += $0.ids }
    let indices = Dictionary(uniqueKeysWithValues: zip(ids, ids.indices))
    subjects = try commits.column("subject", as: String.self)
    seconds = try commits.column("seconds", as: Int.self)
    parents = try commits.column("parents", as: [ObjectID].self).map { $0.compactMap { indices[$0] } }
    self.indices = indices
  }

  /// Returns the indices of all commits that `starts` reach, including `starts`.
  func reached(from starts: [Int]) -> Set<Int> {
    var reached = Set(starts)
    var pending = starts
    while let commit = pending.popLast() {
      for parent in parents[commit] where reached.insert(parent).inserted { pending.append(parent) }
    }
    return reached
  }
}

example("The history of a repository") {
  try withTemporaryFile(named: "history.arc") { url in
    let history = try History(ofRepository: repository(in: url.deletingLastPathComponent()))
    let bytes = try history.archive()
    try Data(bytes).write(to: url)

    let file = try ArchiveFile(mapping: url.path)
    try file.verify()
    for info in file.classInfos {
      print("  \(info.name): \(info.properties.map { "\($0.name) \($0.type)" }.joined(separator: ", "))")
    }
    let graph = try CommitGraph(file)
    let merges = graph.parents.filter { $0.count > 1 }.count
    print("  \(graph.subjects.count) commits, \(merges) merges, \(file.byteCount >> 10) KiB")
    claim("as many commits as git told", graph.subjects.count == history.commits.count)
    claim("with their subjects", graph.subjects == history.commits.map(\.subject))

    let tips =
      try file.roots()["tips"]?.elements?.compactMap(\.objectID).compactMap { graph.indices[$0] } ?? []
    claim("tips lead to all of them", graph.reached(from: tips).count == graph.subjects.count)
    let first = graph.parents.indices.filter { graph.parents[$0].isEmpty }
    for commit in first.prefix(3) { print("  begins with: \(graph.subjects[commit])") }
    claim("history begins somewhere", !first.isEmpty)

    var counted = 0
    for author in try file.roots()["authors"]?.elements ?? [] {
      guard let id = author.objectID else { continue }
      let commits = try file.object(id)["commits"]?.elements?.compactMap(\.objectID) ?? []
      let isOwn = try commits.prefix(10).allSatisfy { try file.object($0)["author"]?.objectID == id }
      claim("\(try file.object(id)["name"]?.string ?? "?"): \(commits.count) commits, which know it", isOwn)
      counted += commits.count
    }
    claim("each commit has one author", counted == graph.subjects.count)
  }
}
