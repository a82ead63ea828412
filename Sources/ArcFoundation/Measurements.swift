public import Arc
import ArcFormat
public import Foundation

extension Measurement: __ArchivableByExactConversion {
  /// The name of the type in archives, such as `Measurement<UnitLength>`.
  public static var __archiveName: __ArchiveName { "Measurement<\(UnitType.self)>" }
  /// The archived form of a measurement.
  @Archivable public struct ArchivedForm {
    var value: Double
    /// The symbol of the unit.
    let symbol: String
    /// The coefficient and the constant of a linear conversion to the base unit of the dimension.
    let coefficient, constant: Double?
    /// The dividend of a reciprocal conversion, for units such as miles per gallon. Nil for other units.
    let reciprocal: Double?
  }
  /// The archived form: the value, and the symbol of the unit. If the unit is a dimension, the form also
  /// contains the conversion to the base unit.
  ///
  /// - Throws: `ArchiveError` with code `notArchivable` if the class of the unit is a subclass of `UnitType`,
  ///   or if Arc cannot restore the conversion of the unit. Arc can restore linear conversions, and the
  ///   conversions of all units that Foundation defines.
  public var archivedForm: ArchivedForm {
    get throws {
      let unitType = type(of: unit)
      guard unitType == UnitType.self else {
        throw ArchiveError(
          .notArchivable,
          found: "the unit '\(unit.symbol)' of class '\(unitType)' in a Measurement<\(UnitType.self)>",
          expected: "a unit of class '\(UnitType.self)', not of a subclass",
          remedy: "declare the property as Measurement<\(unitType)>")
      }
      guard Self.unit(unit.symbol, converter, reciprocal)?.isEqual(unit) == true else {
        throw ArchiveError(
          .notArchivable, found: "the unit '\(unit.symbol)' of class '\(unitType)', which cannot be restored",
          expected: "a unit with a linear converter, or a unit that Foundation defines")
      }
      return ArchivedForm(
        value: value, symbol: unit.symbol, coefficient: converter?.coefficient, constant: converter?.constant,
        reciprocal: reciprocal)
    }
  }
  /// Creates a measurement from its value, and from the symbol and the conversion of its unit.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if the unit is a dimension, but Arc cannot restore
  ///   its conversion to the base unit. Spec: 06-evolution, rule M5.
  public init(archivedForm form: ArchivedForm) throws {
    var conversion: UnitConverterLinear?
    if let coefficient = form.coefficient, let constant = form.constant {
      conversion = UnitConverterLinear(coefficient: coefficient, constant: constant)
    }
    guard let unit = Self.unit(form.symbol, conversion, form.reciprocal) else {
      throw ArchiveError(
        .valueOutOfRange, found: "the unit '\(form.symbol)' without a conversion that Arc can restore",
        expected: "a '\(UnitType.self)' with a linear conversion, or a unit that Foundation defines")
    }
    self.init(value: form.value, unit: unit)
  }

  private var converter: UnitConverterLinear? { (unit as? Dimension)?.converter as? UnitConverterLinear }

  /// The dividend of a reciprocal conversion: the value of one unit in the base unit. Nil for other
  /// conversions.
  private var reciprocal: Double? {
    guard converter == nil, let dimension = unit as? Dimension else { return nil }
    return dimension.converter.baseUnitValue(fromValue: 1)
  }

  /// Creates a unit. Returns nil if `UnitType` is a dimension whose conversion to the base unit Arc cannot
  /// restore.
  private static func unit(
    _ symbol: String, _ converter: UnitConverterLinear?, _ reciprocal: Double?
  ) -> UnitType? {
    guard let dimension = UnitType.self as? Dimension.Type else { return UnitType(symbol: symbol) }
    if let converter { return dimension.init(symbol: symbol, converter: converter) as? UnitType }
    // Only Foundation can create such converters, and only these units have one. Two of the units have the
    // same symbol.
    let units: [UnitFuelEfficiency] = [.litersPer100Kilometers, .milesPerGallon, .milesPerImperialGallon]
    return units.first {
      $0.symbol == symbol && $0.converter.baseUnitValue(fromValue: 1) == reciprocal
    } as? UnitType
  }
}
