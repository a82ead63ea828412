import Arc
import ArcArchive
import Foundation

// Classes that read the key `a` of imported rows as each type, in each manner: directly, after a migration,
// and by a conversion of an older key.

/// A row that describes its value.
protocol SeveralTypesRow: Archivable {
  var text: String { get }
}

@Archivable("Row.a") final class SeveralTypesObject {
  var x = 0
  init() {}
}

extension SeveralTypesObject: CustomStringConvertible { var description: String { "object \(x)" } }

@Archivable("Row") final class DirectInt: SeveralTypesRow {
  var a: Int = -1
  init() {}
  var text: String { "\(a as Any)" }
}
@Archivable("Row") final class MigratedInt: SeveralTypesRow {
  static let archiveVersion = 1
  var a: Int = -1
  init() {}
  var text: String { "\(a as Any)" }
  static func migrate(_ object: inout MigratedObject, from version: Int) {
    if let value = object["a"], value != .null { object["a"] = value }
  }
}
@Archivable("Row") final class ConvertedInt: SeveralTypesRow {
  @Key("b") @Key("a", from: Int.self, { $0 }) var b: Int = -1
  init() {}
  var text: String { "\(b as Any)" }
}

@Archivable("Row") final class DirectDouble: SeveralTypesRow {
  var a: Double = -1
  init() {}
  var text: String { "\(a as Any)" }
}
@Archivable("Row") final class MigratedDouble: SeveralTypesRow {
  static let archiveVersion = 1
  var a: Double = -1
  init() {}
  var text: String { "\(a as Any)" }
  static func migrate(_ object: inout MigratedObject, from version: Int) {
    if let value = object["a"], value != .null { object["a"] = value }
  }
}
@Archivable("Row") final class ConvertedDouble: SeveralTypesRow {
  @Key("b") @Key("a", from: Double.self, { $0 }) var b: Double = -1
  init() {}
  var text: String { "\(b as Any)" }
}

@Archivable("Row") final class DirectString: SeveralTypesRow {
  var a: String = "initial"
  init() {}
  var text: String { "\(a as Any)" }
}
@Archivable("Row") final class MigratedString: SeveralTypesRow {
  static let archiveVersion = 1
  var a: String = "initial"
  init() {}
  var text: String { "\(a as Any)" }
  static func migrate(_ object: inout MigratedObject, from version: Int) {
    if let value = object["a"], value != .null { object["a"] = value }
  }
}
@Archivable("Row") final class ConvertedString: SeveralTypesRow {
  @Key("b") @Key("a", from: String.self, { $0 }) var b: String = "initial"
  init() {}
  var text: String { "\(b as Any)" }
}

@Archivable("Row") final class DirectBool: SeveralTypesRow {
  var a: Bool = false
  init() {}
  var text: String { "\(a as Any)" }
}
@Archivable("Row") final class MigratedBool: SeveralTypesRow {
  static let archiveVersion = 1
  var a: Bool = false
  init() {}
  var text: String { "\(a as Any)" }
  static func migrate(_ object: inout MigratedObject, from version: Int) {
    if let value = object["a"], value != .null { object["a"] = value }
  }
}
@Archivable("Row") final class ConvertedBool: SeveralTypesRow {
  @Key("b") @Key("a", from: Bool.self, { $0 }) var b: Bool = false
  init() {}
  var text: String { "\(b as Any)" }
}

@Archivable("Row") final class DirectOptionalInt: SeveralTypesRow {
  var a: Int? = -1
  init() {}
  var text: String { "\(a as Any)" }
}
@Archivable("Row") final class MigratedOptionalInt: SeveralTypesRow {
  static let archiveVersion = 1
  var a: Int? = -1
  init() {}
  var text: String { "\(a as Any)" }
  static func migrate(_ object: inout MigratedObject, from version: Int) {
    if let value = object["a"], value != .null { object["a"] = value }
  }
}
@Archivable("Row") final class ConvertedOptionalInt: SeveralTypesRow {
  @Key("b") @Key("a", from: Int?.self, { $0 }) var b: Int? = -1
  init() {}
  var text: String { "\(b as Any)" }
}

@Archivable("Row") final class DirectOptionalDouble: SeveralTypesRow {
  var a: Double?
  init() {}
  var text: String { "\(a as Any)" }
}
@Archivable("Row") final class MigratedOptionalDouble: SeveralTypesRow {
  static let archiveVersion = 1
  var a: Double?
  init() {}
  var text: String { "\(a as Any)" }
  static func migrate(_ object: inout MigratedObject, from version: Int) {
    if let value = object["a"], value != .null { object["a"] = value }
  }
}
@Archivable("Row") final class ConvertedOptionalDouble: SeveralTypesRow {
  @Key("b") @Key("a", from: Double?.self, { $0 }) var b: Double?
  init() {}
  var text: String { "\(b as Any)" }
}

@Archivable("Row") final class DirectOptionalString: SeveralTypesRow {
  var a: String? = "initial"
  init() {}
  var text: String { "\(a as Any)" }
}
@Archivable("Row") final class MigratedOptionalString: SeveralTypesRow {
  static let archiveVersion = 1
  var a: String? = "initial"
  init() {}
  var text: String { "\(a as Any)" }
  static func migrate(_ object: inout MigratedObject, from version: Int) {
    if let value = object["a"], value != .null { object["a"] = value }
  }
}
@Archivable("Row") final class ConvertedOptionalString: SeveralTypesRow {
  @Key("b") @Key("a", from: String?.self, { $0 }) var b: String? = "initial"
  init() {}
  var text: String { "\(b as Any)" }
}

@Archivable("Row") final class DirectStrings: SeveralTypesRow {
  var a: [String]?
  init() {}
  var text: String { "\(a as Any)" }
}
@Archivable("Row") final class MigratedStrings: SeveralTypesRow {
  static let archiveVersion = 1
  var a: [String]?
  init() {}
  var text: String { "\(a as Any)" }
  static func migrate(_ object: inout MigratedObject, from version: Int) {
    if let value = object["a"], value != .null { object["a"] = value }
  }
}
@Archivable("Row") final class ConvertedStrings: SeveralTypesRow {
  @Key("b") @Key("a", from: [String]?.self, { $0 }) var b: [String]?
  init() {}
  var text: String { "\(b as Any)" }
}

@Archivable("Row") final class DirectInner: SeveralTypesRow {
  var a: SeveralTypesObject?
  init() {}
  var text: String { "\(a as Any)" }
}
@Archivable("Row") final class MigratedInner: SeveralTypesRow {
  static let archiveVersion = 1
  var a: SeveralTypesObject?
  init() {}
  var text: String { "\(a as Any)" }
  static func migrate(_ object: inout MigratedObject, from version: Int) {
    if let value = object["a"], value != .null { object["a"] = value }
  }
}
@Archivable("Row") final class ConvertedInner: SeveralTypesRow {
  @Key("b") @Key("a", from: SeveralTypesObject?.self, { $0 }) var b: SeveralTypesObject?
  init() {}
  var text: String { "\(b as Any)" }
}

@Archivable("Row") final class DirectDecimal: SeveralTypesRow {
  var a: Decimal?
  init() {}
  var text: String { "\(a as Any)" }
}
@Archivable("Row") final class MigratedDecimal: SeveralTypesRow {
  static let archiveVersion = 1
  var a: Decimal?
  init() {}
  var text: String { "\(a as Any)" }
  static func migrate(_ object: inout MigratedObject, from version: Int) {
    if let value = object["a"], value != .null { object["a"] = value }
  }
}
@Archivable("Row") final class ConvertedDecimal: SeveralTypesRow {
  @Key("b") @Key("a", from: Decimal?.self, { $0 }) var b: Decimal?
  init() {}
  var text: String { "\(b as Any)" }
}

/// The classes for each type: direct, migrated, converted.
var severalTypesRows: [any SeveralTypesRow.Type] {
  [
    DirectInt.self, MigratedInt.self, ConvertedInt.self,
    DirectDouble.self, MigratedDouble.self, ConvertedDouble.self,
    DirectString.self, MigratedString.self, ConvertedString.self,
    DirectBool.self, MigratedBool.self, ConvertedBool.self,
    DirectOptionalInt.self, MigratedOptionalInt.self, ConvertedOptionalInt.self,
    DirectOptionalDouble.self, MigratedOptionalDouble.self, ConvertedOptionalDouble.self,
    DirectOptionalString.self, MigratedOptionalString.self, ConvertedOptionalString.self,
    DirectStrings.self, MigratedStrings.self, ConvertedStrings.self,
    DirectInner.self, MigratedInner.self, ConvertedInner.self,
    DirectDecimal.self, MigratedDecimal.self, ConvertedDecimal.self,
  ]
}

/// Rows whose columns have no value in any row.
@Archivable("Row") final class EmptyColumns {
  var id = 0
  var phone: String?
  var age: Int?
  var tags: [String]?
  init() {}
}

@Archivable("Row") final class RequiredColumns {
  var id = 0
  var age = 1
  init() {}
}
