import ArcFormat
import ArcJSON

/// Gives the properties of an object their values right from the text, where these are of plain kinds and as
/// strict reading wants them.
///
/// Whatever is not makes it throw: then the row is filled instead, which reports what is wrong, or converts
/// it.
final class SuppliedValues: ValueSource {
  private let document: JSONDocument
  private let nodes: [RowShape.Node]
  /// The entry of the next value, by node; -1 for nil.
  private let next: HandleBuffer<Int>

  /// A value that has to be filled.
  struct Refusal: Error {}

  init(_ document: JSONDocument, _ nodes: [RowShape.Node]) {
    self.document = document
    self.nodes = nodes
    next = HandleBuffer(repeating: -1, count: nodes.count)
  }

  deinit { next.free() }

  /// Whether the values of a node and all inside of it can be given.
  static func canGive(_ node: Int, of nodes: [RowShape.Node]) -> Bool {
    switch nodes[node].kind {
    case .string, .bool, .float64, .int64, .int32, .int16, .int8, .uint32, .uint16, .uint8: true
    case .reference: nodes[node].leadsToObjects
    case .optional, .array: canGive(nodes[node].child, of: nodes)
    default: false
    }
  }

  /// Has the value of an entry be the next one of a node; -1 for nil.
  @inline(__always) func give(_ index: Int, toNode node: Int) { next[node] = index }

  /// The entry of the next value, which is taken.
  @inline(__always) private func take(_ node: Int) throws -> Int {
    let index = next[node]
    guard index >= 0, index < document.wordCount else { throw Refusal() }
    next[node] = document.end(of: index)
    return index
  }

  func integer(ofNode node: Int) throws -> Int64 {
    switch nodes[node].kind {
    case .array:
      let index = try take(node)
      let word = document.word(at: index)
      guard word.kind == .array else { throw Refusal() }
      next[nodes[node].child] = index + 2
      return Int64(truncatingIfNeeded: word.length)
    case .reference:
      let index = next[node]
      let kind = index < 0 ? .null : document.word(at: try take(node)).kind
      if kind == .null, !nodes[node].refusesNull { return 0 }
      guard kind == .object else { throw Refusal() }
      return Int64(truncatingIfNeeded: RowFiller.row(ofObjectAt: index))
    default:
      let index = try take(node)
      guard document.word(at: index).kind.isNumber, let value = document.integer(at: index) else {
        throw Refusal()
      }
      return value
    }
  }

  func double(ofNode node: Int) throws -> Double {
    let index = try take(node)
    guard document.word(at: index).kind.isNumber, let value = document.double(at: index) else {
      throw Refusal()
    }
    return value
  }

  func bit(ofNode node: Int) throws -> Bool {
    let index = next[node]
    if nodes[node].kind == .optional {
      guard index >= 0 else { return false }
      guard document.word(at: try take(node)).kind != .null else { return false }
      next[nodes[node].child] = index
      return true
    }
    switch document.word(at: try take(node)).kind {
    case .true: return true
    case .false: return false
    default: throw Refusal()
    }
  }

  func text(ofNode node: Int) throws -> String {
    let index = try take(node)
    guard document.word(at: index).kind.isString else { throw Refusal() }
    return document.string(at: index)
  }

  func takeNilReference(ofNode node: Int) -> Bool {
    let index = next[node]
    guard index >= 0 else { return true }
    guard index < document.wordCount, document.word(at: index).kind == .null else { return false }
    next[node] = index + 1
    return true
  }
}
