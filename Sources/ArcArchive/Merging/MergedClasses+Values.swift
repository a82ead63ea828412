import ArcFormat
import ArcRuntime

// These functions choose the columns of the merged archive that contain the values of an object.

extension MergedClasses {
  /// A value, and the index of the merged class's column that contains it.
  struct PlacedValue {
    let position: Int
    let value: ArchiveValue
  }

  /// Returns the source's columns, each extended by the fields that only the graph's column has. `origins[0]`
  /// is the graph's column. A column is omitted if it has a common type with the graph's column, or if it
  /// gains no fields.
  func extended(_ origins: [MergedColumn]) throws(ArchiveError) -> [MergedColumn] {
    var columns: [MergedColumn] = []
    for var column in origins.dropFirst() {
      guard try column.attributes.union(with: origins[0].attributes) == nil,
        let union = try column.attributes.union(with: origins[0].attributes, keepsOwnParts: true),
        union.type != column.attributes.type
      else { continue }
      column.attributes = union
      try column.updateLayout()
      columns.append(column)
    }
    return columns
  }

  /// Prepares the conversions of values. Called when the types of all merged columns are known.
  mutating func findConversions() throws(ArchiveError) {
    for (shape, var columns) in shapes {
      for index in columns.columns.indices {
        let merged = classes[columns.classIndex].columns[columns.columns[index].position]
        let origin = columns.columns[index].readOrigin
        columns.columns[index].mayReferToOtherClasses =
          columns.columns[index].origins.contains { $0.classNames != merged.classNames }
        guard try !merged.includes(origin) else { continue }
        columns.columns[index].isIncluded = false
        columns.columns[index].isReadableBySource =
          ValueConversion(from: merged.description, to: origin.layout) != nil
        columns.columns[index].conversion = ReversibleConversion(
          from: origin.description, origin.layout, to: merged.description, merged.layout)
      }
      shapes[shape] = columns
    }
  }

  /// Adds columns for the values of an object that no existing column of the object's shape can contain
  /// without conversion. Also marks the columns in which the object has no value.
  mutating func makeRoom(for row: MergedValues.Row) throws(ArchiveError) {
    guard let shape = shapes[row.shape] else { return }
    for column in shape.columns where column.column.graph == nil && shape.classIndex > 0 {
      if let stored = column.column.stored, values.isTouched(stored, of: row) {
        classes[shape.classIndex].columns[column.position].lacksValues = true
      }
    }
    for (index, column) in shape.columns.enumerated() where !hasOneType(column, shape.classIndex) {
      guard let value = try values.value(column.column, of: row),
        placedUnconverted(value, column, of: row, shape.classIndex) == nil,
        let origin = origin(of: value, column, shape.classIndex)
      else { continue }
      guard shape.classIndex > 0 else {
        // The roots are a single row, and their columns cannot be keyed.
        classes[0].columns[column.position].attributes = origin.attributes
        try classes[0].columns[column.position].updateLayout()
        continue
      }
      let first = classes[shape.classIndex].columns[column.position]
      let isFirst = origin.attributes == first.attributes && origin.columnKey == first.columnKey
      let position = isFirst ? column.position : addColumn(like: origin, for: shape)
      // The value is in one of the two columns, so each of them has no value in some rows.
      for position in [column.position, position] {
        classes[shape.classIndex].columns[position].lacksValues = true
      }
      shapes[row.shape]?.columns[index].otherPositions.append(position)
    }
  }

  /// Returns a column that can contain a value of a shape's column. The column is a column of one of the
  /// archives, or a column with the fields of both archives. If no column can contain the value without
  /// conversion, returns a column of a source that can contain it after nested values are converted. Nil if
  /// there is no suitable column, or if the first column of the shape is equally suitable.
  private func origin(of value: ArchiveValue, _ column: ShapeColumn, _ classIndex: Int) -> MergedColumn? {
    let stored = column.origins.dropFirst().prefix(1) + column.extendedOrigins + column.origins.dropFirst(2)
    let converted = stored.first { value.held(by: $0.layout, converting: conversions.converted) != nil }
    let first = classes[classIndex].columns[column.position]
    if !column.isReadableBySource, converted != nil || value.held(by: first.layout) != nil {
      return converted
    }
    return column.origins.last { value.held(by: $0.layout) != nil }
      ?? column.extendedOrigins.first { value.held(by: $0.layout) != nil } ?? converted
  }

  /// Whether all the archives' columns have the type of the first merged column. If so, the first merged
  /// column can contain all their values.
  private func hasOneType(_ column: ShapeColumn, _ classIndex: Int) -> Bool {
    let merged = classes[classIndex].columns[column.position]
    return column.origins.allSatisfy { $0.attributes.type == merged.attributes.type }
  }

  /// Returns the index of a column that is equal to `origin` and that the shape does not use yet. Adds such a
  /// column to the class if there is none.
  private mutating func addColumn(like origin: MergedColumn, for shape: ShapeColumns) -> Int {
    let taken = Set(shape.columns.flatMap { [$0.position] + $0.otherPositions })
    let known = classes[shape.classIndex].positions[origin.columnKey] ?? []
    let same = known.first {
      !taken.contains($0) && classes[shape.classIndex].columns[$0].attributes == origin.attributes
    }
    if let same {
      classes[shape.classIndex].columns[same].shapeCount += 1
      return same
    }
    var new = origin
    // Without the construction flag, readers determine the order of the objects in the column themselves.
    new.flags.remove(.construction)
    new.shapeCount = 1
    return append(new, to: shape.classIndex)
  }

  /// Returns the value of a shape's column and the merged column that contains it. References contain the
  /// numbers of `MergedNodes`. Nil if the object has no value, or if no column can contain the value.
  ///
  /// - Throws: `malformedEncoding`, which cannot occur for types of archives that were read.
  func placed(
    _ column: ShapeColumn, of row: MergedValues.Row, _ classIndex: Int
  ) throws(ArchiveError) -> PlacedValue? {
    guard let value = try values.value(column.column, of: row) else { return nil }
    if let placed = placedUnconverted(value, column, of: row, classIndex) { return placed }
    // No type can contain the values of both archives, so parts of the value are converted to the other
    // archive's types.
    guard column.column.graph != nil, row.current != nil else { return nil }
    return placed(
      value, inOneOf: column.otherPositions + [column.position], of: classIndex,
      converting: conversions.converted)
  }

  /// Returns a value and the index of a column that can contain it. Nested values are not converted one by
  /// one. Nil if there is no such column. An exception applies if the program's release that wrote the source
  /// cannot read the first column: the function then uses only the other columns, and converts nested values
  /// to the types of these columns.
  private func placedUnconverted(
    _ value: ArchiveValue, _ column: ShapeColumn, of row: MergedValues.Row, _ classIndex: Int
  ) -> PlacedValue? {
    let columns = classes[classIndex].columns
    let first = columns[column.position]
    if !column.isReadableBySource {
      return placed(value, inOneOf: column.otherPositions, of: classIndex, converting: conversions.converted)
    }
    if column.isIncluded || row.current != nil, let held = value.held(by: first.layout) {
      return PlacedValue(position: column.position, value: held)
    }
    if let held = column.conversion?.converted(value)?.held(by: first.layout) {
      return PlacedValue(position: column.position, value: held)
    }
    return placed(value, inOneOf: column.otherPositions, of: classIndex, converting: nil)
  }

  /// Returns a value and the first of `positions` whose column can contain it. Nil if no column can contain
  /// it.
  private func placed(
    _ value: ArchiveValue, inOneOf positions: [Int], of classIndex: Int,
    converting convert: ArchiveValue.Conversion?
  ) -> PlacedValue? {
    for position in positions {
      let layout = classes[classIndex].columns[position].layout
      guard let held = value.held(by: layout, converting: convert) else { continue }
      return PlacedValue(position: position, value: held)
    }
    return nil
  }

  /// Calls `body` with each object that the value of a column retains.
  func forEachReference(
    of column: ShapeColumn, in row: MergedValues.Row, _ classIndex: Int, _ body: (_ target: UInt32) -> Void
  ) throws(ArchiveError) {
    let merged = classes[classIndex].columns[column.position]
    guard merged.holdsReferences || column.origins.contains(where: { $0.holdsReferences }),
      let value = try values.value(column.column, of: row)
    else { return }
    // The layouts are tried in the same order as in `placed` and `origin`.
    let layouts = ([merged] + column.origins + column.extendedOrigins).map(\.layout)
    for convert in [nil, conversions.converted] {
      for layout in layouts {
        guard let held = value.held(by: layout, converting: convert) else { continue }
        return held.forEachReference(layout, node: 0) { id, isWeak in
          if !isWeak { body(id.rawValue) }
        }
      }
    }
  }
}
