import ArcFormat
import ArcRuntime

extension ArchiveFile {
  /// Returns the digest of the content of the archive: a SHA-256, as 64 hexadecimal digits in small letters.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     let other = try ArchiveFile(path: path)
  ///     print(try file.digest() == other.digest())
  ///
  /// Two archives with the same rows have the same digest, whatever their compression, segments and metadata
  /// are, and whichever program wrote them. The order of sets and dictionaries has no meaning. If sets or
  /// dictionaries contain references, compare canonical archives, because the order of these references
  /// determines the order of the rows. Spec: 16-digest.
  ///
  /// - Returns: the digest.
  /// - Throws: the error of ``verify()`` if the archive is damaged.
  /// - Complexity: O(values).
  public func digest() throws -> String {
    try verify()
    var digest = DigestBuilder(self)
    for row in 0..<UInt32(rowCount) { try digest.add(object(ObjectID(rawValue: row))) }
    return digest.finish().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Computes the digest of an archive from its rows. Spec: 16-digest.
private struct DigestBuilder {
  private let file: ArchiveFile
  /// The hash of each column of each class with rows. The classes are in the order of their first rows.
  private var hashes: [(classIndex: Int, columns: [SHA256])] = []
  /// For each class index, the position in `hashes`; nil until the class has a row.
  private var positions: [Int?]
  /// The runs of rows of one class: the position of the class in `hashes`, and the number of rows.
  private var runs: [(position: Int, count: Int)] = []

  init(_ file: ArchiveFile) {
    self.file = file
    positions = Array(repeating: nil, count: file.classes.count)
  }

  /// Adds the next row.
  mutating func add(_ object: ArchiveObject) {
    let index = object.classIndex
    let position = positions[index] ?? hashes.count
    if positions[index] == nil {
      positions[index] = position
      hashes.append((index, file.classes[index].columns.map { _ in SHA256() }))
    }
    if runs.last?.position == position {
      runs[runs.count - 1].count += 1
    } else {
      runs.append((position, 1))
    }
    let layout = file.layouts[index]
    var form = DigestForm(layout: layout)
    var next = 0
    for property in object.properties {
      // Keyed columns without a value are not among the properties.
      for column in next..<property.columnIndex { hashes[position].columns[column].add([0]) }
      next = property.columnIndex + 1
      let isKeyed = file.classes[index].columns[property.columnIndex].flags.contains(.keyed)
      if isKeyed { form.append(byte: 1) }
      form.append(property.value, node: layout.valueNode(ofRoot: property.columnIndex, isKeyed: isKeyed))
      hashes[position].columns[property.columnIndex].add(form.takeBytes())
    }
    for column in next..<hashes[position].columns.count { hashes[position].columns[column].add([0]) }
  }

  /// Returns the 32 bytes of the digest.
  func finish() -> [UInt8] {
    var data = ByteWriter()
    data.append(Array("ARCD".utf8) + [1])
    data.varint(runs.count)
    for run in runs {
      data.varint(run.position)
      data.varint(run.count)
    }
    data.varint(hashes.count)
    for (classIndex, columns) in hashes {
      let description = file.classes[classIndex]
      data.string(description.name)
      let superclasses = sequence(first: description) { each in each.superclassIndex.map { file.classes[$0] }
      }
      .dropFirst().map(\.name)
      data.varint(superclasses.count)
      for name in superclasses { data.string(name) }
      data.varint(description.version)
      data.varint(columns.count)
      for (column, hash) in zip(description.columns, columns) {
        data.string(file.classes[column.declaringClassIndex].name)
        data.string(column.key)
        data.string(column.attributes.type?.description ?? "")
        data.append([column.flags.contains(.keyed) ? 1 : 0])
        data.append(hash.digest())
      }
    }
    return SHA256.digest(of: data.takeBytes())
  }
}

/// The bytes of values for a column digest. Spec: 16-digest, section 1.
private struct DigestForm: ~Copyable {
  private let layout: ColumnLayout
  private var writer = ByteWriter()

  init(layout: ColumnLayout) { self.layout = layout }

  /// Returns the bytes that were appended since the last call.
  mutating func takeBytes() -> [UInt8] { writer.takeBytes() }

  mutating func append(byte: UInt8) { writer.fixed(byte) }

  /// Appends a value of a node.
  mutating func append(_ value: ArchiveValue, node index: Int) {
    let node = layout.nodes[index]
    switch value {
    case _ where node.kind == .optional:
      let content = value.unwrapped
      append(byte: content == nil ? 0 : 1)
      if let content { appendChild(content, node.children[0]) }
    // Only optionals have these values, and the first case handles them.
    case .null, .nestedNull: break
    case .bool(let value): append(byte: value ? 1 : 0)
    case .integer(let value):
      append(UInt128(truncatingIfNeeded: value), byteCount: node.kind.integerByteCount)
    case .unsigned(let value): append(value, byteCount: 16)
    case .float(let value) where node.kind == .float16: append(UInt128(value.halfBits), byteCount: 2)
    case .float(let value): append(UInt128(value.bitPattern), byteCount: 4)
    case .double(let value), .date(let value): append(UInt128(value.bitPattern), byteCount: 8)
    case .string(let text), .decimal(let text): writer.string(text)
    case .data(let data):
      writer.varint(data.count)
      writer.append(data)
    case .uuid(let data): writer.append(data)
    case .url(let text, let base):
      writer.string(text)
      append(byte: base == nil ? 0 : 1)
      if let base { writer.string(base) }
    case .reference(let id): append(UInt128(id?.rawValue ?? 0), byteCount: 4)
    case .array(let elements):
      writer.varint(elements.count)
      for element in elements { appendChild(element, node.children[0]) }
    case .set(let elements): append(sorted: elements.map { [$0] }, node.children)
    case .dictionary(let entries): append(sorted: entries.map { [$0.key, $0.value] }, node.children)
    case .structure(_, let fields):
      for (field, child) in zip(fields, node.children) { appendChild(field.value, child) }
    case .enumeration(_, let name, let payload):
      let number = layout.position(ofCase: name, in: index) ?? 0
      writer.varint(number)
      if let payload, let child = node.payloads[number] { appendChild(payload, node.children[child]) }
    }
  }

  /// Appends the elements of a set, or the entries of a dictionary, in the order of their bytes.
  private mutating func append(sorted parts: [[ArchiveValue]], _ nodes: [Int]) {
    writer.varint(parts.count)
    var form = DigestForm(layout: layout)
    var forms: [[UInt8]] = []
    for part in parts {
      for (value, node) in zip(part, nodes) { form.appendChild(value, node) }
      forms.append(form.takeBytes())
    }
    for form in forms.sorted(by: { $0.lexicographicallyPrecedes($1) }) { writer.append(form) }
  }

  private mutating func appendChild(_ value: ArchiveValue, _ node: Int) {
    StackExtension.step { append(value, node: node) }
  }

  private mutating func append(_ value: UInt128, byteCount: Int) {
    for index in 0..<byteCount { append(byte: UInt8(truncatingIfNeeded: value >> UInt128(8 * index))) }
  }
}

extension ColumnKind {
  /// The number of bytes of an integer of this kind.
  fileprivate var integerByteCount: Int {
    switch self {
    case .int8, .uint8: 1
    case .int16, .uint16: 2
    case .int32, .uint32: 4
    case .int64, .uint64: 8
    default: 16
    }
  }
}
