import ArcArchive
import ArcFormat
import ArcMemory
import ArcRuntime
import ArcTestSupport
import XCTest

@testable import Arc

/// Values can compute references to objects that another property stores. Such an object is archived once.
final class ComputedReferenceTests: XCTestCase {
  /// Returns the chain `main` → `child` → `grandchild`, with other values that compute references to
  /// `grandchild`. Only the property of `child` retains `grandchild`.
  private func huts() -> Hut {
    let main = Hut("main")
    main.next = Hut("child")
    main.next?.next = Hut("grandchild")
    return main
  }

  private func objectCount(_ root: some ArchivableValue) throws -> Int {
    try ArchiveFile(bytes: Archiver().archive(root)).rowCount - 1
  }

  func testObjectInComputedRawValueIsArchivedOnce() throws {
    let main = huts()
    let root = Trail(main, .handle(TrailHandle(of: main.next)))
    XCTAssertEqual(try objectCount(root), 7)
    let copy = try roundTrip(root)
    guard case .handle(let handle)? = copy.bend?.bend?.mark, case .hut(let hut)? = handle.rawValue.first
    else {
      return XCTFail("no handle")
    }
    XCTAssertTrue(hut === copy.main?.next?.next)
    XCTAssertEqual(hut.name, "grandchild")
  }

  func testObjectInWrappedStructureFieldIsArchivedOnce() throws {
    let main = huts()
    let root = Trail(main, .none)
    root.bend?.bend?.post = Post()
    root.bend?.bend?.post.$more = { [weak child = main.next] in [Post(hut: child?.next)] }
    XCTAssertEqual(try objectCount(root), 7)
    let copy = try roundTrip(root)
    XCTAssertTrue(copy.bend?.bend?.post.more.first?.hut === copy.main?.next?.next)
  }

  func testObjectInWrappedRootFieldIsArchivedOnce() throws {
    let main = huts()
    var root = Post()
    root.$more = { [weak child = main.next] in [Post(hut: child?.next)] }
    root.main = main
    XCTAssertEqual(try objectCount(root), 3)
    XCTAssertEqual(try objectCount(root), 3, "also by an encoder that is used again")
    let copy = try roundTrip(root)
    XCTAssertTrue(copy.more.first?.hut === copy.main?.next?.next)
  }

  /// [W7]
  func testObjectArchivedTwiceIsDetectedInDebugRuns() throws {
    let root = Path(huts())
    root.path?.path?.hidden = Hidden { [weak child = root.main?.next] in child?.next }
    try assertIdentityIsLost("class 'Hut', object #", root)
  }

  func testMissedWeakTargetIsDetectedInDebugRuns() throws {
    let root = Path(huts())
    root.path?.path?.hiddenWeak = HiddenWeak { [weak child = root.main?.next] in child?.next }
    try assertIdentityIsLost("weak reference", root)
  }

  func testEncoderIsReleasedAfterArchiving() throws {
    weak var writer: ClassWriter?
    weak var encoder: GraphEncoder?
    do {
      // The archiver calls a class with hand-written coding to determine the objects that it requires for
      // construction.
      let contact = Contact("Ada")
      let own = GraphEncoder(options: .init(isCanonical: true))
      encoder = own
      _ = try own.archive(roots: [("root", [contact, contact])])
      writer = try own.writer(of: contact)
      XCTAssertNotNil(writer)
    }
    XCTAssertNil(encoder)
    XCTAssertNil(writer)
  }

  /// Asserts that only code that relies on reference counts misses hidden references.
  private func assertIdentityIsLost(_ text: String, _ root: Path) throws {
    let encoder = GraphEncoder(options: .init())
    encoder.checksIdentity = true
    guard UniqueReference.word != 0 else {
      _ = try encoder.archive(roots: [("root", root)])
      return
    }
    assertThrows(.lostIdentity, text) { try encoder.archive(roots: [("root", root)]) }
  }
}

@Archivable private final class Hut {
  let name: String
  var next: Hut?
  init(_ name: String) { self.name = name }
}

@Archivable private indirect enum Mark {
  case none
  case hut(Hut)
  case handle(TrailHandle)
}

/// A handle for a hut after another hut, which it does not retain.
private struct TrailHandle: RawRepresentable, ArchivableValue {
  private weak var before: Hut?
  private var kept: [Mark] = []

  init(of hut: Hut?) { before = hut }
  init(rawValue: [Mark]) { kept = rawValue }

  var rawValue: [Mark] { before?.next.map { [.hut($0)] } ?? kept }
}

/// A wrapper that returns the result of a closure instead of the stored value.
@propertyWrapper
private struct Looked<Value> {
  private var stored: Value
  var projectedValue: (() -> Value)?

  init(wrappedValue: Value) { stored = wrappedValue }

  var wrappedValue: Value {
    get { projectedValue?() ?? stored }
    set { stored = newValue }
  }
}

@Archivable private struct Post {
  @Looked var more: [Post] = []
  var hut: Hut?
  var main: Hut?

  init(hut: Hut? = nil) { self.hut = hut }
}

/// A trail so long that the huts have numbers before the last bend returns its reference.
@Archivable private final class Trail {
  var main: Hut?
  var bend: Trail?
  var mark = Mark.none
  var post = Post()

  init() {}

  convenience init(_ main: Hut, _ mark: Mark) {
    self.init()
    self.main = main
    bend = Trail()
    bend?.bend = Trail()
    bend?.bend?.bend = Trail()
    bend?.bend?.mark = mark
  }
}

@Archivable private final class Path {
  var main: Hut?
  var path: Path?
  var hidden = Hidden()
  var hiddenWeak = HiddenWeak()

  init() {}

  convenience init(_ main: Hut) {
    self.init()
    self.main = main
    path = Path()
    path?.path = Path()
  }
}

/// A value that computes a reference without Arc's knowledge, which no macro and no documented API does.
private struct Hidden: ArchivableValue {
  var hut: () -> Hut? = { nil }

  static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    Hut?.__typeEncoding(in: context)
  }
  static func __read(from column: ColumnReader) throws -> Hidden {
    let hut = try Hut?.__read(from: column)
    return Hidden { hut }
  }
  func __write(to column: ColumnWriter) throws { try hut().__write(to: column) }
}

private struct HiddenWeak: ArchivableValue {
  var hut: () -> Hut? = { nil }

  static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    .weak(Hut.__typeEncoding(in: context))
  }
  static func __read(from column: ColumnReader) throws -> HiddenWeak {
    let hut = try Hut?.__read(from: column)
    return HiddenWeak { hut }
  }
  func __write(to column: ColumnWriter) throws {
    let hut = hut()
    column.append(weak: hut)
  }
}
