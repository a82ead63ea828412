public import Arc
public import ArcFormat
public import Foundation

extension Measurement: ColumnValue, ArchivableValue {
  /// The name of the type in archives, such as `Measurement<UnitLength>`.
  public static var __archiveName: __ArchiveName { "Measurement<\(UnitType.self)>" }
  /// Returns the type encoding: a structure of the value and its unit.
  ///
  /// The unit is stored as its symbol and its conversion to the base unit of its dimension.
  ///
  /// A linear conversion is stored as its coefficient and its constant. The conversion of a reciprocal unit,
  /// such as miles per gallon, is stored as its dividend. A unit without a dimension has no conversion.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) {
      [
        context.field("value", \Self.value), context.field("symbol", \Self.unit.symbol),
        context.field("coefficient") { (value: Self) in value.converter?.coefficient },
        context.field("constant") { (value: Self) in value.converter?.constant },
        context.field("reciprocal") { (value: Self) in value.reciprocal },
      ]
    }
  }
  /// Reads the value from the column, and creates the unit.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the unit has a dimension, but no conversion that
  ///   Arc can restore. Arc can restore linear conversions, and the conversions of all units that Foundation
  ///   defines. Spec: 06-evolution, rule M5.
  public static func __read(from column: ColumnReader) throws -> Measurement {
    let (value, symbol): (Double, String) = (try column.value(0), try column.value(1))
    let (coefficient, constant): (Double?, Double?) = (try column.value(2), try column.value(3))
    var conversion: UnitConverterLinear?
    if let coefficient, let constant {
      conversion = UnitConverterLinear(coefficient: coefficient, constant: constant)
    }
    guard let unit = unit(symbol, conversion, try column.value(4)) else {
      throw column.error(
        .valueOutOfRange, found: "the unit '\(symbol)' without a conversion that Arc can restore",
        expected: "a '\(UnitType.self)' with a linear conversion, or a unit that Foundation defines")
    }
    return Measurement(value: value, unit: unit)
  }
  /// Appends the value, the symbol of the unit, and the conversion of the unit to the column.
  ///
  /// - Throws: `ArchiveError` with code `notArchivable` if the class of the unit is a subclass of `UnitType`,
  ///   or if Arc cannot restore the conversion of the unit. Arc can restore linear conversions, and the
  ///   conversions of all units that Foundation defines.
  public func __write(to column: ColumnWriter) throws {
    let unitType = type(of: unit)
    guard unitType == UnitType.self else {
      throw column.located(
        ArchiveError(
          .notArchivable,
          found: "the unit '\(unit.symbol)' of class '\(unitType)' in a Measurement<\(UnitType.self)>",
          expected: "a unit of class '\(UnitType.self)', not of a subclass",
          remedy: "declare the property as Measurement<\(unitType)>"))
    }
    guard Self.unit(unit.symbol, converter, reciprocal)?.isEqual(unit) == true else {
      throw column.located(
        ArchiveError(
          .notArchivable, found: "the unit '\(unit.symbol)' of class '\(unitType)', which cannot be restored",
          expected: "a unit with a linear converter, or a unit that Foundation defines"))
    }
    try column.write(value, at: 0)
    try column.write(unit.symbol, at: 1)
    try column.write(converter?.coefficient, at: 2)
    try column.write(converter?.constant, at: 3)
    try column.write(reciprocal, at: 4)
  }

  private var converter: UnitConverterLinear? { (unit as? Dimension)?.converter as? UnitConverterLinear }

  /// What a unit that is not converted linearly divides: 1 of it in the base unit.
  private var reciprocal: Double? {
    guard converter == nil, let dimension = unit as? Dimension else { return nil }
    return dimension.converter.baseUnitValue(fromValue: 1)
  }

  /// Makes a unit; nil for one of a dimension that has no conversion.
  private static func unit(
    _ symbol: String, _ converter: UnitConverterLinear?, _ reciprocal: Double?
  ) -> UnitType? {
    guard let dimension = UnitType.self as? Dimension.Type else { return UnitType(symbol: symbol) }
    if let converter { return dimension.init(symbol: symbol, converter: converter) as? UnitType }
    // Only Foundation can make such converters, and has them in these units alone. Two have the same symbol.
    let units: [UnitFuelEfficiency] = [.litersPer100Kilometers, .milesPerGallon, .milesPerImperialGallon]
    return units.first {
      $0.symbol == symbol && $0.converter.baseUnitValue(fromValue: 1) == reciprocal
    } as? UnitType
  }
}
