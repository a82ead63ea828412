/// Names of classes that mean something to an import.
enum FoundationNames {
  /// Classes whose objects are values in an archive.
  static let values: Set<String> = [
    "NSString", "NSMutableString", "NSData", "NSMutableData", "NSDate", "NSUUID", "NSURL", "NSNull",
    "NSNumber",
    "NSDecimalNumber", "NSDecimalNumberPlaceholder",
  ]
  // What containers of a property list are called that stand in place of objects.
  static let plainArray = "PropertyListArray"
  static let plainSet = "PropertyListSet"
  static let plainDictionary = "PropertyListDictionary"
}
