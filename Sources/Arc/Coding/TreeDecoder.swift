import ArcFormat
import ArcRuntime

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decodes a `Codable` value from a tree.
struct TreeDecoder: Decoder {
  let tree: CodingTree
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { context.userInfo }
  private let context: ArchiveContext
  /// Whether the tree comes from a text format such as JSON, in which dates and some other values are strings
  /// and numbers.
  let readsText: Bool

  /// Creates a decoder of a whole tree, or of the part at a path.
  init(
    _ tree: CodingTree, path: [any CodingKey] = [], in context: ArchiveContext, readsText: Bool = false
  ) {
    self.tree = tree
    codingPath = path
    self.context = context
    self.readsText = readsText
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .fields(let fields) = tree else { throw mismatch([String: Any].self, "values with keys") }
    return KeyedDecodingContainer(KeyedTreeDecoder<Key>(fields, of: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    switch tree {
    case .list(let list): return UnkeyedTreeDecoder(decoder: self, elements: list.elements)
    // An empty tree of fields is also accepted, because it is the tree of a value that encoded nothing. A
    // value that requested a list and added no element has an empty list.
    case .fields(let fields) where fields.isEmpty: return UnkeyedTreeDecoder(decoder: self, elements: [])
    default: throw mismatch([Any].self, "a list")
    }
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Returns the decoder of a part of the tree.
  fileprivate func decoder(of part: CodingTree, at key: any CodingKey) -> TreeDecoder {
    TreeDecoder(part, path: codingPath + [key], in: context, readsText: readsText)
  }

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "found \(tree.summary), expected \(expected)"))
  }
}

extension TreeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { if case .null = tree { true } else { false } }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let value) = tree else { throw mismatch(type, "a Bool") }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let value) = tree else { throw mismatch(type, "a string") }
    return value
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch tree {
    case .double(let value): return value
    case .float(let value): return Double(value)
    // A text can have numbers with many digits. They are converted to the nearest number.
    case .decimal(let value) where readsText: return Double(value.description) ?? .nan
    default: return try exactInteger()
    }
  }

  func decode(_ type: Float.Type) throws -> Float {
    switch tree {
    case .float(let value): return value
    case .double(let value) where value.isNaN || Double(Float(value)) == value: return Float(value)
    case .double(let value) where readsText && Float(value).isFinite: return Float(value)
    case .decimal(let value) where readsText: return Float(value.description) ?? .nan
    default: return try exactInteger()
    }
  }

  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

  private func integer<Value: FixedWidthInteger>() throws -> Value {
    switch tree {
    case .double(let value): if let value = Value(exactly: value) { return value }
    case .float(let value): if let value = Value(exactly: value) { return value }
    default: return try exactInteger()
    }
    throw mismatch(Value.self, "a number that '\(Value.self)' can hold")
  }

  /// Returns the integer of the tree as a value of another number type. Throws if this type cannot represent
  /// the integer.
  private func exactInteger<Value: Numeric>() throws -> Value {
    let value: Value? =
      switch tree {
      case .integer(let value): Value(exactly: value)
      case .unsigned(let value): Value(exactly: value)
      case .wideInteger(let value): Value(exactly: value)
      case .wideUnsigned(let value): Value(exactly: value)
      default: nil
      }
    guard let value else { throw mismatch(Value.self, "a number that '\(Value.self)' can hold") }
    return value
  }

  /// Decodes a value of any type. If `CodingTree` has a case for the type, such as `date`, the result is the
  /// associated value of this case. If the type is an archivable class, the result is the object. Otherwise,
  /// the type's `init(from:)` decodes the value.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let own, let value = own as? Value { return value }
    if readsText, let decoded = try valueOfText(Value.self), let value = decoded as? Value { return value }
    return try StackExtension.call { try Value(from: self) }
  }

  /// The value of the tree if its case determines the type of the value, such as a date or an object. Nil for
  /// other cases, such as integers.
  private var own: Any? {
    switch tree {
    case .date(let value): value
    case .data(let value): value
    case .uuid(let value): value
    case .url(let value): value
    case .decimal(let value): value
    case .object(let reference): reference.object
    default: nil
    }
  }
}

/// Decodes values by key from the fields of a tree.
private struct KeyedTreeDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: TreeDecoder
  private let fields: [CodingField]
  private let values: [ExactName: CodingTree]

  init(_ fields: [CodingField], of decoder: TreeDecoder) {
    self.decoder = decoder
    self.fields = fields
    values = Dictionary(fields.map { (ExactName($0.key), $0.value) }, uniquingKeysWith: { _, last in last })
  }

  /// The keys of the fields. Computed on demand, because most values never use them.
  var allKeys: [Key] { fields.compactMap { Key(stringValue: $0.key) } }
  var codingPath: [any CodingKey] { decoder.codingPath }

  func contains(_ key: Key) -> Bool { values[ExactName(key.stringValue)] != nil }

  /// Returns the decoder of the value for a key.
  private func part(_ key: any CodingKey) throws -> TreeDecoder {
    guard let value = values[ExactName(key.stringValue)] else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(
          codingPath: codingPath, debugDescription: "no value under the key '\(key.stringValue)'"))
    }
    return decoder.decoder(of: value, at: key)
  }

  func decodeNil(forKey key: Key) throws -> Bool { try part(key).decodeNil() }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try part(key).decode(type) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try part(key).decode(type) }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try part(key).decode(type)
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try part(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try part(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { try part(TreeKey.super) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try part(key) }
}

/// Decodes the elements of a list in a tree, in order.
private struct UnkeyedTreeDecoder: UnkeyedDecodingContainer {
  let decoder: TreeDecoder
  let elements: [CodingTree]
  private(set) var currentIndex = 0

  init(decoder: TreeDecoder, elements: [CodingTree]) {
    self.decoder = decoder
    self.elements = elements
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  /// Calls `body` with the decoder of the current element. If `body` does not throw, advances to the next
  /// element.
  private mutating func next<Value>(
    _ type: Any.Type, _ body: (TreeDecoder) throws -> Value
  ) throws -> Value {
    let key = TreeKey(intValue: currentIndex)
    guard currentIndex < elements.count else {
      throw DecodingError.valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath + [key], debugDescription: "the list has \(elements.count) values"))
    }
    let value = try body(decoder.decoder(of: elements[currentIndex], at: key))
    currentIndex += 1
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard currentIndex < elements.count, case .null = elements[currentIndex] else {
      if isAtEnd { return try next(Any?.self) { $0.decodeNil() } }
      return false
    }
    currentIndex += 1
    return true
  }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.decode(type) } }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next(type) { try $0.decode(type) }
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next([String: Any].self) { try $0.container(keyedBy: type) }
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([Any].self) { try $0.unkeyedContainer() }
  }
  mutating func superDecoder() throws -> any Decoder { try next(Any.self) { $0 } }
}
