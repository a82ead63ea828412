import ArcFormat
import ArcRuntime
import ArcTestSupport

/// A random type, and a function that writes random values of the type.
struct RandomType {
  let encoding: String
  let write: (ColumnWriter) -> Void
}

/// A generator of archives with random classes and rows. They contain every kind of value with random
/// nesting. For each encoding of columns, there are sequences of values for which it is the shortest
/// encoding.
final class RandomArchive {
  private var random: SplitMix64
  /// The class index of each row.
  private var classOfRow: [Int] = []
  private var row = 0
  /// Whether references in the current column must refer to earlier rows.
  private var isConstruction = false
  /// The superclass index of each class. Class 0 is the class of the roots.
  private var superclasses: [Int?] = [nil]

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// Returns the bytes of a file.
  func bytes(rowCount: Int, compression: Compression, hasChunkDirectory: Bool = false) throws -> [UInt8] {
    var writer = ArchiveWriter(
      compression: compression, metadata: below(2) == 0 ? [] : [("a", ""), ("b", "c")],
      hasChunkDirectory: hasChunkDirectory)
    superclasses += (1...4).map { $0 == 1 || below(2) == 0 ? nil : 1 + below($0 - 1) }
    classOfRow = [0] + (1..<rowCount).map { _ in 0 }
    while row < rowCount - 1 {
      let classIndex = 1 + below(4)
      for _ in 0...below(40) where row < rowCount - 1 {
        row += 1
        classOfRow[row] = classIndex
      }
    }
    var types: [[RandomType]] = []
    var descriptions: [ClassDescription] = []
    for index in superclasses.indices {
      var own = try (0...below(6)).map { try column("k\($0)", of: index) }
      if let parent = superclasses[index] { own += zip(descriptions[parent].columns, types[parent]) }
      types.append(own.map(\.1))
      descriptions.append(
        ClassDescription(
          name: index == 0 ? "$roots" : "C\(index)", superclassIndex: superclasses[index],
          columns: own.map(\.0)))
      _ = try writer.addClass(descriptions[index])
    }
    for (position, classIndex) in classOfRow.enumerated() {
      row = position
      try writer.addRow(classIndex: classIndex)
      let set = writer.columnSet(ofClass: classIndex)
      for (column, type) in types[classIndex].enumerated() {
        guard descriptions[classIndex].columns[column].flags.contains(.keyed) else {
          type.write(set.column(column))
          continue
        }
        if below(3) == 0 { continue }
        set.column(column).append(bit: true)
        type.write(set.column(column).child(0))
      }
    }
    return try writer.finish { UInt32($0) }
  }

  private func column(_ key: String, of classIndex: Int) throws -> (ColumnDescription, RandomType) {
    let flags = classIndex == 0 ? 0 : [0, 0, 0, 1, 2][below(5)]
    isConstruction = flags == 1
    let type = type(depth: 3)
    let column = ColumnDescription(
      declaringClassIndex: classIndex, key: key,
      attributes: try PropertyAttributes(parsing: "T\(type.encoding),N"),
      flags: ColumnDescription.Flags(rawValue: UInt8(flags)))
    return (column, type)
  }

  private func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  /// Returns a generator of numbers with a random pattern: constant, ascending, in runs, in a narrow range,
  /// or arbitrary.
  private func numbers() -> () -> UInt64 {
    let start = random.next() >> UInt64(below(64))
    let range = UInt64(1) << UInt64(below(20))
    let step = random.next() >> UInt64(40 + below(24))
    var value = start
    let isJittered = below(2) == 0
    switch below(5) {
    case 0: return { start }
    case 1:
      return { [self] in
        value = value &+ step &+ (isJittered ? random.next() % range : 0)
        return value
      }
    case 2:
      return { [self] in
        if below(20) == 0 { value = random.next() % range }
        return value
      }
    case 3: return { [self] in start &+ random.next() % range }
    default: return { [self] in random.next() >> (random.next() % 64) }
    }
  }

  private func integer<Number: FixedWidthInteger & BitwiseCopyable>(
    _ code: String, _: Number.Type
  ) -> RandomType {
    let next = numbers()
    return RandomType(encoding: code) { $0.append(Number(truncatingIfNeeded: next())) }
  }

  private func strings() -> () -> String {
    let next = numbers()
    let isRepeated = below(2) == 0
    return { [self] in
      let number = isRepeated ? next() % 50 : next()
      return (below(30) == 0 ? "é\0\u{1B}😀\"\\" : "") + String(number, radix: 36)
    }
  }

  /// Returns a random row to which a reference in the column may refer.
  private func target(ofClass classIndex: Int?, isConstruction: Bool) -> () -> UInt32 {
    let next = numbers()
    return { [self] in
      let candidate = Int(next() % UInt64(classOfRow.count))
      if candidate == 0 || isConstruction && candidate >= row { return 0 }
      guard let classIndex else { return UInt32(candidate) }
      var found: Int? = classOfRow[candidate]
      while let index = found, index != classIndex { found = superclasses[index] }
      return found == nil ? 0 : UInt32(candidate)
    }
  }

  private func type(depth: Int) -> RandomType {
    if depth > 0, below(3) == 0 { return container(depth: depth - 1) }
    let next = numbers()
    switch below(20) {
    case 0: return RandomType(encoding: "B") { $0.append(bit: next() % 3 == 0) }
    case 1: return integer("c", Int8.self)
    case 2: return integer("S", UInt16.self)
    case 3: return integer("i", Int32.self)
    case 4, 5: return integer("q", Int64.self)
    case 6: return integer("Q", UInt64.self)
    case 7: return RandomType(encoding: "t") { $0.append(Int128(Int64(bitPattern: next())) << 40) }
    case 8: return RandomType(encoding: " ") { $0.append(UInt16(truncatingIfNeeded: next())) }
    case 9: return RandomType(encoding: "f") { $0.append(UInt32(truncatingIfNeeded: next())) }
    case 10: return RandomType(encoding: "d") { $0.append(next()) }
    case 11: return RandomType(encoding: "d") { $0.append(Double(next() % 1000) / 8) }
    case 12: return RandomType(encoding: #"@"NSDate""#) { $0.append(Double(next() % 1 << 33) / 3 - 1e9) }
    case 13: return RandomType(encoding: #"@"NSUUID""#) { $0.append(UInt128(next()) << 32) }
    case 14: return RandomType(encoding: #"@"NSDecimalNumber""#) { $0.append(text: "-\(next()).5") }
    case 15:
      return RandomType(encoding: #"@"NSData""#) { column in
        let bytes = Array(repeating: UInt8(truncatingIfNeeded: next()), count: Int(next() % 5))
        bytes.withByteView { column.append(bytes: $0) }
      }
    case 16:
      let text = strings()
      return RandomType(encoding: #"@"NSURL""#) { [self] column in
        column.child(0).append(text: text())
        let hasBase = below(2) == 0
        column.child(1).append(bit: hasBase)
        if hasBase { column.child(1).child(0).append(text: text()) }
      }
    case 17, 18: return reference()
    default:
      let text = strings()
      return RandomType(encoding: #"@"NSString""#) { $0.append(text: text()) }
    }
  }

  private func reference() -> RandomType {
    let classIndex = below(2) == 0 ? nil : 1 + below(4)
    let encoding = classIndex.map { "@\"C\($0)\"" } ?? "@"
    if below(3) == 0, !isConstruction {
      let row = target(ofClass: classIndex, isConstruction: false)
      return RandomType(encoding: "$~" + encoding) { $0.append(row()) }
    }
    let row = target(ofClass: classIndex, isConstruction: isConstruction)
    return RandomType(encoding: encoding) { $0.append(row()) }
  }

  private func container(depth: Int) -> RandomType {
    let (first, second) = (type(depth: depth), type(depth: depth))
    let next = numbers()
    switch below(6) {
    case 0:
      return RandomType(encoding: "$?" + first.encoding) { [self] column in
        let isPresent = below(2) == 0
        column.append(bit: isPresent)
        if isPresent { first.write(column.child(0)) }
      }
    case 1:
      let brackets = below(2) == 0 ? ("$[", "]") : ("$<", ">")
      return RandomType(encoding: brackets.0 + first.encoding + brackets.1) { column in
        let count = next() % 5
        column.append(count)
        for _ in 0..<count { first.write(column.child(0)) }
      }
    case 2:
      return RandomType(encoding: "$<\(first.encoding):\(second.encoding)>") { column in
        let count = next() % 3
        column.append(count)
        for _ in 0..<count {
          first.write(column.child(0))
          second.write(column.child(1))
        }
      }
    case 3:
      return RandomType(encoding: "{S=\"a\"\(first.encoding)\"\"\(second.encoding)}") { column in
        first.write(column.child(0))
        second.write(column.child(1))
      }
    case 4:
      return RandomType(encoding: "$(E=\"a\"{?=\"x\"\(first.encoding)}\"b\"\"c\"{?=})") { column in
        let index = UInt32(next() % 3)
        column.append(index)
        if index == 0 { first.write(column.payload(0).child(0)) }
      }
    default:
      return RandomType(encoding: "{Tree=\"value\"\(first.encoding)\"children\"$[{Tree}]}") { [self] column in
        writeTree(first, to: column, depth: 0)
      }
    }
  }

  private func writeTree(_ value: RandomType, to column: ColumnWriter, depth: Int) {
    value.write(column.child(0))
    let count = depth > 20 ? 0 : below(2 + below(2))
    column.child(1).append(UInt64(count))
    for _ in 0..<count { writeTree(value, to: column, depth: depth + 1) }
  }
}
