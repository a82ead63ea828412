import Arc

// The present classes: a point is a structure, and shapes have colours. They read files of older releases.

@Archivable final class Drawing {
  @Key("name", "title") var name = ""
  var shapes: [Shape] = []
  @Key("selection", "selected") var selection: [Shape] = []
}

@Archivable class Shape {
  class var archiveVersion: Int { 3 }
  var position = Point()
  @Key("lineWidth", from: Int.self, { Double($0) / 10 }) var width = 1.0
  var colour = Colour.black
  weak var group: Group?

  class func migrate(_ shape: inout MigratedObject, from version: Int) throws {
    let coordinates = ["x", "y"].map { key in
      ArchiveValue.Field(name: key, value: .double(shape[key]?.double ?? Double(shape[key]?.int ?? 0)))
    }
    shape["position"] = .structure(name: "Point", fields: coordinates)
  }
}

@Archivable final class Circle: Shape {
  var radius = 1.0
}

@Archivable final class Group: Shape {
  var members: [Shape] = []
}

@Archivable struct Point: Equatable {
  var x = 0.0
  var y = 0.0
}

@Archivable enum Colour: Equatable {
  case black
  case rgb(red: Double, green: Double, blue: Double)
}
