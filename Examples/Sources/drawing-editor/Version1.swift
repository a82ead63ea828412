import Arc

/// The classes of the first release. A real program would contain only its latest classes.
enum Version1 {
  @Archivable("Drawing") final class Drawing {
    var title = ""
    var shapes: [Shape] = []
    var selected: Shape?
  }

  @Archivable("Shape") class Shape {
    var x = 0
    var y = 0
    var lineWidth = 10  // in tenths of a point
  }

  @Archivable("Circle") final class Circle: Shape {
    var radius = 1
  }
}
