/// A value of a document.
///
/// What is asked for as another kind than it is, is nil: nothing is converted.
public struct JSONNode: Sendable {
  /// The document that the value is in.
  public let document: JSONDocument
  package let index: Int

  package init(_ document: JSONDocument, _ index: Int) {
    self.document = document
    self.index = index
  }

  /// What kind of value it is.
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

  /// Whether it is `null`.
  public var isNull: Bool { kind == .null }

  /// The value of `true` or `false`; nil for any other.
  public var bool: Bool? {
    switch document.words[index].kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The value of a string; nil for any other.
  ///
  /// - Complexity: O(bytes).
  public var string: String? { kind == .string ? document.string(at: index) : nil }

  /// The value of a number; nil for any other.
  public var number: JSONNumber? {
    kind == .number ? JSONNumber(checked: document.string(at: index)) : nil
  }

  /// The number of elements of an array, or members of an object; 0 for any other value.
  public var count: Int { document.words[index].isContainer ? document.words[index].length : 0 }

  /// An element of an array; nil if there is none, or if it is no array.
  ///
  /// - Complexity: O(*n*), where *n* is the position; to read all use ``elements``.
  public subscript(position: Int) -> JSONNode? {
    document.element(position, of: index).map { JSONNode(document, $0) }
  }

  /// The value of a member of an object, the first or last with that name as the document has it; nil if
  /// there is none, or if it is no object.
  ///
  /// - Complexity: O(*n*) in the number of members.
  public subscript(name: String) -> JSONNode? {
    document.member(name, of: index).map {
      JSONNode(document, $0)
    }
  }

  /// The elements of an array; none of any other value.
  public var elements: JSONElements { JSONElements(self) }

  /// The members of an object in the order of the text, all of them; none of any other value.
  public var members: JSONMembers { JSONMembers(self) }

  /// How many bytes of the text come before the value.
  public var byteOffset: Int { document.byteOffset(of: index) }

  /// The line and the column at which the value begins, both from 1; a column counts Unicode scalars.
  ///
  /// - Complexity: O(bytes before the value).
  public var place: (line: Int, column: Int) { document.text.place(of: byteOffset) }
}

extension JSONNode {
  /// The kinds of values that JSON has.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool
    /// A number, of any size.
    case number
    /// A text in quotes.
    case string
    /// Elements in order.
    case array
    /// Members with names.
    case object
  }
}

/// The elements of an array.
public struct JSONElements: Sequence, IteratorProtocol, Sendable {
  private let document: JSONDocument
  private var entries: JSONEntries

  init(_ node: JSONNode) {
    document = node.document
    entries = document.elements(of: node.index)
  }

  /// The next element; nil behind the last one.
  public mutating func next() -> JSONNode? { entries.next().map { JSONNode(document, $0) } }

  /// The number of elements that are left.
  public var underestimatedCount: Int { entries.underestimatedCount }
}

/// The members of an object.
public struct JSONMembers: Sequence, IteratorProtocol, Sendable {
  private let document: JSONDocument
  private var entries: JSONEntries

  init(_ node: JSONNode) {
    document = node.document
    entries = document.keys(of: node.index)
  }

  /// The next member; nil behind the last one.
  public mutating func next() -> (name: String, value: JSONNode)? {
    entries.next().map { (document.string(at: $0), JSONNode(document, $0 + 1)) }
  }

  /// The number of members that are left.
  public var underestimatedCount: Int { entries.underestimatedCount }
}
