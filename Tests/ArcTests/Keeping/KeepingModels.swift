import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// A program with all classes of a drawing.
enum WholeProgram {
  @Archivable("Kept.Shape") class Shape {
    var name: String
    var group: Group?
    var weight = 7
    init(_ name: String) { self.name = name }
  }
  @Archivable("Kept.Circle") final class Circle: Shape {
    var radius = 1.5
  }
  @Archivable("Kept.Star") final class Star: Shape {
    var points = 5
    var partner: Shape?
    var corners: [Corner] = []
  }
  /// Only stars refer to objects of this class.
  @Archivable("Kept.Corner") final class Corner {
    var angle: Double
    unowned let star: Star
    init(_ angle: Double, of star: Star) {
      self.angle = angle
      self.star = star
    }
  }
  @Archivable("Kept.Group") final class Group {
    let members: [Shape]
    weak var first: Shape?
    init(_ members: [Shape]) {
      self.members = members
      first = members.first
    }
  }
  @Archivable("Kept.Sheet") final class Sheet {
    var title = ""
    var shapes: [Shape] = []
    var best: Shape?
    weak var latest: Shape?
    var byName: [String: Shape] = [:]
    var layers: [[Shape]] = []
    var notes = ["a", "b"]
    var groups: [Group] = []
    init() {}
  }

  static func classes() throws -> ClassTable {
    try ClassTable(declaring: Shape.self, Circle.self, Star.self, Corner.self, Group.self, Sheet.self)
  }

  static func read(_ bytes: [UInt8]) throws -> Sheet {
    try Unarchiver(classes: classes()).unarchive(Sheet.self, from: bytes)
  }

  /// Returns a drawing in which unknown and known objects of the other program refer to each other.
  static func sheet() -> Sheet {
    let (circle, star, other) = (Circle("circle"), Star("star"), Star("other"))
    let plain = Shape("plain")
    star.partner = circle
    other.partner = star
    star.corners = [Corner(0.5, of: star), Corner(1, of: star)]
    let group = Group([star, plain, other])
    let hidden = Group([Circle("hidden"), circle])
    (circle.group, star.group, other.group) = (group, group, hidden)
    (circle.weight, plain.weight) = (1, 2)
    let sheet = Sheet()
    sheet.title = "old"
    sheet.shapes = [star, circle, other, plain]
    sheet.best = star
    sheet.latest = other
    sheet.byName = ["star": star, "circle": circle]
    sheet.layers = [[star], [circle, star], []]
    sheet.notes = ["x"]
    sheet.groups = [hidden, group]
    return sheet
  }
}

/// A program that lacks half of the classes.
enum HalfProgram {
  @Archivable("Kept.Shape") class Shape {
    var name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("Kept.Circle") final class Circle: Shape { var radius = 1.5 }
  /// The substitute for shapes of unknown classes.
  @Archivable("Kept.Blank") final class Blank: Shape {}
  @Archivable("Kept.Sheet") final class Sheet {
    var title = ""
    var shapes: [Shape] = []
    var best: Shape?
    weak var latest: Shape?
    var byName: [String: Shape] = [:]
    var layers: [[Shape]] = []
    init() {}
  }

  static func read(
    _ bytes: [UInt8], preserving content: PreservedContent, standingIn: Bool = false
  ) throws -> Sheet {
    let classes = try ClassTable(declaring: Shape.self, Circle.self, Blank.self, Sheet.self)
    let policy: UnknownContentPolicy =
      standingIn ? .preserve(in: content, substituting: Blank.self) : .preserve(in: content)
    return try Unarchiver(classes: classes, unknownContent: policy).unarchive(Sheet.self, from: bytes)
  }
}

extension PreservedContent {
  /// Reads an archive as a type, changes the value and saves it. Returns the saved archive.
  func saved<Half: ArchivableValue>(
    _ bytes: [UInt8], as half: Half.Type, with unarchiver: Unarchiver = Unarchiver(),
    _ change: (inout Half) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    var unarchiver = unarchiver
    unarchiver.unknownContent = .preserve(in: self)
    var value = try unarchiver.unarchive(half, from: bytes)
    try change(&value)
    let saved = try Archiver(preserving: self).archive(value)
    try ArchiveFile(bytes: saved).verify()
    return saved
  }

  /// Has a program that knows half of a graph read, change and save it, and a program that knows all classes
  /// read the saved archive. The first program uses the table `classes`, the second the table `back`, which
  /// can contain older versions of classes.
  func pass<Whole: ArchivableValue, Half: ArchivableValue>(
    _ whole: Whole, as half: Half.Type, through classes: [any ArchivableValue.Type] = [],
    back: [any ArchivableValue.Type] = [], allowing newerVersions: NewerVersionPolicy = .refuse,
    _ change: (inout Half) -> Void = { _ in }
  ) throws -> Whole {
    let saved = try saved(
      Archiver().archive(whole), as: half, with: Unarchiver(classes: ClassTable(declaring: classes)), change)
    return try Unarchiver(classes: ClassTable(declaring: back), newerVersions: newerVersions)
      .unarchive(Whole.self, from: saved)
  }
}

extension ClassTable {
  /// Creates a table in which a class is registered under the name of the root's class in a file.
  convenience init<Class: Archivable>(_ type: Class.Type, asRootOf bytes: [UInt8]) throws {
    self.init(scope: .declared)
    try register(type, formerly: ArchiveFile(bytes: bytes).classes[1].name)
  }
}
