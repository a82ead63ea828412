// Reads a complete JSON dump of a web API into classes, joins it to a graph, archives the graph, reads it
// back, and compares both graphs with their identity. The example package-graph does this for text.
//
//   api-dump            uses a dump of 12 MB, which the program makes, and Debian's iso-codes if installed
//   api-dump FILE…      uses lists of codes: /usr/share/iso-codes/json/iso_*.json

import Arc
import ArcModel
import Claims
import Foundation

/// Prints the time that `work` takes, and returns its result.
func measured<Result>(_ words: String, _ work: () throws -> Result) rethrows -> Result {
  let start = ContinuousClock.now
  let result = try work()
  let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
  let padding = String(repeating: " ", count: max(0, 34 - words.count))
  print("  \(words)\(padding)\(milliseconds) ms")
  return result
}

/// Archives a value, reads it back, and compares.
func roundTrip<Value: ArchivableValue>(_ value: Value, of size: Int, named name: String) throws -> Value {
  try withTemporaryFile(named: name) { url in
    let bytes = try measured("archive") { try Archiver().archive(value) }
    try measured("archive with zlib, to a file") { try Archiver(compression: .zlib).write(value, to: url) }
    let packed = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
    let copy = try measured("read the archive") { try Unarchiver().read(Value.self, from: url) }
    let isSame = try measured("compare both graphs") { try ObjectGraph.isIsomorphic(value, copy) }
    print("  JSON \(size) bytes, archive \(bytes.count), with zlib \(packed)")
    claim("isomorphic", isSame)
    return copy
  }
}

func showTracker() throws {
  let text = measured("make a dump") { TrackerDump.make(repositoryCount: 40) }
  claim("at least 10 MB", text.count >= 10_000_000)
  let reader = ModelReader(limits: .init(bytes: 64 << 20))
  let tracker = try measured("read the JSON") { try reader.read(Tracker.self, from: text) }
  let loginCount = measured("join users to a graph") { tracker.join() }
  let issues = tracker.repositories.flatMap(\.issues)
  print("  \(tracker.users.count) users, \(issues.count) issues, \(loginCount) references to users")
  let copy = try roundTrip(tracker, of: text.count, named: "tracker.arc")
  let issue = copy.repositories[7].issues[7]
  claim("each user is one object", issue.author?.reported.contains { $0 === issue } == true)
  let comments = copy.repositories[0].issues.flatMap(\.comments)
  claim("numbers of 54 bits are exact", comments[0].id == 9_007_199_254_740_993)
  try ObjectGraph.release(tracker)
  try ObjectGraph.release(copy)
}

func showCodes(in path: String) throws {
  let text = try Data(contentsOf: URL(fileURLWithPath: path))
  let lists = try measured("read the JSON") { try CodeLists(json: text) }
  for (name, entries) in lists {
    print(
      "  \(name): \(entries.count) entries, the last is \(entries.last?.code ?? "") \(entries.last?.name ?? "")"
    )
  }
  let copy = try roundTrip(lists, of: text.count, named: "codes.arc")
  claim(
    "each entry has its name and code",
    copy.values.joined().allSatisfy { !$0.name.isEmpty && !$0.code.isEmpty })
}

let installed = "/usr/share/iso-codes/json/iso_639-3.json"
var paths = Array(CommandLine.arguments.dropFirst())
#if DEBUG
  print("A debug build: with -c release, all of it takes about a sixth of these times.")
#endif
if paths.isEmpty {
  example("A tracker's dump") { try showTracker() }
  if FileManager.default.isReadableFile(atPath: installed) { paths = [installed] }
}
for path in paths { example(path) { try showCodes(in: path) } }
