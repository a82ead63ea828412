import ArcFormat
import ArcJSON

/// For each member name of an object, the slot that reads the member. Nested objects have tables of their
/// own: for the path `address.city`, the table of `address` contains `city`.
///
/// Each member belongs to at most one slot (a property of a class, or a field of a structure), so the values
/// can be read in the order of the text.
final class MemberTable {
  fileprivate let keys: JSONKeyTable
  /// For each name, the slot that reads the member. If paths continue in the member, a negative number
  /// instead: -1 for the first table in `inner`, -2 for the second table.
  fileprivate let slots: HandleBuffer<Int>
  /// The tables of the nested objects in which paths continue.
  private let inner: [MemberTable]
  /// For each name, the name that probably comes next in the text. The last element predicts the first name
  /// of an object. Reading an object updates the predictions.
  fileprivate let following: HandleBuffer<Int>

  /// The use of a name, while the table is built. Either one slot reads the member, or several paths continue
  /// in the member: `paths` contains the remaining steps of each path.
  private enum NamedTarget {
    case slot(Int)
    case paths([(steps: ArraySlice<JSONPath.Step>, slot: Int)])
  }

  /// Creates the table from the paths of each slot, with the preferred path first. A slot without paths is
  /// not read.
  ///
  /// Nil if names do not determine the slots: a path contains an index, two slots have the same path, or one
  /// path is the beginning of another path. Also nil if there are more than 64 slots or names.
  convenience init?(_ paths: [[JSONPath]]) {
    guard paths.count <= UInt64.bitWidth else { return nil }
    self.init(
      paths.enumerated().flatMap { slot, paths in paths.map { (steps: $0.steps[...], slot: slot) } })
  }

  private init?(_ paths: [(steps: ArraySlice<JSONPath.Step>, slot: Int)]) {
    var names: [String] = []
    var entries: [NamedTarget] = []
    for (steps, slot) in paths {
      guard case .member(let name)? = steps.first else { return nil }
      let rest = steps.dropFirst()
      if let number = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) {
        guard case .paths(let others) = entries[number], !rest.isEmpty else { return nil }
        entries[number] = .paths(others + [(rest, slot)])
      } else {
        names.append(name)
        entries.append(rest.isEmpty ? .slot(slot) : .paths([(rest, slot)]))
      }
    }
    var slots: [Int] = []
    var inner: [MemberTable] = []
    for entry in entries {
      switch entry {
      case .slot(let slot): slots.append(slot)
      case .paths(let paths):
        guard let table = MemberTable(paths) else { return nil }
        inner.append(table)
        slots.append(-inner.count)
      }
    }
    keys = JSONKeyTable(names)
    guard keys.arePlain, 1...UInt64.bitWidth ~= names.count else { return nil }
    self.slots = HandleBuffer(slots)
    self.inner = inner
    following = HandleBuffer(Array(1..<names.count + 1) + [0])
  }

  deinit {
    slots.free()
    following.free()
  }

  /// Returns the table of a nested object. `number` is the negative number that `JSONCursor.takeMembers`
  /// passes to `takeObject`.
  @inline(never) subscript(inner number: Int) -> MemberTable { inner[-1 - number] }
}

extension JSONCursor {
  /// Reads an object. Calls `takeValue` with the slot of each known member, when the cursor is before the
  /// member's value. Skips unknown members.
  ///
  /// Both closures are inlined, because a call for each member would take longer than reading the member.
  ///
  /// - Parameters:
  ///   - table: the members to read.
  ///   - levels: the maximum nesting depth of values in the object.
  ///   - refusesOthers: whether an unknown member throws `Refusal`.
  ///   - seen: receives a bit for each slot that has a value.
  ///   - takeValue: reads the value of a slot.
  ///   - takeObject: reads a nested object in which paths continue, by its number in the table.
  /// - Throws: `Refusal` if two members belong to one slot.
  @inline(__always) mutating func takeMembers(
    _ table: MemberTable, levels: Int, refusesOthers: Bool = false, _ seen: inout UInt64,
    _ takeValue: (_ slot: Int, inout JSONCursor) throws -> Void,
    objects takeObject: (_ number: Int, inout JSONCursor, _ seen: inout UInt64) throws -> Void
  ) throws {
    try take(UInt8(ascii: "{"))
    if takeIfNext(UInt8(ascii: "}")) { return }
    let (following, slots) = (table.following, table.slots)
    var previous = slots.count
    var seenObjects: UInt64 = 0
    repeat {
      let likely = following[previous]
      guard let number = try name(likely < slots.count ? likely : 0, of: table.keys) else {
        guard !refusesOthers else { throw Refusal() }
        try skipValue(levels: levels)
        continue
      }
      if number != likely { following[previous] = number }
      previous = number
      let slot = slots[number]
      if slot >= 0 {
        try Self.mark(slot, &seen)
        try takeValue(slot, &self)
      } else {
        try Self.mark(number, &seenObjects)
        if byte == UInt8(ascii: "{"), levels > 0 {
          try takeObject(slot, &self, &seen)
        } else if try !takeNull() {
          throw Refusal()
        }
      }
      skipSpace()
    } while takeIfNext(UInt8(ascii: ","))
    try take(UInt8(ascii: "}"))
  }

  @inline(__always) private static func mark(_ number: Int, _ seen: inout UInt64) throws(Refusal) {
    let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: number)
    guard seen & bit == 0 else { throw Refusal() }
    seen |= bit
  }
}
