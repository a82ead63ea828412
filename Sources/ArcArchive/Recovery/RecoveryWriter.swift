import ArcFormat
import ArcRuntime

/// Writes the intact rows with new numbers, without references to lost rows.
struct RecoveryWriter {
  private let file: ArchiveFile
  private let rows: RecoveredRows
  private let builder: ArchiveBuilder
  private let keepsRoots: Bool
  /// The columns of each class.
  private let columns: [[Column]]
  /// The recovered strings for which it is not known which objects contain them.
  private let strings: [String]
  private var recoveredName = ArchiveRecovery.recoveredRootName

  init(
    _ file: ArchiveFile, _ rows: RecoveredRows, metadata: [(key: String, value: String)],
    compression: Compression, keepsRoots: Bool, strings: [String], copied: [CopiedSegment]
  ) throws(ArchiveError) {
    self.strings = strings
    self.file = file
    self.rows = rows
    self.keepsRoots = keepsRoots
    columns = zip(file.classes, file.layouts).map { description, layout in
      description.columns.enumerated().map { Column($0.element, at: $0.offset, in: layout) }
    }
    var roots: [ArchiveBuilder.Property] = []
    if keepsRoots {
      let lost = rows.lostColumns(ofRow: 0, classIndex: 0) ?? 0..<0
      roots = file.classes[0].columns.enumerated().filter { !lost.contains($0.offset) }
        .map { .init($0.element.key, attributes: $0.element.attributes.description) }
    }
    if !rows.heads.isEmpty {
      let names = Set(roots.map(\.key))
      var number = 2
      while names.contains(recoveredName) {
        recoveredName = "\(ArchiveRecovery.recoveredRootName)\(number)"
        number += 1
      }
      roots.append(.init(recoveredName, type: "$[@]"))
    }
    if !strings.isEmpty {
      roots.append(.init(ArchiveRecovery.recoveredStringsRootName, type: "$[@\"NSString\"]"))
    }
    builder = try ArchiveBuilder(roots: roots, metadata: metadata, compression: compression, isStrict: false)
    builder.writer.copiedSegments = copied
    for (classIndex, description) in file.classes.enumerated().dropFirst() {
      try builder.addClass(
        description.name, superclass: description.superclassIndex.map { file.classes[$0].name },
        version: description.version,
        properties: description.columns.enumerated().map { index, column in
          let isAbsent = Self.isAbsent(index, classIndex, file, rows)
          return .init(
            column.key, attributes: column.attributes.description,
            isKeyed: isAbsent || column.flags.contains(.keyed),
            isConstruction: !isAbsent && column.flags.contains(.construction),
            declaredBy: file.classes[column.declaringClassIndex].name)
        })
    }
  }

  /// The facts about a column that are needed to write its values.
  private struct Column {
    /// The node of the values.
    let node: Int
    let holdsReferences: Bool
    let isConstruction: Bool

    init(_ column: ColumnDescription, at position: Int, in layout: ColumnLayout) {
      node = layout.valueNode(ofRoot: position, isKeyed: column.flags.contains(.keyed))
      holdsReferences = layout.containsAnyReference(node)
      isConstruction = column.flags.contains(.construction)
    }
  }

  /// Whether some values of a column are lost and cannot be replaced by nil. Such a column becomes keyed, so
  /// that rows need not have a value in it.
  private static func isAbsent(
    _ column: Int, _ classIndex: Int, _ file: ArchiveFile, _ rows: RecoveredRows
  ) -> Bool {
    guard let columns = rows.cut?.columns[classIndex], (columns.wholeCount..<columns.count).contains(column)
    else { return false }
    let layout = file.layouts[classIndex]
    return ![.optional, .reference, .weak].contains(layout.nodes[layout.roots[column]].kind)
  }

  /// Writes the archive. Returns its bytes.
  mutating func archive() throws(ArchiveError) -> [UInt8] {
    // All objects are reserved before the first is written, because each may refer to any other object.
    for position in rows.segments {
      for run in try file.checkedRows(inSegment: position).runs where run.classIndex > 0 {
        for row in run.rows where rows.newRow(row) != nil {
          _ = try builder.reserveObject(ofClass: file.classes[run.classIndex].name)
        }
      }
    }
    if !keepsRoots { try setRoots(nil) }
    for position in rows.segments {
      let info = file.segments[position]
      for row in info.firstIndex..<info.firstIndex + info.count {
        guard rows.newRow(row) != nil else { continue }
        let object = try read(row)
        if row == 0 {
          try setRoots(object)
        } else if let new = rows.newRow(row) {
          try builder.setValues(values(of: object, newRow: new), of: ObjectID(rawValue: UInt32(new)))
        }
      }
    }
    return try builder.finish()
  }

  private func read(_ row: Int) throws(ArchiveError) -> ArchiveObject {
    do {
      return try file.object(ObjectID(rawValue: UInt32(row)))
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw ArchiveError(.malformedSegment, found: "an object that cannot be read (\(error))")
    }
  }

  private func setRoots(_ object: ArchiveObject?) throws(ArchiveError) {
    var values = object.map { self.values(of: $0, newRow: 0) } ?? [:]
    if !rows.heads.isEmpty {
      values[.init(recoveredName)] = .array(rows.heads.map { .reference(ObjectID(rawValue: UInt32($0))) })
    }
    if !strings.isEmpty {
      values[.init(ArchiveRecovery.recoveredStringsRootName)] = .array(strings.map { .string($0) })
    }
    try builder.setRoots(values)
  }

  private func values(of object: ArchiveObject, newRow: Int) -> [ArchiveBuilder.Key: ArchiveValue] {
    let layout = file.layouts[object.classIndex]
    var values: [ArchiveBuilder.Key: ArchiveValue] = [:]
    let lost = rows.lostColumns(ofRow: Int(object.id.rawValue), classIndex: object.classIndex) ?? 0..<0
    for property in object.properties where !lost.contains(property.columnIndex) {
      let column = columns[object.classIndex][property.columnIndex]
      let key = ArchiveBuilder.Key(property.key, declaredBy: property.declaringClass)
      guard column.holdsReferences else {
        values[key] = property.value
        continue
      }
      let rewriter = ReferenceRewriter(layout: layout) { id, name in
        guard let new = rows.newRow(Int(id.rawValue)) else { return nil }
        let newID = ObjectID(rawValue: UInt32(new))
        // A reference to an object of another class is lost.
        let fits = (try? builder.check(newID, isOfClass: name, newRow, column.isConstruction)) != nil
        return fits ? newID : nil
      }
      values[key] = rewriter.rewritten(TypedValue(property.value, layout: layout, node: column.node))
    }
    return values
  }
}
