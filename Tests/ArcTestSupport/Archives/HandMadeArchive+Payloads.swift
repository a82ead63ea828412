import ArcFormat

extension HandMadeArchive {
  package struct Column {
    package var declaringClass: Int
    package var key: String
    package var attributes: String
    package var flags: UInt8

    package init(declaringClass: Int = 0, key: String, attributes: String, flags: UInt8 = 0) {
      self.declaringClass = declaringClass
      self.key = key
      self.attributes = attributes
      self.flags = flags
    }
  }

  package struct ClassEntry {
    package var name: String
    /// The index of the superclass plus 1, as stored; 0 if there is none.
    package var superclass: Int
    package var columns: [Column]

    package init(name: String, superclass: Int = 0, columns: [Column] = []) {
      self.name = name
      self.superclass = superclass
      self.columns = columns
    }
  }

  /// Returns a column chunk of values with one byte each, in plain encoding.
  package static func chunk(_ values: [UInt8]) -> [UInt8] { chunk(values.count, encoding: 1, values) }

  /// Returns a column chunk of `count` values.
  package static func chunk(_ count: Int, encoding: UInt8, _ values: [UInt8]) -> [UInt8] {
    var body = ByteWriter()
    body.varint(count)
    body.fixed(encoding)
    body.append(values)
    var chunk = ByteWriter()
    chunk.varint(body.count)
    chunk.append(body.bytes)
    return chunk.bytes
  }
}

extension HandMadeArchive.Segment {
  /// Returns a class table of new classes.
  package static func classes(_ entries: [HandMadeArchive.ClassEntry], first: Int = 0) -> Self {
    var table = ByteWriter()
    table.varint(entries.count)
    for (offset, entry) in entries.enumerated() {
      table.varint(first + offset)
      table.string(entry.name)
      table.varint(entry.superclass)
      table.varint(0)
      table.varint(entry.columns.count)
      for column in entry.columns {
        table.varint(column.declaringClass)
        table.string(column.key)
        table.string(column.attributes)
        table.fixed(column.flags)
      }
    }
    return Self(kind: "CLSS", raw: table.bytes, first: first, count: entries.count)
  }

  /// Returns a segment of rows. A run is a class index and a length. Each class that occurs has a column
  /// count and chunks.
  package static func rows(
    runs: [(Int, Int)], classes: [(columnCount: Int, chunks: [[UInt8]])], first: Int = 0
  ) -> Self {
    var rows = ByteWriter()
    rows.varint(runs.count)
    for (classIndex, length) in runs {
      rows.varint(classIndex)
      rows.varint(length)
    }
    for (columnCount, chunks) in classes {
      rows.varint(columnCount)
      for chunk in chunks { rows.append(chunk) }
    }
    return Self(kind: "ROWS", raw: rows.bytes, first: first, count: runs.reduce(0) { $0 &+ $1.1 })
  }

  /// Returns the weak columns of an earlier segment of rows.
  package static func links(_ chunks: [[UInt8]], first: Int, count: Int) -> Self {
    Self(kind: "LINK", raw: Array(chunks.joined()), first: first, count: count)
  }

  /// Returns a segment of strings whose lengths have one byte.
  package static func strings(_ strings: [[UInt8]], first: Int = 0) -> Self {
    var table = ByteWriter()
    table.varint(strings.count)
    table.fixed(UInt8(1))
    for string in strings { table.fixed(UInt8(string.count)) }
    for string in strings { table.append(string) }
    return Self(kind: "STRS", raw: table.bytes, first: first, count: strings.count)
  }
}
