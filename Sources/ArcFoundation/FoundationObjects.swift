package import Arc
import ArcFormat
public import Foundation

// Objects of Foundation that represent values, in properties of type `Any`. Results of `JSONSerialization`
// and `userInfo` dictionaries contain such objects. They are restored as objects of the same class, without
// identity.

/// The archived form of an `NSNumber`, with a case for each kind of number.
@Archivable("Foundation.NSNumber") enum NumberForm: ErasedForm {
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case float(Float)
  case double(Double)
  case decimal(Decimal)

  static var __traits: __ValueTraits { .erased }

  init(erased number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      self = .decimal(decimal.decimalValue)
    } else if number === NSNumber(value: true) || number === NSNumber(value: false) {
      // The two Boolean objects have the same `objCType` as other small numbers.
      self = .bool(number.boolValue)
    } else {
      switch unsafe String(cString: number.objCType) {
      case "f": self = .float(number.floatValue)
      case "d": self = .double(number.doubleValue)
      case "Q": self = .unsigned(number.uint64Value)
      default: self = .integer(number.int64Value)
      }
    }
  }

  var restored: NSNumber {
    switch self {
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .unsigned(let value): NSNumber(value: value)
    case .float(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    }
  }
}

/// The archived form of an `NSNull`, which consists only of its type.
@Archivable("Foundation.NSNull") struct NullForm: ErasedForm {
  static var __traits: __ValueTraits { .erased }
  init(erased null: NSNull) {}
  var restored: NSNull { NSNull() }
}

/// The archived form of an `NSString`.
@Archivable("Foundation.NSString") struct StringForm: ErasedForm {
  let text: String
  static var __traits: __ValueTraits { .erased }
  init(erased string: NSString) { text = string as String }
  var restored: NSString { NSString(string: text) }
}

extension NSNumber: ErasedObject {
  package var erasedForm: any ErasedForm { NumberForm(erased: self) }
}

extension NSNull: ErasedObject {
  package var erasedForm: any ErasedForm { NullForm(erased: self) }
}

extension NSString: ErasedObject {
  package var erasedForm: any ErasedForm { StringForm(erased: self) }
}
