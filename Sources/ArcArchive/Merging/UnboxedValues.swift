import ArcFormat
import ArcRuntime

/// The values of an archive with what is in boxes in place of references to these, and with all other
/// references by the numbers of `MergedNodes`.
///
/// A box is a case with the name of its class in the program, which carries the value, of an enumeration
/// that is named by its row: names of enumerations are not compared.
final class UnboxedValues {
  let file: ArchiveFile
  /// For each class the name in the program; nil for those whose objects are no boxes.
  private let boxNames: [String?]
  /// The object that a row is; 0 for none.
  private let node: (Int) -> UInt32
  /// For each row how often what is in it was asked for.
  private var uses: [UInt8]
  /// For each row whether it is taken.
  private var isTaken: [Bool]

  /// How many boxes around each other are looked into.
  private static let maximumLevels = 4
  /// How often it is asked what is in a box. One that has a single place, as all have that are written for
  /// values, is asked on as many levels; others could be in each other in too many ways.
  private static let maximumUses = 4 * UInt8(maximumLevels)
  /// Begins the names of enumerations that are boxes, which no program's are like.
  private static let mark = "\0box "

  private init(_ file: ArchiveFile, _ boxNames: [String?], _ node: @escaping (Int) -> UInt32) {
    self.file = file
    self.boxNames = boxNames
    self.node = node
    let count = boxNames.contains { $0 != nil } ? file.rowCount : 0
    uses = Array(repeating: 0, count: count)
    isTaken = Array(repeating: false, count: count)
  }

  private convenience init(
    _ file: ArchiveFile, boxClasses: Set<Int>, _ node: @escaping (Int) -> UInt32
  ) {
    let names = file.classes.indices.map { boxClasses.contains($0) ? file.classes[$0].name : nil }
    self.init(file, names, node)
  }

  /// The values of the graph.
  convenience init(of nodes: MergedNodes) {
    self.init(nodes.graph, boxClasses: nodes.boxClasses) { UInt32(truncatingIfNeeded: $0) }
  }

  /// The values of the unchanged graph of a source; nil if it has none.
  convenience init?(ofUnchanged source: Int, of nodes: MergedNodes) {
    guard let file = nodes.sources[source].unchanged,
      let boxClasses = nodes.sources[source].archive.unchanged?.graph.boxClasses
    else { return nil }
    self.init(file, boxClasses: boxClasses) { nodes.node(ofUnchanged: $0, inSource: source) }
  }

  /// The values of a source.
  convenience init(_ source: Int, of nodes: MergedNodes) {
    let names = nodes.sources[source].archive.classes.map { $0.isOfBoxes ? $0.programName : nil }
    self.init(nodes.sources[source].file, names) { nodes.node(of: $0, inSource: source) }
  }

  /// Whether there are boxes.
  var hasBoxes: Bool { !uses.isEmpty }

  /// An object as it is in the archive.
  func object(_ row: UInt32) throws -> ArchiveObject { try file.object(ObjectID(rawValue: row)) }

  /// The value of a column without the fields that structures lack. Nil if the object has no value.
  func value(inColumn position: Int, of object: ArchiveObject) -> ArchiveValue? {
    guard let value = object.value(inColumn: position) else { return nil }
    let column = file.classes[object.classIndex].columns[position]
    guard !column.attributes.nodesOfAbsentFields.isEmpty else { return value }
    let layout = file.layouts[object.classIndex]
    let node = layout.valueNode(ofRoot: position, isKeyed: column.flags.contains(.keyed))
    return TypedValue(value, layout: layout, node: node).withoutAbsentFields
  }

  /// The row of a box that a value stands for; nil if it stands for none.
  func row(ofBox value: ArchiveValue) -> UInt32? {
    guard case .enumeration(let name, _, _) = value, name.hasPrefix(Self.mark) else { return nil }
    return UInt32(name.dropFirst(Self.mark.count))
  }

  /// Takes a row; false if it is taken already.
  func take(_ row: UInt32) -> Bool {
    guard isTaken.indices.contains(Int(row)), !isTaken[Int(row)] else { return false }
    isTaken[Int(row)] = true
    return true
  }

  /// A value of an object with what is in boxes, as far as it is looked for.
  ///
  /// Recursive over the value, as deep as values nest.
  func unboxed(_ value: ArchiveValue, _ levels: Int = maximumLevels) throws -> ArchiveValue {
    if case .reference(let id?) = value { return try unboxed(id, levels) }
    return try value.mapChildren { step, child in
      let new = try unboxed(child, levels)
      return step.isInCollection && child.loses(new) ? Optional.none : new
    }
  }

  private func unboxed(_ id: ObjectID, _ levels: Int) throws -> ArchiveValue {
    let row = Int(id.rawValue)
    guard hasBoxes, let index = file.classIndex(ofRow: row), let name = boxNames[index] else {
      let node = node(row)
      return .reference(node > 0 ? ObjectID(rawValue: node) : nil)
    }
    var content: ArchiveValue?
    if levels > 0, uses[row] < Self.maximumUses {
      uses[row] += 1
      let box = try file.object(id)
      let value = box.properties.first.flatMap { self.value(inColumn: $0.columnIndex, of: box) }
      content = try value.map { try unboxed($0, levels - 1) }
    }
    return .enumeration(name: "\(Self.mark)\(row)", case: name, payload: content)
  }
}
