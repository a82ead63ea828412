import ArcFormat
import ArcRuntime

/// What the program's types say of the parts of their values beyond the encoding: for other formats than
/// archives, which name and check each part by itself.
///
/// Collected from a type's own description, as ``ColumnMarks`` are.
package struct TypeNotes {
  /// Throws for the next value of a column if it is none of the program's type.
  package typealias Check = (ColumnReader) throws -> Void

  /// The structures and enumerations, and the associated values of cases, by node.
  package private(set) var records: [Int: RecordNote] = [:]
  /// What reads a single value of a node, and throws for one that its type refuses.
  package private(set) var checks: [Int: Check] = [:]
  /// What reads an element of a set or a key of a dictionary, by the node of these.
  package private(set) var keys: [Int: KeyReader] = [:]

  /// The nodes of references that are followed on demand.
  package private(set) var lazyNodes: Set<Int> = []

  /// Reads a value by which another one is found.
  package typealias KeyReader = (ColumnReader) throws -> AnyHashable

  /// What types say whose first nodes are known. For records alone nothing is asked of types without any.
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

  /// Adds what a type says whose first node is `root`.
  mutating func add(_ type: any ArchivableValue.Type, from root: Int) {
    let context = __TypeEncodingContext(collectingNotes: ())
    let encoding = type.__typeEncoding(in: context)
    checks[root] = { _ = try type.__read(from: $0) }
    // A type without a valid encoding is rejected where its values are read or written.
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

  /// Adds a note. Of several for a node the outermost type's counts, which comes first.
  private mutating func add(_ note: TypeNote, to node: Int) {
    switch note {
    case .value(let type): if checks[node] == nil { checks[node] = { _ = try type.__read(from: $0) } }
    case .key(let read): keys[node] = keys[node] ?? read
    case .lazy: lazyNodes.insert(node)
    case .record(let record): if !record.parts.isEmpty { records[node] = records[node] ?? record }
    }
  }

  /// Adds what is said of associated values to their nodes.
  private mutating func addPayloads(of layout: ColumnLayout.Node, in node: Int, from root: Int) {
    guard layout.kind == .enumeration, let record = records[node] else { return }
    for (part, payload) in zip(record.parts, layout.payloads) {
      guard let payload else { continue }
      records[root + layout.children[payload]] = RecordNote(
        type: record.type, parts: part.payload, isPayload: true)
    }
  }
}

/// What is said of a structure or enumeration, or of the associated values of a case.
package struct RecordNote {
  /// The type; of associated values that of their enumeration.
  package let type: any ArchivableValue.Type
  /// The fields, or the cases.
  package var parts: [Part]
  /// Whether the parts are associated values.
  package var isPayload = false

  /// A field, a case, or an associated value.
  package struct Part {
    /// Its name in the program; empty for none.
    package var name: String
    /// What other modules are told of it.
    package var marks: [any __PropertyMark]
    /// Whether it has an initial value where there is no other.
    package var hasInitialValue: Bool
    /// Whether it is a weak reference.
    package var isWeak: Bool
    /// Whether its type is optional, so that it is nil where there is no other value.
    var isOptional = false
    /// The associated values of a case.
    package var payload: [Part]
    /// Gets and sets a field by its name; nil for what is none.
    var access: (any FieldAccess)?

    /// Describes a part of which little is known.
    package init(
      name: String, marks: [any __PropertyMark] = [], hasInitialValue: Bool = false, isWeak: Bool = false,
      payload: [Part] = []
    ) {
      (self.name, self.marks, self.hasInitialValue) = (name, marks, hasInitialValue)
      (self.isWeak, self.payload) = (isWeak, payload)
    }
  }
}

/// One note of a type, in the order in which types describe themselves.
enum TypeNote {
  /// Values of a type stand there.
  case value(any ArchivableValue.Type)
  /// What stands there is an element of a set or a key of a dictionary.
  case key(TypeNotes.KeyReader)
  /// A reference that is followed on demand stands there.
  case lazy
  /// A structure or enumeration stands there.
  case record(RecordNote)
}

extension __TypeEncodingContext {
  /// The encoding of a type that is a part of another.
  func part(_ type: any ArchivableValue.Type) -> TypeEncoding {
    noted(.value(type)) { type.__typeEncoding(in: self) }
  }

  /// The encoding of a type by whose values those of a collection are told apart.
  func key<Key: Hashable & ArchivableValue>(_ type: Key.Type) -> TypeEncoding {
    noted(.key { AnyHashable(try Key.__read(from: $0)) }) { part(type) }
  }
}
