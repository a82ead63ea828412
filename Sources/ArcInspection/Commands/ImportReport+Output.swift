import ArcForeign
import ArcFormat

// The report of an import, as text and as JSON.

extension ImportReport {
  /// Adds the files, classes and notes to a report. The text consists of one or two lines, unless `isLong` is
  /// true.
  func fill(_ report: inout Report, isLong: Bool) {
    let objectCount = files.reduce(0) { $0 + $1.objectCount }
    let usedClassCount = classes.count { $0.rowCount > 0 }
    report.line(
      "imported: \(counted(objectCount, "object")) of \(counted(usedClassCount, "class", "classes")), "
        + "\(counted(files.count, "file"))")
    if isLong {
      addLines(to: &report)
    } else if !notes.isEmpty {
      report.line("\(counted(notes.count, "note")): --report shows them")
    }
    report.members(["format": "arc"])
    report.list("files", files) {
      ["name": $0.name, "format": $0.format, "objects": $0.objectCount, "roots": $0.roots]
    }
    report.list("classes", classes) {
      [
        "name": $0.name, "originalName": $0.originalName, "superclass": $0.superclass, "rows": $0.rowCount,
        "columns": ReportValue.records($0.columns) {
          ["key": $0.key, "type": $0.type, "values": $0.valueCount]
        },
      ]
    }
    report.list("notes", notes) { ["kind": $0.kind.rawValue, "count": $0.count, "first": $0.example] }
  }

  private func addLines(to report: inout Report) {
    for file in files {
      let roots = file.roots.map { printableName($0) }.joined(separator: ", ")
      report.line(
        "\(printable(file.name ?? "-")): \(file.format), \(counted(file.objectCount, "object")), roots \(roots)"
      )
    }
    for entry in classes {
      let original = entry.originalName.map { ", in the file '\(printableName($0))'" } ?? ""
      let superclass = entry.superclass.map { ": \(printableName($0))" } ?? ""
      report.line(
        "class \(printableName(entry.name))\(superclass), \(counted(entry.rowCount, "row"))\(original)")
      for column in entry.columns {
        let rest = column.valueCount < entry.rowCount ? ", in \(grouped(column.valueCount))" : ""
        // The type of `Any` lists the same alternatives in all columns.
        let type = column.type.replacing(/\$\(Any=[^)]*\)/, with: "$(Any)")
        report.line("  \(printableName(column.key)) \(printable(type.cut(toScalars: 200).start))\(rest)")
      }
    }
    for note in notes {
      report.line(
        "note: \(note.kind.text): \(grouped(note.count)), first \(printable(note.example.cut(toScalars: 200).start))"
      )
    }
  }
}
