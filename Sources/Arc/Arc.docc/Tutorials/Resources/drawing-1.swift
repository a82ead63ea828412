import Arc

/// The classes as the first release had them; a program would have the last ones only.
enum Version1 {
  @Archivable("Shape") class Shape {
    var x = 0
    var y = 0
    var lineWidth = 10  // in tenths of a point
  }

  @Archivable("Circle") final class Circle: Shape {
    var radius = 1
  }
}
