import Arc
import Foundation

/// A graph as text. The matrix compares the text of the graph that was read with the text of the expected
/// graph.
///
/// The text is created with `Mirror`, so that no code of Arc decides whether two graphs are equal. Each
/// object has a number, so two strings are equal only if the same objects are shared.
struct GraphText {
  /// The numbers of the objects, in the order in which they were found.
  private var numbers: [ObjectIdentifier: Int] = [:]
  /// Whether the text is only used to sort elements without an order.
  private var isSorting = false

  static func of(_ value: Any) -> String {
    var text = GraphText()
    return text.text(of: value)
  }

  private mutating func text(of value: Any) -> String {
    switch value {
    case let value as String: return "\"\(value)\""
    case let value as Date: return "date \(value.timeIntervalSinceReferenceDate)"
    case let value as Data: return "data \(Array(value))"
    case let value as URL: return "url \(value.relativeString) of \(value.baseURL?.absoluteString ?? "-")"
    case let value as UUID: return "uuid \(value.uuidString)"
    case let value as Decimal: return "decimal \(value)"
    case let value as any Deferred: return text(of: value.loaded())
    default: break
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { "some(\(text(of: $0.value)))" } ?? "nil"
    case .collection: return "[\(mirror.children.map { text(of: $0.value) }.joined(separator: ", "))]"
    case .set, .dictionary:
      if isSorting { return "{\(mirror.children.count)}" }
      // The order must not depend on the numbers of objects. A dictionary is sorted by its keys, not by its
      // values.
      let sorted = mirror.children.map { child in
        var order = GraphText()
        order.isSorting = true
        let entry = Mirror(reflecting: child.value)
        let key = mirror.displayStyle == .dictionary ? entry.children.first?.value : nil
        return (child.value, order.text(of: key ?? child.value))
      }.sorted { $0.1 < $1.1 }
      return "{\(sorted.map { text(of: $0.0) }.joined(separator: ", "))}"
    case .class: return objectText(value as AnyObject, mirror)
    case .enum where mirror.children.isEmpty, nil: return "\(value)"
    default: return "\(type(of: value))(\(members(of: mirror)))"
    }
  }

  private mutating func objectText(_ object: AnyObject, _ mirror: Mirror) -> String {
    if let number = numbers[ObjectIdentifier(object)] { return "#\(number)" }
    let number = numbers.count
    numbers[ObjectIdentifier(object)] = number
    var text = "\(type(of: object))#\(number)("
    var next: Mirror? = mirror
    while let current = next {
      text += members(of: current)
      next = current.superclassMirror
    }
    return text + ")"
  }

  private mutating func members(of mirror: Mirror) -> String {
    mirror.children.map { "\($0.label ?? ""): \(text(of: $0.value))" }.joined(separator: ", ")
  }
}

/// A property wrapper or value that reads its object lazily.
protocol Deferred {
  func loaded() -> Any
}

extension Lazy: Deferred {
  func loaded() -> Any { Result { try load() as Any } }
}
