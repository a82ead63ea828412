import ArcFormat
package import ArcRuntime

extension ArchiveValue {
  /// The type of a column that can store the value. Nil if the value does not determine a type, for example
  /// if the value is an empty array. Recursive over the value.
  package var ownType: TypeEncoding? {
    switch self {
    case .null, .nestedNull: nil
    case .bool: .scalar(.bool)
    case .integer(let value): .scalar(Int64(exactly: value) == nil ? .int128 : .longLong)
    case .unsigned: .scalar(.unsignedInt128)
    case .float: .scalar(.float)
    case .double: .scalar(.double)
    case .string: .object(named: "NSString")
    case .data: .object(named: "NSData")
    case .date: .object(named: "NSDate")
    case .uuid: .object(named: "NSUUID")
    case .decimal: .object(named: "NSDecimalNumber")
    case .url: .object(named: "NSURL")
    case .reference: .object(className: nil, protocols: [])
    case .array(let elements): Self.commonType(of: elements).map { .list($0) }
    case .set(let elements): Self.commonType(of: elements).map { .set($0) }
    case .dictionary(let entries):
      switch (Self.commonType(of: entries.map(\.key)), Self.commonType(of: entries.map(\.value))) {
      case (let key?, let value?): .dictionary(key: key, value: value)
      default: nil
      }
    case .structure(let name, let fields):
      Self.types(of: fields).map { .structure(name: name.isEmpty ? "?" : name, fields: $0) }
    // A value does not determine the other cases of its enumeration.
    case .enumeration: nil
    }
  }

  private static func types(of fields: [Field]) -> [TypeEncoding.Field]? {
    let types = fields.compactMap { field in
      StackExtension.step { field.value.ownType }.map { TypeEncoding.Field(name: field.name, type: $0) }
    }
    return types.count == fields.count ? types : nil
  }

  /// Returns the type of all elements, which is optional if some are nil. Nil if the elements have several
  /// types, or if there are no elements.
  private static func commonType(of elements: [ArchiveValue]) -> TypeEncoding? {
    let types = Set(
      elements.filter { $0 != .null }.map { element in StackExtension.step { element.ownType } })
    guard types.count == 1, case let type?? = types.first else { return nil }
    return elements.contains(.null) ? .optional(type) : type
  }
}
