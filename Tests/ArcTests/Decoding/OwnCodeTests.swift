import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Observation
import XCTest

/// Archiving and reading run no observers, no accessors of overrides, and no accessors of property wrappers
/// that store their value, for each kind of class and each API.
final class OwnCodeTests: XCTestCase {
  /// Returns functions that read the archive by each API.
  private func readings<Object: OwnCoded>(
    of root: OwnCodeRoot<Object>
  ) -> [(name: String, read: () throws -> OwnCodeRoot<Object>)] {
    let type = OwnCodeRoot<Object>.self
    return [
      ("unarchived", { try reread(root, as: type) }),
      ("canonical", { try Unarchiver().unarchive(type, from: Archiver(isCanonical: true).archive(root)) }),
      ("session", { try LazyArchive(bytes: Archiver().archive(root)).object(type, at: "root") }),
      (
        "lazy",
        {
          let lazy = OwnCodeLazyRoot<Object>()
          lazy.root = Lazy(root)
          let read = try reread(lazy, as: OwnCodeLazyRoot<Object>.self)
          return try XCTUnwrap(read.root?.load())
        }
      ),
      ("copied", { try ObjectGraph.copy(root) }),
      ("snapshot", { try Unarchiver().unarchive(type, from: Archiver().snapshot(of: root).archive()) }),
      (
        "recovered",
        {
          let bytes = try ArchiveRecovery(bytes: Archiver().archive(root)).archive()
          return try Unarchiver().unarchive(type, from: bytes)
        }
      ),
      (
        "kept",
        {
          let content = PreservedContent()
          let bytes = try Archiver().archive(root)
          let read = try Unarchiver(unknownContent: .preserve(in: content)).unarchive(type, from: bytes)
          return try Unarchiver().unarchive(type, from: Archiver(preserving: content).archive(read))
        }
      ),
      (
        "copied object by object",
        {
          let copy = OwnCodeRoot<Object>()
          copy.anchor = root.anchor
          copy.objects = try root.objects.map {
            try ObjectGraph.shallowCopy(of: $0)
          }
          return copy
        }
      ),
    ]
  }

  private func assertNothingRuns<Object: OwnCoded>(
    in type: Object.Type, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let root = OwnCodeRoot<Object>()
    root.objects = [Object(), Object()]
    for object in root.objects { object.fill(root.anchor) }
    let stored = root.objects[0].stored
    for (name, read) in readings(of: root) {
      OwnCode.calls = []
      let copy = try read()
      XCTAssertEqual(OwnCode.calls, [], "\(type) \(name)", file: file, line: line)
      XCTAssertEqual(copy.objects.map(\.stored), [stored, stored], "\(type) \(name)", file: file, line: line)
      XCTAssertEqual(root.objects.map(\.stored), [stored, stored], "\(type) \(name)", file: file, line: line)
      XCTAssertTrue(try ObjectGraph.isIsomorphic(root, copy), "\(type) \(name)", file: file, line: line)
      try ObjectGraph.release(copy)
      // Values that are still in use may be shared with the copy.
      for object in root.objects { object.fill(root.anchor) }
    }
  }

  func testObserversOfAFinalClassDoNotRun() throws { try assertNothingRuns(in: FinalObserved.self) }

  func testObserversOfAnOpenClassDoNotRun() throws { try assertNothingRuns(in: OpenObserved.self) }

  func testObserversOfSubclassWithoutInitializerDoNotRun() throws {
    try assertNothingRuns(in: InheritingObserved.self)
  }

  func testObserversInOverridesDoNotRun() throws { try assertNothingRuns(in: ObservingOverrides.self) }

  func testGettersAndSettersOfOverridesDoNotRun() throws {
    try assertNothingRuns(in: ComputingOverrides.self)
  }

  func testOverridesInClassWithoutArchivableDoNotRun() throws {
    try assertNothingRuns(in: BelowUnmarked.self)
  }

  func testOverridesWithInheritedInitializerDoNotRun() throws {
    try assertNothingRuns(in: InheritingOverrides.self)
  }

  func testObserversOfAnObservableClassDoNotRun() throws {
    try assertNothingRuns(in: ObservableCoded.self)
    try assertNothingRuns(in: ObservableWithoutInit.self)
  }

  func testPropertyWrappersWithStoredValuesDoNotRun() throws { try assertNothingRuns(in: WrapperCoded.self) }

  func testObserversOfEveryPropertyFormDoNotRun() throws {
    try assertNothingRuns(in: FormCoded.self)
    try assertNothingRuns(in: FormOverrides.self)
  }

  func testOverridesOfAGenericClassDoNotRun() throws { try assertNothingRuns(in: GenericOverrides.self) }

  func testObservationDoesNotTrackArchiving() throws {
    let object = ObservableCoded()
    let anchor = Anchor("a")
    object.fill(anchor)
    object.owner = nil
    OwnCode.calls = []
    withObservationTracking({ _ = try? Archiver().archive(object) }, onChange: { OwnCode.note("tracked") })
    object.number = 7
    XCTAssertEqual(OwnCode.calls, [])
    withExtendedLifetime(anchor) {}
  }

  func testSettingAValueByKeyCallsTheSetter() throws {
    let object = ObservingOverrides()
    OwnCode.calls = []
    try object.setValue(5, forKey: "number")
    XCTAssertEqual(OwnCode.calls, ["number"])
  }

  func testObserversOfConvertedPropertiesDoNotRun() throws {
    let older = OlderLength()
    older.inches = 4
    older.anchors = [Anchor("a")]
    OwnCode.calls = []
    let read = try reread(older, as: NewerLength.self)
    XCTAssertEqual(OwnCode.calls, [])
    XCTAssertEqual(read.halves, 8)
    XCTAssertEqual(read.anchor?.name, "a")
  }

  func testReadingMigratedObjectsRunsNoObservers() throws {
    let older = OldOwnCode()
    older.link = Anchor("a")
    OwnCode.calls = []
    let read = try reread(older, as: NewOwnCode.self)
    XCTAssertEqual(OwnCode.calls, [])
    XCTAssertEqual(read.size, 20)
    XCTAssertEqual(read.link?.name, "a")
  }

  func testReadingReplacedObjectsRunsNoObservers() throws {
    let old = Replaced()
    (old.link, old.number) = (Anchor("a"), 7)
    OwnCode.calls = []
    let read = try reread([old], as: [Replaced].self)
    XCTAssertEqual(OwnCode.calls, [])
    XCTAssertEqual(read[0].number, 8)
    XCTAssertNil(read[0].link)
  }

  func testShallowCopyingRunsNoObserversOrOverrides() throws {
    let (observed, computed) = (CopiedObserved(), CopiedComputed())
    (observed.anchor, observed.number) = (Anchor("a"), 7)
    computed.setStored(5, Anchor("a"))
    OwnCode.calls = []
    let copy = try ObjectGraph.shallowCopy(of: observed)
    let other = try ObjectGraph.shallowCopy(of: computed)
    XCTAssertEqual(OwnCode.calls, [])
    XCTAssertTrue(copy.number == 7 && copy.anchor === observed.anchor)
    XCTAssertEqual(other.stored, computed.stored)
  }

  func testPropertyWrapperWithExternalStorageRoundTrips() throws {
    let object = ElsewhereCoded()
    object.number = 7
    object.counted = 8
    let read = try reread(object, as: ElsewhereCoded.self)
    XCTAssertEqual(read.number, 7)
    XCTAssertEqual(read.counted, 8)
    XCTAssertEqual(try ObjectGraph.copy(object).number, 7)
  }

  func testPropertyWrappersInStructuresDoNotRun() throws {
    let holder = WrappedFieldHolder()
    (holder.fields.number, holder.fields.word, holder.fields.elsewhere) = (7, "seven", 8)
    holder.list = [holder.fields, WrappedFields(required: 2)]
    let bytes = try Archiver().archive(holder)
    OwnCode.calls = []
    for read in [
      try Unarchiver().unarchive(WrappedFieldHolder.self, from: bytes), try ObjectGraph.copy(holder),
      try LazyArchive(bytes: bytes).object(WrappedFieldHolder.self),
    ] {
      XCTAssertEqual(OwnCode.calls, [])
      XCTAssertEqual(read.fields.number, 7)
      XCTAssertEqual(read.fields.word, "seven")
      XCTAssertEqual(read.fields.elsewhere, 8)
      XCTAssertEqual(read.list.map(\.number), [7, 1])
      XCTAssertEqual(read.list.map(\.word), ["seven", nil])
      XCTAssertEqual(read.list.map(\.required), [0, 2])
    }
  }
}

/// A wrapper that logs changes of its value.
@propertyWrapper
private struct NotedValue<Value> {
  var note = 0
  var wrappedValue: Value { didSet { OwnCode.note("wrapped \(wrappedValue)") } }
  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@Archivable private struct WrappedFields {
  @NotedValue var number = 1
  @NotedValue var required: Int
  @NotedValue var word: String? = nil
  @Elsewhere var elsewhere = 3
}

@Archivable private final class WrappedFieldHolder {
  var fields = WrappedFields(required: 0)
  var list: [WrappedFields] = []
}

@Archivable private final class OwnCodeLazyRoot<Object: OwnCoded> {
  var root: Lazy<OwnCodeRoot<Object>>?
  init() {}
}

@Archivable("OwnCodeLength") private final class OlderLength {
  var inches = 0
  var anchors: [Anchor] = []
}

@Archivable("OwnCodeLength") private final class NewerLength {
  @Key("inches", from: Int.self, { $0 * 2 })
  var halves = 1 { didSet { OwnCode.note("halves") } }
  @Key("anchors", from: [Anchor].self, { $0.first })
  var anchor: Anchor? { didSet { OwnCode.note("anchor") } }
}

@Archivable("OwnCodeVersion") private final class OldOwnCode {
  var size = 2
  var link: Anchor?
}

@Archivable("OwnCodeVersion") private final class NewOwnCode {
  static let archiveVersion = 1
  static func migrate(_ object: inout MigratedObject, from version: Int) throws {
    if let size = object["size"]?.int { object["size"] = .integer(Int128(size * 10)) }
  }
  var size = 2 { didSet { OwnCode.note("size") } }
  var link: Anchor? { didSet { OwnCode.note("link") } }
}

@Archivable private final class Replaced: UnarchiveReplacing {
  var number = 1 { didSet { OwnCode.note("number") } }
  var link: Anchor? { didSet { OwnCode.note("link") } }
  func replacementAfterUnarchiving(in context: ArchiveContext) -> any Archivable {
    let other = Replaced()
    other.number = number + 1
    OwnCode.calls = []
    return other
  }
}

@Archivable private class CopiedObserved {
  var number = 1 { didSet { OwnCode.note("number") } }
  var anchor: Anchor? { didSet { OwnCode.note("anchor") } }
}

@Archivable private final class CopiedComputed: CopiedObserved {
  override var number: Int {
    get { super.number + 100 }
    set { super.number = newValue - 100 }
  }
  override var anchor: Anchor? {
    get { nil }
    set { super.anchor = newValue }
  }
  var stored: String { "\(super.number) \(super.anchor?.name ?? "nil")" }
  func setStored(_ number: Int, _ anchor: Anchor) { (super.number, super.anchor) = (number, anchor) }
}

/// A wrapper that stores its value in an object, and another value of the type in a field.
@propertyWrapper
private struct Elsewhere {
  private let box: Reference<Int>
  private var last = 0
  init(wrappedValue: Int) { box = Reference(wrappedValue) }
  var wrappedValue: Int {
    get { box.value }
    set { (last, box.value) = (newValue, newValue) }
  }
}

/// A wrapper with two fields of the value's type.
@propertyWrapper
private struct CountedValue {
  private var changes = 0
  private var content: Int
  init(wrappedValue: Int) { content = wrappedValue }
  var wrappedValue: Int {
    get { content }
    set { (changes, content) = (changes + 1, newValue) }
  }
}

@Archivable private final class ElsewhereCoded {
  @Elsewhere var number = 0
  @CountedValue var counted = 0
  init() {}
}
