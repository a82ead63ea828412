import ArcFormat
import ArcRuntime

/// Encodes a `Codable` value as a tree.
///
/// Containers share their nodes with the encoder, because a value may add to all its containers until its
/// `encode(to:)` returns. The tree is then built from the nodes.
struct TreeEncoder: Encoder {
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { context.userInfo }
  private let context: ArchiveContext
  fileprivate let node: TreeNode

  private init(_ node: TreeNode, path: [any CodingKey], context: ArchiveContext) {
    self.node = node
    codingPath = path
    self.context = context
  }

  /// Returns the tree of a value.
  ///
  /// - Throws: `limitExceeded` if the value contains itself; otherwise the errors of the value's
  ///   `encode(to:)`.
  static func tree(of value: any Encodable, in context: ArchiveContext) throws -> CodingTree {
    let node = TreeNode()
    try TreeEncoder(node, path: [], context: context).encode(value)
    return try node.takeTree()
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginFields()
    return KeyedEncodingContainer(KeyedTreeEncoder<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginList()
    return UnkeyedTreeEncoder(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// Returns the encoder of a part of the value.
  fileprivate func encoder(for node: TreeNode, at key: any CodingKey) -> TreeEncoder {
    TreeEncoder(node, path: codingPath + [key], context: context)
  }
}

// The protocols have default implementations for 128-bit integers, which throw. So each container implements
// them explicitly.

extension TreeEncoder: SingleValueEncodingContainer {
  func encodeNil() { node.content = .tree(.null) }
  func encode(_ value: Int128) { node.content = .tree(.wideInteger(value)) }
  func encode(_ value: UInt128) { node.content = .tree(.wideUnsigned(value)) }

  /// Encodes a value as the content of the node. If `CodingTree` has a case for the type, such as `date`, the
  /// content is this case. An archivable object is encoded as a reference. Any other value is encoded by its
  /// `encode(to:)`.
  func encode<Value: Encodable>(_ value: Value) throws {
    if let tree = CodingTree(primitive: value) {
      node.content = .tree(tree)
    } else if type(of: value) is AnyClass, let object = value as? any Archivable {
      node.content = .tree(.object(AnyReference(object: object)))
    } else {
      guard codingPath.count < CodingTree.maximumDepth else {
        throw ArchiveError(
          .limitExceeded,
          found: "a value of type '\(Value.self)' nested more than \(CodingTree.maximumDepth) levels deep",
          expected: "at most \(CodingTree.maximumDepth) nested levels, and no value that contains itself",
          remedy: "mark the classes in the value with @Archivable, so that they are archived as objects")
      }
      try StackExtension.call { try value.encode(to: self) }
      if let type = Value.self as? any CodedWithoutOrder.Type { node.unordered = type.codedUnit }
    }
  }
}

/// A collection whose elements have no order and are encoded in an arbitrary order.
package protocol CodedWithoutOrder {
  /// Whether the elements are entries, as in a dictionary. If such a collection does not encode its values by
  /// key, it encodes keys and values alternately.
  static var hasEntries: Bool { get }
}

extension CodedWithoutOrder {
  fileprivate static var codedUnit: CodedList.Unit { hasEntries ? .entry : .element }
}

extension Set: CodedWithoutOrder {
  package static var hasEntries: Bool { false }
}

extension Dictionary: CodedWithoutOrder {
  package static var hasEntries: Bool { true }
}

/// Encodes values by key as the fields of a tree.
private struct KeyedTreeEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: TreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func part(_ key: any CodingKey) -> TreeEncoder {
    encoder.encoder(for: encoder.node.addField(key.stringValue), at: key)
  }

  mutating func encodeNil(forKey key: Key) { part(key).encodeNil() }
  mutating func encode(_ value: Int128, forKey key: Key) { part(key).encode(value) }
  mutating func encode(_ value: UInt128, forKey key: Key) { part(key).encode(value) }
  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try part(key).encode(value)
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { part(key).container(keyedBy: type) }
  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    part(key).unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { part(TreeKey.super) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { part(key) }
}

/// Encodes values as the elements of a list in a tree.
private struct UnkeyedTreeEncoder: UnkeyedEncodingContainer {
  let encoder: TreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.elementCount }

  private func next() -> TreeEncoder {
    let index = count
    return encoder.encoder(for: encoder.node.addElement(), at: TreeKey(intValue: index))
  }

  mutating func encodeNil() { next().encodeNil() }
  mutating func encode(_ value: Int128) { next().encode(value) }
  mutating func encode(_ value: UInt128) { next().encode(value) }
  mutating func encode<Value: Encodable>(_ value: Value) throws { try next().encode(value) }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { next().container(keyedBy: type) }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { next().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { next() }
}

/// A part of a value that is being encoded.
private final class TreeNode {
  enum Content {
    case tree(CodingTree)
    case list([TreeNode])
    case fields(TreeFields)
  }

  /// The content of the part. If the value encodes nothing, this is an empty container of fields, as in JSON.
  var content = Content.fields(TreeFields())
  /// How the values are sorted if the encoded collection has no order: as single elements, or as entries of a
  /// key and a value. Nil if the values stay in the order in which they were encoded.
  var unordered: CodedList.Unit?

  /// Makes the node a keyed container, unless it already is one. A value may request the container several
  /// times.
  func beginFields() {
    if case .fields = content { return }
    content = .fields(TreeFields())
  }

  /// Makes the node a list, unless it already is one. A value may request the container several times.
  func beginList() {
    if case .list = content { return }
    content = .list([])
  }

  /// Adds a node for the value of a key. The node replaces an earlier node of the key. Returns the node.
  func addField(_ key: String) -> TreeNode {
    beginFields()
    guard case .fields(var fields) = content else { return self }
    // Releases the reference in `content`. Otherwise, the list would be copied for each field.
    content = .fields(TreeFields())
    let node = TreeNode()
    fields.set(node, forKey: key)
    content = .fields(fields)
    return node
  }

  var elementCount: Int { if case .list(let nodes) = content { nodes.count } else { 0 } }

  /// Adds a node for the next element. Returns the node.
  func addElement() -> TreeNode {
    beginList()
    guard case .list(var nodes) = content else { return self }
    content = .list([])
    let node = TreeNode()
    nodes.append(node)
    content = .list(nodes)
    return node
  }

  /// Returns the finished tree. Removes the node's children, so that nested nodes are not released
  /// recursively.
  ///
  /// - Throws: `limitExceeded` if there is not enough stack for nested trees.
  func takeTree() throws -> CodingTree {
    defer { content = .fields(TreeFields()) }
    return switch content {
    case .tree(let tree): tree
    case .list(let nodes):
      .list(try list(of: nodes.map { node in try StackExtension.call { try node.takeTree() } }))
    case .fields(let fields):
      .fields(
        try inOrder(fields.list).map { field in
          CodingField(key: field.key, value: try StackExtension.call { try field.node.takeTree() })
        })
    }
  }

  private func list(of elements: [CodingTree]) throws -> CodedList {
    try unordered.map { try CodedList(unordered: elements, by: $0) } ?? CodedList(elements)
  }

  /// Returns the fields of a dictionary in the order of their keys, and all other fields in their original
  /// order.
  private func inOrder(_ fields: [(key: String, node: TreeNode)]) -> [(key: String, node: TreeNode)] {
    unordered == nil ? fields : TextOrder.indices(of: fields.map(\.key)).map { fields[$0] }
  }
}

/// The parts of a value by key, in the order in which the keys were first encoded.
private struct TreeFields {
  /// The maximum number of parts that are searched linearly. Most values have few parts, for which hashing
  /// takes longer.
  private static let maximumSearchedCount = 16

  private(set) var list: [(key: String, node: TreeNode)] = []
  /// The position of each key's part among the parts. Empty while there are few parts.
  private var positions: [ExactName: Int] = [:]

  /// Adds a part, or replaces the part of the same key.
  ///
  /// - Complexity: amortized O(1).
  mutating func set(_ node: TreeNode, forKey key: String) {
    if let position = position(of: key) {
      list[position].node = node
      return
    }
    list.append((key, node))
    if list.count == Self.maximumSearchedCount + 1 {
      for (position, field) in list.enumerated() { positions[ExactName(field.key)] = position }
    } else if list.count > Self.maximumSearchedCount {
      positions[ExactName(key)] = list.count - 1
    }
  }

  private func position(of key: String) -> Int? {
    list.count > Self.maximumSearchedCount
      ? positions[ExactName(key)] : list.firstIndex { $0.key.hasSameBytes(as: key) }
  }
}

/// A key of a tree: a name, or an index in a list.
struct TreeKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  static var `super`: TreeKey { TreeKey(stringValue: "super") }

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}
