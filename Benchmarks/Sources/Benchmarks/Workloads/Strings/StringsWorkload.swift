import Foundation
import SwiftProtobuf

/// A million strings from a pool of a thousand, which share a thousand storages. An "object" in the tables is
/// one string.
struct StringsWorkload: Workload {
  static let name = "strings"
  static let fullCount = 1_000_000
  let contenders: [Contender]

  init(count: Int) {
    let columns = Lazily { StringColumns(count: count) }
    let list = Lazily { try columns.value().rebuildShared() }
    contenders = StringContenders.all(list, columns, count) + StringContenders.peers(list, count)
  }
}

/// The same strings with separate storages, like strings that a program has read.
struct UnsharedStringsWorkload: Workload {
  static let name = "strings-own"
  static let fullCount = 1_000_000
  let contenders: [Contender]

  init(count: Int) {
    let columns = Lazily { StringColumns(count: count) }
    contenders = StringContenders.all(Lazily { try columns.value().rebuildAnew() }, columns, count)
  }
}

/// The contenders for strings, shared or not.
enum StringContenders {
  static func all(_ list: Lazily<StringList>, _ columns: Lazily<StringColumns>, _ count: Int) -> [Contender] {
    ArcSubject(root: list, objectCount: count, digest: \.digest).contenders
      + [
        .walk(list, objectCount: count) { list in { list.digest } },
        .rebuild(columns, objectCount: count) { $0.rebuildShared() },
        .rebuild(columns, name: "rebuild, each anew", objectCount: count) { $0.rebuildAnew() },
      ]
  }

  static func peers(_ list: Lazily<StringList>, _ count: Int) -> [Contender] {
    let fewer = min(count, 200_000)
    let strings = Lazily { Array(try list.value().strings.prefix(fewer)) }
    let message = Lazily {
      let strings = try list.value().strings
      return ProtoStringList.with { $0.strings = strings }
    }
    let keyed = Lazily { NSArray(array: try strings.value().map { NSString(string: $0) }) }
    return Contender.codable(strings, objectCount: fewer)
      + Contender.protobuf(message, objectCount: count)
      + Contender.keyedArchiver(keyed, objectCount: fewer) { UInt64($0.count) }
  }
}
