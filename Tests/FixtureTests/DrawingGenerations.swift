import Arc

// Three generations of the classes of a drawing editor. The last generation reads the files of all
// generations in `Fixtures/generations`.

/// The first release.
enum Drawing1 {
  @Archivable("Drawing") final class Drawing {
    var title = ""
    /// The scale in percent.
    var scale = 100
    var shapes: [Shape] = []
    var selection: Shape?
    var tags: [String] = []
    var notes: [Note] = []
    init() {}
  }
  @Archivable("Shape") class Shape {
    var left = 0
    var top = 0
    /// The line width in tenths of a point.
    var lineWidth = 10
    var colour = "#000000"
    weak var parent: Group?
    init() {}
  }
  @Archivable("Circle") final class Circle: Shape { var radius: Float = 1 }
  @Archivable("Text") final class Text: Shape { var string = "" }
  @Archivable("Group") final class Group: Shape { var children: [Shape] = [] }
  @Archivable("Note") final class Note { var text = "" }
}

/// The second release: colours are values, shapes have positions, notes were removed, and a class has another
/// name.
enum Drawing2 {
  @Archivable("Drawing") final class Drawing {
    var title: String?
    var scale = 100.0
    var shapes: [Shape] = []
    var selection: [Shape] = []
    var tags: Set<String> = []
    init() {}
  }
  @Archivable("Point") struct Point { var x = 0.0, y = 0.0 }
  @Archivable("Colour") struct Colour { var red = 0.0, green = 0.0, blue = 0.0 }
  @Archivable("Dash") enum Dash {
    case solid
    case dashed(length: Int)
  }
  @Archivable("Shape") class Shape {
    class var archiveVersion: Int { 1 }
    var position = Point()
    var width = 1.0
    var colour = Colour()
    var dash = Dash.solid
    weak var parent: Group?
    init() {}
  }
  @Archivable("Ellipse") final class Ellipse: Shape { var radius = 1.0 }
  @Archivable("Text") final class Text: Shape { var string = "" }
  @Archivable("Group") final class Group: Shape { var children: [Shape] = [] }
}

/// The current release: a group's children are constant, and fonts are objects that several text shapes
/// share.
enum Drawing3 {
  @Archivable("Drawing") final class Drawing {
    let title: String?
    var scale = 1.0
    var shapes: [Shape] = []
    @Key("selected", "selection") var selected: [Shape] = []
    var tags: Set<String> = []
    var author = "unknown"
    static let archiveVersion = 2
    init(title: String?) { self.title = title }

    static func migrate(_ drawing: inout MigratedObject, from version: Int) throws {
      if let percent = drawing["scale"]?.double { drawing["scale"] = .double(percent / 100) }
    }
  }
  @Archivable("Point") struct Point: Equatable { var x = 0.0, y = 0.0 }
  @Archivable("Colour") struct Colour: Equatable { var red = 0.0, green = 0.0, blue = 0.0, alpha = 1.0 }
  @Archivable("Dash") enum Dash: Equatable {
    case dashed(length: Double, gap: Double = 1)
    case solid, dotted
  }

  @Archivable("Shape") class Shape {
    class var archiveVersion: Int { 2 }
    @Key("left", "top", from: (Int, Int).self, { Point(x: Double($0), y: Double($1)) })
    var position = Point()
    @Key("lineWidth", from: Int.self, { Double($0) / 10 }) var width = 1.0
    var colour = Colour()
    var dash = Dash.solid
    weak var parent: Group?
    init() {}

    class func migrate(_ shape: inout MigratedObject, from version: Int) throws {
      guard version < 1, let text = shape["colour"]?.string, let number = Int(text.dropFirst(), radix: 16)
      else { return }
      let parts = [16, 8, 0].map { Double(number >> $0 & 255) / 255 }
      shape["colour"] = .structure(
        name: "Colour",
        fields: zip(["red", "green", "blue", "alpha"], parts + [1]).map {
          .init(name: $0, value: .double($1))
        })
    }
  }
  @Archivable("Ellipse") final class Ellipse: Shape {
    @Key("radius", from: Double.self, { [$0, $0] }) var radii: [Double] = []
  }
  @Archivable final class Font {
    let name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("Text") final class Text: Shape {
    override class var archiveVersion: Int { 1 }
    var string = ""
    var font: Font?

    override class func migrate(_ text: inout MigratedObject, from version: Int) throws {
      text["font"] = .reference(text.graph.addObject(ofClass: "Drawing3.Font", ["name": "Serif"]))
    }
  }
  @Archivable("Group") final class Group: Shape {
    let children: [Shape]
    init(_ children: [Shape]) {
      self.children = children
      super.init()
    }
  }
}
