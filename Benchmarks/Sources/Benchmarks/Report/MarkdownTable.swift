/// A Markdown table whose columns are aligned.
struct MarkdownTable {
  private var rows: [[String]]
  /// The columns that do not contain numbers.
  private let leftAligned: Set<Int>

  init(_ header: [String], leftAligned: Set<Int>) {
    rows = [header]
    self.leftAligned = leftAligned
  }

  mutating func append(_ row: [String]) { rows.append(row) }

  /// The text of all rows, with a line of dashes below the header.
  var text: String {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      "| " + row.indices.map { pad(row[$0], to: widths[$0], column: $0) }.joined(separator: " | ") + " |"
    }
    let rule = widths.indices.map { column in
      leftAligned.contains(column)
        ? String(repeating: "-", count: widths[column] + 2)
        : String(repeating: "-", count: widths[column] + 1) + ":"
    }
    return ([lines[0], "|" + rule.joined(separator: "|") + "|"] + lines.dropFirst()).joined(separator: "\n")
  }

  private func pad(_ text: String, to width: Int, column: Int) -> String {
    let space = String(repeating: " ", count: width - text.count)
    return leftAligned.contains(column) ? text + space : space + text
  }
}
