/// The names of classes that an import treats specially.
enum FoundationNames {
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
