import ArcFormat
import ArcRuntime

/// The values of an archive, in which references to boxes are replaced by the contents of the boxes. A box is
/// an object that contains a value of type `any P`. All other references contain the numbers of
/// `MergedNodes`.
///
/// `UnboxedValues` represents a box by an enumeration. Its case has the name of the box's class in the
/// program, and its payload is the content. The name of the enumeration contains the box's row. This does not
/// affect comparisons, because names of enumerations are not compared.
final class UnboxedValues {
  let file: ArchiveFile
  /// The name that each class of boxes has in the program, by class index. Nil for a class whose objects are
  /// not boxes.
  private let boxNames: [String?]
  /// Returns the number that the object in a row has in `MergedNodes`. 0 if `MergedNodes` does not contain
  /// the object.
  private let node: (Int) -> UInt32
  /// The older fields that the program converts. Empty for archives that the program wrote.
  private let convertedFields: ConvertedFields
  /// The number of times that each box's content was read, by row.
  private var uses: [UInt8]
  /// For each row of a box, whether `BoxMatches` has matched the box.
  private var isMatched: [Bool]

  /// The maximum number of nested boxes whose contents are read.
  private static let maximumLevels = 4
  /// The maximum number of times that a box's content is read. A box that a program writes for a value has
  /// only one reference, so its content is read at most once per level. Crafted boxes could refer to each
  /// other along exponentially many paths.
  private static let maximumUses = 4 * UInt8(maximumLevels)
  /// The prefix of the names of the enumerations that represent boxes. No enumeration of a program has a name
  /// with this prefix.
  private static let mark = "\0box "

  private init(
    _ file: ArchiveFile, _ boxNames: [String?], _ convertedFields: ConvertedFields,
    _ node: @escaping (Int) -> UInt32
  ) {
    self.file = file
    self.convertedFields = convertedFields
    self.boxNames = boxNames
    self.node = node
    let count = boxNames.contains { $0 != nil } ? file.rowCount : 0
    uses = Array(repeating: 0, count: count)
    isMatched = Array(repeating: false, count: count)
  }

  private convenience init(
    _ file: ArchiveFile, boxClasses: Set<Int>, _ node: @escaping (Int) -> UInt32
  ) {
    let names = file.classes.indices.map { boxClasses.contains($0) ? file.classes[$0].name : nil }
    self.init(file, names, ConvertedFields(), node)
  }

  /// Creates the values of the graph.
  convenience init(of nodes: MergedNodes) {
    self.init(nodes.graph, boxClasses: nodes.boxClasses) { UInt32(truncatingIfNeeded: $0) }
  }

  /// Creates the values of the unchanged graph of a source. Nil if the source has no unchanged graph.
  convenience init?(ofUnchanged source: Int, of nodes: MergedNodes) {
    guard let file = nodes.sources[source].unchanged,
      let boxClasses = nodes.sources[source].archive.unchanged?.graph.boxClasses
    else { return nil }
    self.init(file, boxClasses: boxClasses) { nodes.node(ofUnchanged: $0, inSource: source) }
  }

  /// Creates the values of a source.
  convenience init(_ source: Int, of nodes: MergedNodes) {
    let names = nodes.sources[source].archive.classes.map { $0.isOfBoxes ? $0.programName : nil }
    let converted = nodes.sources[source].archive.convertedFields
    self.init(nodes.sources[source].file, names, converted) { nodes.node(of: $0, inSource: source) }
  }

  /// Whether the archive has classes of boxes.
  var hasBoxes: Bool { !uses.isEmpty }

  /// Returns an object of the archive. References to boxes in its values are not replaced.
  func object(_ row: UInt32) throws -> ArchiveObject { try file.object(ObjectID(rawValue: row)) }

  /// Returns the value of a column, without the fields of its structures that are absent or that the program
  /// does not read. Nil if the object has no value.
  func value(inColumn position: Int, of object: ArchiveObject) -> ArchiveValue? {
    guard let value = object.value(inColumn: position) else { return nil }
    let column = file.classes[object.classIndex].columns[position]
    guard !column.attributes.nodesOfAbsentFields.isEmpty else { return value }
    let layout = file.layouts[object.classIndex]
    let node = layout.valueNode(ofRoot: position, isKeyed: column.flags.contains(.keyed))
    return TypedValue(value, layout: layout, node: node).withoutUnreadFields(convertedFields)
  }

  /// Returns the row of the box that a value represents. Nil if the value does not represent a box.
  func row(ofBox value: ArchiveValue) -> UInt32? {
    guard case .enumeration(let name, _, _) = value, name.hasPrefix(Self.mark) else { return nil }
    return UInt32(name.dropFirst(Self.mark.count))
  }

  /// Marks the box in a row as matched. Returns false if it is already marked.
  func take(_ row: UInt32) -> Bool {
    guard isMatched.indices.contains(Int(row)), !isMatched[Int(row)] else { return false }
    isMatched[Int(row)] = true
    return true
  }

  /// Returns a value of an object, in which references to boxes are replaced by the contents of the boxes, up
  /// to `levels` nested boxes.
  ///
  /// Recursive over the value, whose nesting is limited.
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
