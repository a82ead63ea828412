import Arc
import ArcFormat

/// A change of a type between two releases, with what old values are read as.
struct Change<Old: ArchivableValue, New: ArchivableValue> {
  /// The types or the change in words, as the page has it.
  let name: String
  let samples: [Sample<Old, New>]
  /// Whether the type in the file shows that there is something to check. The types of a raw value and of a
  /// reference do not: they are what the newer release writes as well.
  var isVisible = true
  /// Whether the older release finds all of its values in what the newer release saves.
  var comesBack = true
  /// The classes of the values in the older release.
  var oldClasses: [any ArchivableValue.Type] = []
  /// The classes of the values in the newer release.
  var classes: [any ArchivableValue.Type] = []
  /// Values that only the newer release has.
  var newer: [New] = []
  /// Registers what the newer release registers.
  var register: (ClassTable) throws -> Void = { _ in }
  /// Registers what the older release registers.
  var registerOld: (ClassTable) throws -> Void = { _ in }
  /// Whether `differences` calls the change lossy.
  var isLossy = false
  /// What the newer release reads where the older release set the first sample's value in place of another
  /// one; nil if it is that value. The elements that the older release does not know stay in a list.
  var replacement: New?
  /// What the newer release does with objects of a version above its own.
  var newerVersions = NewerVersionPolicy.refuse
}

/// An old value with what the newer release reads.
struct Sample<Old, New> {
  let old: Old
  let expected: Expected<New>
  /// What is read by a program that leaves unknown content out.
  let withoutUnknown: Expected<New>
}

/// A line of the hand-written table: the value that is read, or the code of the error.
enum Expected<Value> {
  case value(Value)
  case refused(ArchiveError.Code)
  /// The value is left out with the element or optional that has it.
  case lost

  var value: Value? { if case .value(let value) = self { value } else { nil } }
}

extension Change {
  /// Values that are read as others, and values that are refused.
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
