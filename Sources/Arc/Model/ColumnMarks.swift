import ArcFormat
import ArcRuntime

/// What the program's types say of the columns of a value: where raw values are checked, and which arrays
/// have a fixed length.
///
/// Collected from the type's own description, in which marked types stand in structures of their own: these
/// have no columns, so that the nodes around and inside of them are those of the plain encoding.
enum ColumnMarks {
  private static let prefix = "\0"

  /// The name of the structure around a type with a mark.
  static func name(of mark: Int) -> String { "\(prefix)\(mark)" }

  /// The number of the mark of a structure with a name; nil for any other structure.
  static func number(of name: String?) -> Int? {
    guard let name, name.hasPrefix(prefix) else { return nil }
    return Int(name.dropFirst())
  }

  /// The marks of a type, by node, counted from the first of the column; none for a type without a column.
  static func of(_ type: any ArchivableValue.Type) -> [Int: ColumnMark] {
    let context = __TypeEncodingContext(collectingMarks: ())
    let encoding = type.__typeEncoding(in: context)
    // A type without a valid encoding is rejected where its values are read or written.
    guard let marks = context.marks, !marks.isEmpty, let marked = try? ColumnLayout(of: encoding),
      let plain = try? ColumnLayout(of: TypeEncoding(of: type))
    else { return [:] }
    var found: [Int: ColumnMark] = [:]
    var isSeen = [Bool](repeating: false, count: marked.nodes.count)
    var pending = [(marked: marked.roots[0], plain: plain.roots[0])]
    while let (index, node) = pending.popLast() {
      if isSeen[index] { continue }
      isSeen[index] = true
      let description = marked.nodes[index]
      if let mark = number(of: description.name) {
        // A raw value may be one of a raw value, which the outer one reads.
        found[node] = found[node] ?? marks[mark]
        pending.append((description.children[0], node))
      } else {
        for (child, other) in zip(description.children, plain.nodes[node].children) {
          pending.append((child, other))
        }
      }
    }
    return found
  }
}
