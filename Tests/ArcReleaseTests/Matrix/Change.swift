import Arc
import ArcFormat

/// A change of a type between two releases, with the values that the newer release reads for old values.
struct Change<Old: ArchivableValue, New: ArchivableValue> {
  /// The types or a description of the change, as on the page.
  let name: String
  let samples: [Sample<Old, New>]
  /// Whether the types in the file show that values must be checked. The types of raw values and of
  /// references do not show this, because the newer release writes the same types.
  var isVisible = true
  /// Whether the older release finds all of its values in a file that the newer release saved.
  var comesBack = true
  /// The classes of the values in the older release.
  var oldClasses: [any ArchivableValue.Type] = []
  /// The classes of the values in the newer release.
  var classes: [any ArchivableValue.Type] = []
  /// Values that only the newer release has.
  var newer: [New] = []
  /// Registers the classes that the newer release registers.
  var register: (ClassTable) throws -> Void = { _ in }
  /// Registers the classes that the older release registers.
  var registerOld: (ClassTable) throws -> Void = { _ in }
  /// Whether `differences` calls the change lossy.
  var isLossy = false
  /// The value that the newer release reads if the older release replaced another value by the value of the
  /// first sample; nil if it reads the expected value of the sample. In a list, the elements that the older
  /// release does not know are preserved.
  var replacement: New?
  /// The policy of the newer release for objects with a version above its own.
  var newerVersions = NewerVersionPolicy.refuse
}

/// An old value, and the value that the newer release reads.
struct Sample<Old, New> {
  let old: Old
  let expected: Expected<New>
  /// The value that a program reads if it leaves out unknown content.
  let withoutUnknown: Expected<New>
}

/// A row of the hand-written table: the value that is read, or the code of the error.
enum Expected<Value> {
  case value(Value)
  case refused(ArchiveError.Code)
  /// The value is omitted, together with the element or optional that contains it.
  case lost

  var value: Value? { if case .value(let value) = self { value } else { nil } }
}

extension Change {
  /// Creates a change from values that are read as other values, and from values that are refused.
  init(
    _ name: String, _ values: [(Old, New)], refused: [(Old, ArchiveError.Code)] = [],
    unknown: [(Old, ArchiveError.Code, New?)] = [], types: [any ArchivableValue.Type] = [],
    classes: [any ArchivableValue.Type] = [], isLossy: Bool = false, isVisible: Bool = true,
    comesBack: Bool = true, newer: [New] = []
  ) {
    self.name = name
    samples =
      values.map { Sample(old: $0, expected: .value($1), withoutUnknown: .value($1)) }
      + refused.map {
        Sample(old: $0, expected: .refused($1), withoutUnknown: .refused($1))
      }
      + unknown.map {
        Sample(old: $0, expected: .refused($1), withoutUnknown: $2.map { .value($0) } ?? .lost)
      }
    register = { classes in for type in types { try classes.register(all: type) } }
    self.classes = classes
    oldClasses = classes
    self.newer = newer
    (self.isLossy, self.isVisible, self.comesBack) = (isLossy, isVisible, comesBack)
  }
}
