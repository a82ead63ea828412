import ArcFormat
import ArcRuntime

/// The descriptions that the program's types supply for the parts of their values, in addition to the
/// encoding. Formats other than archives use the descriptions to name and check each part.
///
/// The notes are collected while the types are described, as the marks of ``ColumnMarks`` are.
package struct TypeNotes {
  /// Reads the next value of a column, and throws if it is not a value of the program's type.
  package typealias Check = (ColumnReader) throws -> Void

  /// The structures and enumerations, and the associated values of cases, by node.
  package private(set) var records: [Int: RecordNote] = [:]
  /// The checks of single values, by node.
  package private(set) var checks: [Int: Check] = [:]
  /// The readers of set elements and dictionary keys, by their node.
  package private(set) var keys: [Int: KeyReader] = [:]

  /// The nodes of lazy references.
  package private(set) var lazyNodes: Set<Int> = []

  /// Reads an element of a set or a key of a dictionary.
  package typealias KeyReader = (ColumnReader) throws -> AnyHashable

  /// Collects the notes of types. `root` is the first node of each type. If `recordsOnly` is true, types
  /// without structures and enumerations are skipped.
  init(
    of types: [(root: Int, type: any ArchivableValue.Type)], in layout: ColumnLayout,
    recordsOnly: Bool = false
  ) {
    for (root, type) in types {
      let hasRecords = layout.nodes(ofRoot: layout.root(of: root)).contains {
        layout.nodes[$0].kind == .structure || layout.nodes[$0].kind == .enumeration
      }
      if hasRecords || !recordsOnly { add(type, from: root) }
    }
  }

  /// Adds the notes of a type whose first node is `root`.
  mutating func add(_ type: any ArchivableValue.Type, from root: Int) {
    let context = __TypeEncodingContext(collectingNotes: ())
    let encoding = type.__typeEncoding(in: context)
    checks[root] = { _ = try type.__read(from: $0) }
    // A type without a valid encoding is rejected when its values are read or written.
    guard let notes = context.notes, !notes.isEmpty, let marked = try? ColumnLayout(of: encoding),
      let plain = try? ColumnLayout(of: TypeEncoding(of: type))
    else { return }
    var isSeen = [Bool](repeating: false, count: marked.nodes.count)
    var pending = [(marked: marked.roots[0], plain: plain.roots[0])]
    while let (index, node) = pending.popLast() {
      if isSeen[index] { continue }
      isSeen[index] = true
      let description = marked.nodes[index]
      if let number = ColumnMarks.number(of: description.name), notes.indices.contains(number) {
        add(notes[number], to: root + node)
        pending.append((description.children[0], node))
      } else {
        addPayloads(of: plain.nodes[node], in: root + node, from: root)
        for (child, other) in zip(description.children, plain.nodes[node].children) {
          pending.append((child, other))
        }
      }
    }
  }

  /// Adds a note to a node. If a node gets several notes of one kind, only the first is stored. It is the
  /// note of the outermost type.
  private mutating func add(_ note: TypeNote, to node: Int) {
    switch note {
    case .value(let type): if checks[node] == nil { checks[node] = { _ = try type.__read(from: $0) } }
    case .key(let read): keys[node] = keys[node] ?? read
    case .lazy: lazyNodes.insert(node)
    case .record(let record): if !record.parts.isEmpty { records[node] = records[node] ?? record }
    }
  }

  /// Adds the notes of associated values to their nodes.
  private mutating func addPayloads(of layout: ColumnLayout.Node, in node: Int, from root: Int) {
    guard layout.kind == .enumeration, let record = records[node] else { return }
    for (part, payload) in zip(record.parts, layout.payloads) {
      guard let payload else { continue }
      records[root + layout.children[payload]] = RecordNote(
        type: record.type, parts: part.payload, isPayload: true)
    }
  }
}

/// The description of a structure, an enumeration, or the associated values of a case.
package struct RecordNote {
  /// The type. For associated values, the type of their enumeration.
  package let type: any ArchivableValue.Type
  /// The fields, or the cases.
  package var parts: [Part]
  /// Whether `parts` are the associated values of a case, not fields or cases.
  package var isPayload = false

  /// A field, a case, or an associated value.
  package struct Part {
    /// The name of the part in the program. Empty if it has no name.
    package var name: String
    /// The marks on the part for other modules, for example the JSON key.
    package var marks: [any __PropertyMark]
    /// Whether the part has an initial value, which it gets if the input has no value for the part.
    package var hasInitialValue: Bool
    /// Whether the part is a weak reference.
    package var isWeak: Bool
    /// Whether the type of the part is optional, so that the part is nil if the input has no value for it.
    var isOptional = false
    /// The associated values of a case.
    package var payload: [Part]
    /// Reads and sets a field. Nil if the part is not a field.
    var access: (any FieldAccess)?
    /// The type as which the value of a field is archived. Nil if the part is a case or an associated value,
    /// not a field.
    var archivedType: (any ArchivableValue.Type)?

    /// Creates the description of a field, a case or an associated value.
    package init(
      name: String, marks: [any __PropertyMark] = [], hasInitialValue: Bool = false, isWeak: Bool = false,
      payload: [Part] = []
    ) {
      (self.name, self.marks, self.hasInitialValue) = (name, marks, hasInitialValue)
      (self.isWeak, self.payload) = (isWeak, payload)
    }
  }
}

/// A note about a node of a column: what the program's type at this node adds to the type encoding. The notes
/// have the order in which the types were described.
enum TypeNote {
  /// The node has values of a type.
  case value(any ArchivableValue.Type)
  /// The node has elements of a set or keys of a dictionary.
  case key(TypeNotes.KeyReader)
  /// The node has lazy references.
  case lazy
  /// The node has values of a structure or enumeration.
  case record(RecordNote)
}

extension __TypeEncodingContext {
  /// Returns the encoding of a type that is a part of another type. Records the type in a note.
  func part(_ type: any ArchivableValue.Type) -> TypeEncoding {
    noted(.value(type)) { type.__typeEncoding(in: self) }
  }

  /// Returns the encoding of the type of a set's elements or a dictionary's keys. Adds a note with a function
  /// that reads such a key as an `AnyHashable`, so that keys can be compared.
  func key<Key: Hashable & ArchivableValue>(_ type: Key.Type) -> TypeEncoding {
    noted(.key { AnyHashable(try Key.__read(from: $0)) }) { part(type) }
  }
}
