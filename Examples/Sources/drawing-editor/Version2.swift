import Arc

/// The classes of the second release: groups are new, and several shapes can be selected.
enum Version2 {
  @Archivable("Drawing") final class Drawing {
    @Key("name", "title") var name = ""
    var shapes: [Shape] = []
    @Key("selection", "selected") var selection: [Shape] = []
  }

  @Archivable("Shape") class Shape {
    var x = 0.0
    var y = 0.0
    @Key("lineWidth", from: Int.self, { Double($0) / 10 }) var width = 1.0
    weak var group: Group?
  }

  @Archivable("Circle") final class Circle: Shape {
    var radius = 1.0
  }

  @Archivable("Group") final class Group: Shape {
    var members: [Shape] = []
  }
}
