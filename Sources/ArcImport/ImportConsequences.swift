import ArcForeign
import ArcFormat

extension ArchiveError {
  /// The error without the reasons that only follow from its other reasons.
  ///
  /// If a value does not fit a property, the objects in the value keep the classes of the file, such as
  /// `NSArray`. The program does not have these classes, so each of them would be an additional reason.
  var withoutConsequences: ArchiveError {
    var first = self
    (first.otherReasons, first.omittedReasonCount) = ([], 0)
    let reasons = ([first] + otherReasons).map(\.explainingNull)
    let causes = reasons.filter { !$0.isUnknownFoundationClass }
    guard var cause = causes.first else {
      first.remedy =
        "declare the property that reaches the object with the Swift type for the class; "
        + "the page 'What becomes of a keyed archive' lists the types"
      return first
    }
    cause.otherReasons = Array(causes.dropFirst())
    cause.omittedReasonCount = omittedReasonCount
    return cause
  }

  /// The error. If the program lacks the class for `NSNull` in a collection of `Any`, the remedy names the
  /// module that has this class.
  private var explainingNull: ArchiveError {
    guard code == .unknownClass, className == "Foundation.NSNull" else { return self }
    var error = self
    error.remedy = "import ArcFoundation, which creates NSNull"
    return error
  }

  /// Whether the error is about a class that the program lacks because the class belongs to Foundation, or
  /// because an import created it.
  private var isUnknownFoundationClass: Bool {
    guard code == .unknownClass, let className else { return false }
    return FoundationNames.isOwn(className)
  }
}
