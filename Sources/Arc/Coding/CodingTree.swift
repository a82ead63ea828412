import ArcFormat
import ArcRuntime

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The values that a `Codable` value encodes: lists, and values by key in the order in which they were
/// encoded. The entries of a dictionary are in the order of their keys, and the elements of a set in the
/// order of their contents.
///
/// A tree is archived as a recursive enumeration, so a file contains keys and typed values instead of opaque
/// bytes.
@Archivable("Coded")
enum CodingTree {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case wideInteger(Int128)
  case wideUnsigned(UInt128)
  case float(Float)
  case double(Double)
  case string(String)
  case date(Date)
  case data(Data)
  case uuid(UUID)
  case url(URL)
  case decimal(Decimal)
  case object(AnyReference)
  case list(CodedList)
  case fields([CodingField])
}

@Archivable("CodedField")
struct CodingField {
  let key: String
  let value: CodingTree
}

extension CodingTree {
  /// The maximum nesting depth of a value. It is greater than the default limit for reading files, and small
  /// enough to release a tree on the stack of any thread. Only a value that contains itself, for example a
  /// class without `@Archivable`, is nested more deeply.
  static let maximumDepth = 1_000

  /// Creates the tree of a value that has a case of its own in `CodingTree`, such as a Boolean or a date. Nil
  /// for all other values.
  init?(primitive value: some Any) {
    switch value {
    case let value as String: self = .string(value)
    case let value as Int: self = .integer(Int64(value))
    case let value as Double: self = .double(value)
    case let value as Bool: self = .bool(value)
    case let value as Float: self = .float(value)
    case let value as Int8: self = .integer(Int64(value))
    case let value as Int16: self = .integer(Int64(value))
    case let value as Int32: self = .integer(Int64(value))
    case let value as Int64: self = .integer(value)
    case let value as UInt: self = .unsigned(UInt64(value))
    case let value as UInt8: self = .unsigned(UInt64(value))
    case let value as UInt16: self = .unsigned(UInt64(value))
    case let value as UInt32: self = .unsigned(UInt64(value))
    case let value as UInt64: self = .unsigned(value)
    case let value as Int128: self = .wideInteger(value)
    case let value as UInt128: self = .wideUnsigned(value)
    case let value as Date: self = .date(value)
    case let value as Data: self = .data(value)
    case let value as UUID: self = .uuid(value)
    case let value as URL: self = .url(value)
    case let value as Decimal: self = .decimal(value)
    default: return nil
    }
  }

  /// A short description of the tree.
  var summary: String {
    switch self {
    case .null: "nil"
    case .bool: "a Bool"
    case .integer(let value): "the integer \(value)"
    case .unsigned(let value): "the integer \(value)"
    case .wideInteger(let value): "the integer \(value)"
    case .wideUnsigned(let value): "the integer \(value)"
    case .float(let value): "the number \(value)"
    case .double(let value): "the number \(value)"
    case .string: "a string"
    case .date: "a date"
    case .data: "data"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .decimal(let value): "the number \(value)"
    case .object: "an object"
    case .list(let list): plural(list.elements.count, "value")
    case .fields(let fields): plural(fields.count, "field")
    }
  }
}

/// A reference to an object of any archivable class. The reference can be nil.
struct AnyReference: ArchivableValue {
  let object: AnyObject?

  static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.anyReference(as: (any Archivable).self)
  }
  static func __read(from column: ColumnReader) throws -> AnyReference {
    AnyReference(object: try column.object(as: AnyObject.self))
  }
  func __write(to column: ColumnWriter) throws { try column.append(computedReference: object) }
}

extension RecordNote {
  /// Whether the described values are trees (`CodingTree`) of encoded `Codable` values.
  package var isCodingTree: Bool { type is CodingTree.Type && !isPayload }
}
