/// A value in a ``JSONDocument``.
///
///     let name = document.root["users"]?[0]?["name"]?.string
///
/// Accessors do not convert values. For example, ``string`` returns nil for a number, and ``number`` returns
/// nil for a string.
public struct JSONNode: Sendable {
  /// The document that contains the value.
  public let document: JSONDocument
  /// The index of the value's entry in the document.
  package let index: Int

  /// Creates a node for the entry at an index.
  package init(_ document: JSONDocument, _ index: Int) {
    self.document = document
    self.index = index
  }

  /// The kind of the value.
  public var kind: Kind {
    switch document.words[index].kind {
    case .null: .null
    case .false, .true: .bool
    case .integer, .fraction: .number
    case .asciiString, .string, .escapedString: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Whether the value is `null`.
  public var isNull: Bool { kind == .null }

  /// The Boolean. Nil if the value is not `true` or `false`.
  public var bool: Bool? {
    switch document.words[index].kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The string. Nil if the value is not a string.
  ///
  /// - Complexity: O(bytes of the string).
  public var string: String? { kind == .string ? document.string(at: index) : nil }

  /// The number. Nil if the value is not a number.
  public var number: JSONNumber? {
    kind == .number ? JSONNumber(checked: document.string(at: index)) : nil
  }

  /// The number of elements or members. 0 if the value is not an array or object.
  public var count: Int { document.words[index].isContainer ? document.words[index].length : 0 }

  /// The element at an index of an array. Nil if the value has no such element.
  ///
  /// - Parameter position: the index, beginning with 0.
  /// - Complexity: O(`position`). To visit all elements, use ``elements``.
  public subscript(position: Int) -> JSONNode? {
    document.element(position, of: index).map { JSONNode(document, $0) }
  }

  /// The value of the member with a name. Nil if this node is not an object with such a member.
  ///
  /// If several members have this name, the document's `duplicateKeys` determines which member is used.
  ///
  /// - Parameter name: the name of the member.
  /// - Complexity: O(*n*) in the number of members.
  public subscript(name: String) -> JSONNode? {
    document.member(name, of: index).map {
      JSONNode(document, $0)
    }
  }

  /// The elements of an array. Empty if the value is not an array.
  public var elements: JSONElements { JSONElements(self) }

  /// The members of an object in the order of the text. Empty if the value is not an object.
  ///
  /// The sequence includes members with duplicate names.
  public var members: JSONMembers { JSONMembers(self) }

  /// The offset of the value in the text, in bytes.
  public var byteOffset: Int { document.byteOffset(of: index) }

  /// The line and the column of the value's first character, both counted from 1.
  ///
  /// Columns count Unicode scalars.
  ///
  /// - Complexity: O(bytes before the value).
  public var position: (line: Int, column: Int) { document.text.lineAndColumn(of: byteOffset) }
}

extension JSONNode {
  /// A kind of JSON value.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool
    /// A number of any size.
    case number
    /// A string.
    case string
    /// An array.
    case array
    /// An object.
    case object
  }
}

/// The elements of an array, as a sequence.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let document: JSONDocument
  private var entries: JSONEntries

  init(_ node: JSONNode) {
    document = node.document
    entries = document.elements(of: node.index)
  }

  /// Returns the next element. Nil after the last element.
  public mutating func next() -> JSONNode? { entries.next().map { JSONNode(document, $0) } }

  /// The number of remaining elements.
  public var underestimatedCount: Int { entries.underestimatedCount }
}

/// The members of an object, as a sequence.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  private let document: JSONDocument
  private var entries: JSONEntries

  init(_ node: JSONNode) {
    document = node.document
    entries = document.keys(of: node.index)
  }

  /// Returns the next member. Nil after the last member.
  public mutating func next() -> (name: String, value: JSONNode)? {
    entries.next().map { (document.string(at: $0), JSONNode(document, $0 + 1)) }
  }

  /// The number of remaining members.
  public var underestimatedCount: Int { entries.underestimatedCount }
}
