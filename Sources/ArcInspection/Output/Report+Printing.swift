/// The format in which a report is printed.
enum OutputFormat {
  /// Lines of text for people.
  case text
  /// One JSON object.
  case json
  /// One JSON object per line, for programs that read one object at a time.
  case jsonLines
}

extension Page {
  /// The maximum width of a column. Wider cells shift the cells after them in their row.
  private static let widestColumn = 60

  /// Writes the lines of a report.
  func write(_ report: Report) throws {
    for part in report.parts {
      switch part {
      case .line(let words, let level): try line(words.text(in: style), level: level)
      case .members: break
      case .fields(let fields, let level):
        let rows = fields.compactMap { field -> [Words]? in
          guard let label = field.label, let value = field.value.reportValue.words(.plain) else { return nil }
          return [Words(label, .key), value]
        }
        try write(rows, level: level)
      case .table(let table): try write(table)
      case .list(_, let each): try each(write)
      case .group(_, _, let group): try write(group())
      }
    }
    if let failure = report.failure { throw failure }
  }

  private func write(_ table: Table) throws {
    guard let level = table.level else { return }
    let shown = table.heads.indices.filter { table.heads[$0].title != nil }
    var rows: [[Words]] = []
    try table.forEachRow { value in
      var row = try shown.map { try value($0).words(table.heads[$0].role) }
      // Empty cells at the end of a row are removed, so that no line ends with spaces.
      while case .some(.none) = row.last { row.removeLast() }
      rows.append(row.map { $0 ?? Words("") })
    }
    if !table.total.isEmpty { rows.append(table.total.map { $0.reportValue.words(.plain) ?? Words("") }) }
    let titles = shown.map { table.heads[$0].title ?? "" }
    if titles.contains(where: { !$0.isEmpty }) {
      let header = titles.enumerated().map { column, title in
        Words(title, .mark, isNumber: rows.contains { column < $0.count && $0[column].isNumber })
      }
      rows.insert(header, at: 0)
    }
    try write(rows, level: level)
  }

  /// Writes cells in columns. A column is as wide as its widest cell, at most `widestColumn`. Numbers are
  /// aligned right.
  private func write(_ rows: [[Words]], level: Int) throws(OutputFailure) {
    let counts = rows.map { $0.map(\.count) }
    let widths = (0..<(rows.map(\.count).max() ?? 0)).map { column in
      min(counts.map { column < $0.count ? $0[column] : 0 }.max() ?? 0, Self.widestColumn)
    }
    for (row, counts) in zip(rows, counts) {
      var text = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: max(0, widths[column] - counts[column]))
        let painted = cell.text(in: style)
        if column > 0 { text += "  " }
        text += cell.isNumber ? padding + painted : painted
        if !cell.isNumber, column + 1 < row.count { text += padding }
      }
      try line(text, level: level)
    }
  }
}

extension JSONOutput {
  /// Writes the members of a report to the open object.
  func write(_ report: Report) throws {
    for part in report.parts {
      switch part {
      case .line: break
      case .members(let members):
        for (key, value) in members { try member(key, value.reportValue) }
      case .fields(let fields, _):
        for field in fields { if let key = field.key { try member(key, field.value.reportValue) } }
      case .table(let table):
        if let key = table.key {
          try member(key) { try array(isPretty: true) { try writeEntries(of: part) } }
        }
      case .list(let key, _): try member(key) { try array(isPretty: true) { try writeEntries(of: part) } }
      case .group(let key, let isPretty, let group):
        try member(key) { try object(isPretty: isPretty) { try write(group()) } }
      }
    }
    if let failure = report.failure { throw failure }
  }

  /// Writes each entry of the lists and tables in a report as an object.
  func writeEntries(of report: Report) throws {
    for part in report.parts { try writeEntries(of: part) }
    if let failure = report.failure { throw failure }
  }

  private func writeEntries(of part: Report.Part) throws {
    switch part {
    case .list(_, let each):
      try each { entry in
        try checkLimit()
        try object { try write(entry) }
      }
    case .table(let table) where table.key != nil:
      try table.forEachRow { value in
        try checkLimit()
        try object {
          for (column, head) in table.heads.enumerated() {
            if let key = head.key { try member(key, value(column)) }
          }
        }
      }
    case .line, .members, .fields, .table, .group: break
    }
  }

  /// Writes a member, unless its value is absent.
  private func member(_ key: String, _ value: ReportValue) throws {
    if case .absent = value { return }
    try member(key) { try write(value) }
  }

  /// Writes a value of a report.
  func write(_ value: ReportValue) throws {
    switch value {
    case .null, .absent: try null()
    case .bool(let flag): try bool(flag)
    case .number(let number): try self.number(number)
    case .text(let text), .name(let text): try string(text)
    case .words(_, let value): try write(value.reportValue)
    case .archived(let value): try self.value(value)
    case .list(let each):
      try array {
        try each { element in
          try checkLimit()
          try write(element.reportValue)
        }
      }
    case .members(let members):
      try object { for (key, value) in members { try member(key, value.reportValue) } }
    }
  }
}
