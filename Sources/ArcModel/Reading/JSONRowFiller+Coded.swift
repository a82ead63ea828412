import Arc
import ArcFormat
import ArcJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Filling the columns of `Codable` values. A value can be any JSON; its type decodes it when the object is
// built.

extension JSONRowFiller {
  /// Appends a JSON value to the columns of a `Codable` value.
  func fillCoded(_ node: Int, _ index: Int, _ plan: CodedPlan) throws -> Bool {
    guard let codedCase = plan[try kindOfCoded(index)] else { return try mismatch(node, index) }
    row.append(codedCase.position, to: node)
    switch document.word(at: index).kind {
    case .null: return true
    case .object: return try fillCodedFields(codedCase.node, index)
    case .array: return try fillCodedList(codedCase.node, index)
    default: return try fillUnchecked(codedCase.node, index)
    }
  }

  /// Appends nil to a node for a missing value. Returns false if the node cannot be nil.
  func fillNil(_ node: Int) -> Bool { shape.fillNil(node) }

  // The elements and members have the same node. No type checks them.

  private func fillCodedList(_ node: Int, _ index: Int) throws -> Bool {
    let child = nodes[node].child
    return try fillCounted(node) { count in
      for element in document.elements(of: index)
      where try appendWhole(child, { try fillUnchecked(child, element) }) {
        count += 1
      }
    }
  }

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

  /// Returns the kind as which a JSON value is stored in the columns of `Codable` values. The kind of a
  /// number preserves all its digits.
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
