import ArcForeign
import ArcFormat

// What an import met, for people and for programs.

extension ImportReport {
  /// One line, or with all classes and notes.
  func lines(isLong: Bool) -> [String] {
    let objectCount = files.reduce(0) { $0 + $1.objectCount }
    let met = classes.count { $0.rowCount > 0 }
    var lines = [
      "imported: \(counted(objectCount, "object")) of \(counted(met, "class", "classes")), "
        + counted(files.count, "file")
    ]
    guard isLong else {
      return notes.isEmpty ? lines : lines + ["\(counted(notes.count, "note")): --report shows them"]
    }
    for file in files {
      let roots = file.roots.map { printableName($0) }.joined(separator: ", ")
      lines.append(
        "\(printable(file.name ?? "-")): \(file.format), \(counted(file.objectCount, "object")), roots \(roots)"
      )
    }
    for entry in classes {
      let original = entry.originalName.map { ", in the file '\(printableName($0))'" } ?? ""
      let superclass = entry.superclass.map { ": \(printableName($0))" } ?? ""
      lines.append(
        "class \(printableName(entry.name))\(superclass), \(counted(entry.rowCount, "row"))\(original)")
      for column in entry.columns {
        let rest = column.valueCount < entry.rowCount ? ", in \(grouped(column.valueCount))" : ""
        // What `Any` holds is the same everywhere.
        let type = column.type.replacing(/\$\(Any=[^)]*\)/, with: "$(Any)")
        lines.append("  \(printableName(column.key)) \(printable(type.cut(toScalars: 200).start))\(rest)")
      }
    }
    for note in notes {
      lines.append(
        "note: \(note.kind.text): \(grouped(note.count)), first \(printable(note.example.cut(toScalars: 200).start))"
      )
    }
    return lines
  }

  /// Writes the members of an open object.
  func write(to json: JSONOutput) throws {
    try json.member("format", "arc")
    try json.member("files") {
      try json.array(isPretty: true) {
        for file in files {
          try json.object {
            try json.member("name", optional: file.name)
            try json.member("format", file.format)
            try json.member("objects", file.objectCount)
            try json.member("roots") { try json.array { for root in file.roots { try json.string(root) } } }
          }
        }
      }
    }
    try json.member("classes") {
      try json.array(isPretty: true) {
        for entry in classes {
          try json.object {
            try json.member("name", entry.name)
            try json.member("originalName", optional: entry.originalName)
            try json.member("superclass", optional: entry.superclass)
            try json.member("rows", entry.rowCount)
            try json.member("columns") {
              try json.array {
                for column in entry.columns {
                  try json.object {
                    try json.member("key", column.key)
                    try json.member("type", column.type)
                    try json.member("values", column.valueCount)
                  }
                }
              }
            }
          }
        }
      }
    }
    try json.member("notes") {
      try json.array(isPretty: true) {
        for note in notes {
          try json.object {
            try json.member("kind", note.kind.rawValue)
            try json.member("count", note.count)
            try json.member("first", note.example)
          }
        }
      }
    }
  }
}
