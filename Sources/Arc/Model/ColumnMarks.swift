import ArcFormat
import ArcRuntime

/// The marks that the program's types put on the columns of a value. For example, a mark states that a raw
/// value must be checked, or that an array has a fixed length.
///
/// To collect the marks, Arc describes the type with an additional structure around each marked type. The
/// additional structures have no columns of their own, so the other nodes correspond to the nodes of the
/// encoding without marks.
enum ColumnMarks {
  private static let prefix = "\0"

  /// Returns the name of the additional structure around a type that has the mark with this number.
  static func name(of mark: Int) -> String { "\(prefix)\(mark)" }

  /// Returns the number of the mark from the name of a structure. Nil if the structure is not a mark.
  static func number(of name: String?) -> Int? {
    guard let name, name.hasPrefix(prefix) else { return nil }
    return Int(name.dropFirst())
  }

  /// Returns the marks of a type, by node of the type's column. The first node has the number 0. Empty if the
  /// type has no column.
  static func of(_ type: any ArchivableValue.Type) -> [Int: ColumnMark] {
    let context = __TypeEncodingContext(collectingMarks: ())
    let encoding = type.__typeEncoding(in: context)
    // A type without a valid encoding is rejected when its values are read or written.
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
        // A raw value may itself have a raw value. The mark of the outer value applies, because it reads the
        // inner value.
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
