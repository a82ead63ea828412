import ArcArchive
import ArcFormat
import ArcRuntime

/// A value together with its column, which tells weak references from others.
struct TypedValue {
  /// The value; never an optional that could be looked into further.
  let value: ArchiveValue
  private let layout: ColumnLayout
  private let node: Int

  init(_ value: ArchiveValue, layout: ColumnLayout, node: Int) {
    self.value = value
    self.layout = layout
    var node = node
    if value != .null {
      while layout.nodes[node].kind == .optional, let wrapped = layout.nodes[node].children.first {
        node = wrapped
      }
    }
    self.node = node
  }

  /// The value without the fields that its structures do not have, for comparing it with a value of another
  /// type.
  var withoutAbsentFields: ArchiveValue {
    layout.nodes.contains { $0.isAbsentIfNil } ? value.withoutAbsentFields(layout, node: node) : value
  }

  /// A reference to an object, or a value that was computed, outside of any column.
  init(_ value: ArchiveValue) {
    self.init(value, layout: Self.noColumn, node: 0)
  }

  /// What a value outside of columns is said to be in: no optional, and nothing weak.
  private static let noColumn: ColumnLayout = {
    var layout = ColumnLayout()
    // Any type without others in it would do.
    try? layout.append(.object(className: nil, protocols: []))
    return layout
  }()

  /// Whether the value is the only associated value of a case, which paths do not name.
  var isOnlyValueOfCase: Bool {
    guard case .structure("?", let fields) = value else { return false }
    return fields.count == 1 && fields[0].name.isEmpty
  }

  /// Whether the value is a reference that does not keep its target.
  var isWeak: Bool { layout.nodes[node].kind == .weak }

  /// Whether the value is an array, a set or a dictionary.
  var isCollection: Bool {
    switch value {
    case .array, .set, .dictionary: true
    default: false
    }
  }

  /// The number of values inside: elements, entries, fields, or one payload.
  var childCount: Int {
    switch value {
    case .array(let elements), .set(let elements): elements.count
    case .dictionary(let entries): entries.count
    case .structure(_, let fields): fields.count
    case .enumeration(_, _, let payload): payload == nil ? 0 : 1
    default: 0
    }
  }

  /// The element, field, payload or value of an entry at an index below `childCount`.
  func child(_ position: Int) -> TypedValue {
    switch value {
    case .array(let elements), .set(let elements): inside(elements[position], 0)
    case .dictionary(let entries): inside(entries[position].value, 1)
    case .structure(_, let fields): inside(fields[position].value, position)
    case .enumeration(_, let name, let payload?): inside(payload, payloadNode(name))
    default: self
    }
  }

  /// The key of the entry at an index of a dictionary.
  func key(_ position: Int) -> TypedValue? {
    guard case .dictionary(let entries) = value else { return nil }
    return inside(entries[position].key, 0)
  }

  private func inside(_ value: ArchiveValue, _ child: Int) -> TypedValue {
    let count = layout.nodes[node].children.count
    return TypedValue(
      value, layout: layout, node: child < count ? layout.nodes[node].children[child] : node)
  }

  private func payloadNode(_ caseName: String) -> Int {
    layout.nodes[node].labels.firstIndex(of: caseName).flatMap { layout.nodes[node].payloads[$0] } ?? 0
  }
}
