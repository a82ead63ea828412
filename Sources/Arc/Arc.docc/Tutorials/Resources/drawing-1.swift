import Arc

/// The classes as the first release had them; a program would have the last ones only.
enum Version1 {
  @Archivable("Drawing") final class Drawing {
    var title = ""
    var shapes: [Shape] = []
    var selected: Shape?
  }
}
