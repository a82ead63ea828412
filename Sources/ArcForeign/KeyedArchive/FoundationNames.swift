/// The names of classes that an import treats specially.
package enum FoundationNames {
  /// Whether a class belongs to Foundation, or is one of the classes that an import creates for containers.
  package static func isOwn(_ name: String) -> Bool {
    // As in NSArray: Foundation's prefix, then a capital letter.
    let parts = name.utf8.prefix(3)
    let isFoundation =
      parts.count == 3 && name.hasPrefix("NS")
      && parts.last.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ?? false
    return isFoundation || [plainArray, plainSet, plainDictionary].contains(name)
  }

  /// Classes whose objects are values in an archive.
  static let values: Set<String> = [
    "NSString", "NSMutableString", "NSData", "NSMutableData", "NSDate", "NSUUID", "NSURL", "NSNull",
    "NSNumber",
    "NSDecimalNumber", "NSDecimalNumberPlaceholder",
  ]
  // The classes of containers that a property list stores without an object.
  static let plainArray = "PropertyListArray"
  static let plainSet = "PropertyListSet"
  static let plainDictionary = "PropertyListDictionary"
}
