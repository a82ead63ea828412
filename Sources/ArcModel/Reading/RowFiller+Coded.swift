import Arc
import ArcFormat
import ArcJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What a `Codable` value decodes: JSON of any kind, of which the value takes what it wants when it is made.

extension RowFiller {
  /// Appends a value of JSON as what a `Codable` value decodes.
  func fillCoded(_ node: Int, _ index: Int, _ plan: CodedPlan) throws -> Bool {
    guard let place = plan[try kindOfCoded(index)] else { return try mismatch(node, index) }
    row.append(place.position, to: node)
    switch document.word(at: index).kind {
    case .null: return true
    case .object: return try fillCodedFields(place.node, index)
    case .array: return try fillCodedList(place.node, index)
    default: return try fillUnchecked(place.node, index)
    }
  }

  /// Appends nil for a value that is missing.
  func fillNil(_ node: Int) -> Bool { shape.fillNil(node) }

  // What is inside has the same node, and is none of the values whose type would check it.

  /// Appends the elements of an array.
  private func fillCodedList(_ node: Int, _ index: Int) throws -> Bool {
    let child = nodes[node].child
    return try fillCounted(node) { count in
      for element in document.elements(of: index)
      where try appendWhole(child, { try fillUnchecked(child, element) }) {
        count += 1
      }
    }
  }

  /// Appends the members of an object.
  private func fillCodedFields(_ node: Int, _ index: Int) throws -> Bool {
    let field = nodes[node].child
    let (key, value) = (nodes[field].child, nodes[field].secondChild)
    var known: Set<String> = []
    return try fillCounted(node) { count in
      for name in document.keys(of: index) {
        if !known.insert(document.string(at: name)).inserted {
          if document.duplicateKeys == .first { continue }
          try issues.noteDuplicate(ofKeyAt: name)
        }
        let isRead = try appendWhole(key) {
          document.withUTF8(at: name) { row.append(text: $0, to: key) }
          return try fillUnchecked(value, name + 1)
        }
        if isRead { count += 1 }
      }
    }
  }

  /// What a value of JSON is called among those that are encoded: of numbers the one that has all digits.
  private func kindOfCoded(_ index: Int) throws -> String {
    switch document.word(at: index).kind {
    case .null: return "null"
    case .true, .false: return "bool"
    case .asciiString, .string, .escapedString: return "string"
    case .array: return "list"
    case .object: return "fields"
    case .integer, .fraction: break
    }
    let text = document.string(at: index)
    if document.word(at: index).kind == .integer, text != "-0" {
      if document.integer(at: index) != nil { return "integer" }
      if conversion.wideInteger(index, UInt64.self) != nil { return "unsigned" }
      if conversion.wideInteger(index, Int128.self) != nil { return "wideInteger" }
      if conversion.wideInteger(index, UInt128.self) != nil { return "wideUnsigned" }
    }
    guard let double = document.double(at: index) else { return "" }
    guard DecimalNotation.normalized(text) != DecimalNotation.normalized("\(double)"),
      Decimal(exactly: text) != nil
    else { return "double" }
    return "decimal"
  }
}
