import ArcFormat
import ArcRuntime

/// A column whose values are keys of rows, and therefore become references to these rows.
struct TableReference {
  let classIndex: Int
  let key: Int
  let targetClassIndex: Int
  let targetKey: Int
  /// The names of the table and the column, for errors and notes.
  let table: String
  let column: String
  /// Whether each value must be the key of a row. If false, and some value is not a key, the column preserves
  /// its values, and the report contains a note.
  let isRequired: Bool
}

extension TableBuilder {
  /// Replaces the values of columns with references to the rows that have these values as keys. If several
  /// references are declared for a column, the first reference that fits all values is used.
  ///
  /// - Throws: `danglingReference` or `duplicateKey` if a required reference has no row, or several rows.
  /// - Complexity: O(rows · columns) per reference.
  mutating func link(
    _ references: [TableReference], _ report: inout ImportReport
  ) throws(ImportError) {
    // A key can itself be a reference, so all keys are read before any value is replaced.
    var targets: [Int: Int] = [:]
    for reference in references {
      guard let found = try self.targets(of: reference, besides: targets) else {
        report.note(
          .unresolvedForeignKey, "table '\(reference.table)', column '\(reference.column)'")
        continue
      }
      targets.merge(found) { first, _ in first }
    }
    for (field, row) in targets { setValue(ofField: field, ImportedValue(.object, row)) }
  }

  /// Returns the target row for each field of a reference's column, by the index of the field. Nil if a value
  /// is not the key of a row.
  private func targets(
    of reference: TableReference, besides known: [Int: Int]
  ) throws(ImportError) -> [Int: Int]? {
    let keys = TableKeys(self, isLenient: reference.isRequired)
    var rowOfKey: [DictionaryKey: Int] = [:]
    for (row, entry) in rows.enumerated() where entry.classIndex == reference.targetClassIndex {
      guard let field = fieldIndex(of: reference.targetKey, in: entry),
        let key = keys.key(fields[field].value)
      else { continue }
      guard rowOfKey.updateValue(row, forKey: key) != nil, reference.isRequired else { continue }
      throw ImportError(
        .duplicateKey,
        found: "two rows with an equal value in the column '\(self.keys[reference.targetKey])'",
        expected: "a distinct value in each row, because '\(reference.table).\(reference.column)' refers to "
          + "rows by this value",
        byteOffset: entry.byteOffset, className: classes[reference.targetClassIndex].name,
        key: self.keys[reference.targetKey])
    }
    var result: [Int: Int] = [:]
    for entry in rows where entry.classIndex == reference.classIndex {
      guard let field = fieldIndex(of: reference.key, in: entry), known[field] == nil,
        fields[field].value.kind != .nothing
      else { continue }
      guard let key = keys.key(fields[field].value) else {
        guard reference.isRequired else { continue }
        throw ImportError(
          .typeMismatch, found: "an object or a list in the column '\(reference.column)'",
          expected: "a key of a row, such as a number or a string", byteOffset: entry.byteOffset,
          className: reference.table, key: reference.column)
      }
      if let row = rowOfKey[key] {
        result[field] = row
      } else if !reference.isRequired {
        return nil
      } else {
        throw ImportError(
          .danglingReference, found: "a value in the column '\(reference.column)' without a row to refer to",
          expected: "a value of the column '\(self.keys[reference.targetKey])' of '"
            + "\(classes[reference.targetClassIndex].name)', or no value",
          remedy: "correct the value, or import the tables without this join", byteOffset: entry.byteOffset,
          className: reference.table, key: reference.column)
      }
    }
    return result
  }

  private func fieldIndex(of key: Int, in row: ImportedRow) -> Int? {
    row.fields.first { fields[$0].key == key }
  }
}

/// Keys of rows, for finding the row of a value.
private struct TableKeys {
  private let graph: ImportedGraph
  /// Whether an integer is equal to its text. In tables without declared types, a key is often an integer in
  /// one table and text in another table.
  private let isLenient: Bool

  init(_ builder: TableBuilder, isLenient: Bool) {
    graph = builder.graph(fileName: nil, format: "")
    self.isLenient = isLenient
  }

  /// Returns the key of a value. Nil for nil, objects and collections.
  func key(_ value: ImportedValue) -> DictionaryKey? {
    guard ![.nothing, .null, .object, .list, .dictionary].contains(value.kind) else { return nil }
    let key = DictionaryKey(value, graph)
    guard isLenient, case .integer(let number) = key else { return key }
    return .text(ExactName(number.description))
  }
}
