import Arc

/// The classes of version 1 in the article's example.
enum EarlierPolygons {
  @Archivable("Point") final class Point {
    let x, y: Double
    init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  }
  @Archivable("Polygon") final class Polygon {
    static let archiveVersion = 1
    var points: [Point] = []
    var width = 10
  }
}

/// Returns an archive as version 1 of the program writes it.
func archiveOfAnEarlierPolygon() throws -> [UInt8] {
  let old = EarlierPolygons.Polygon()
  old.points = [.init(1, 2), .init(3, 4)]
  return try Archiver().archive(old)
}

/// The classes of version 0 in the article's example.
enum EarlierCustomers {
  @Archivable("Customer") final class Customer { var name = "", mail = "", phone = "" }
}

/// The class with a deprecated property on the page of changes, before and after the change.
enum EarlierSheets {
  @Archivable("Sheet") final class Sheet { var size = 3.0 }
}
@Archivable final class Sheet {
  @Key("size") private var storedSize = 1.0
  @available(*, deprecated, renamed: "area") var size: Double { storedSize }
  var area: Double { storedSize * storedSize }
}

/// The classes of a program in which tints had no columns.
enum EarlierTints {
  struct CodedTint: Codable { var red = 0.25, green = 0.5, blue = 1.0 }
  @Archivable("Brush") final class Brush { @Coded var tint = CodedTint() }
  struct OldTint: Codable, ArchivableByCoding { var red = 0.0 }
  @Archivable("Brush") final class RedBrush {
    @Key("paint") @Key("tint", from: OldTint.self, { $0.red }) var red = 0.0
  }
  /// A program in which the property has its old key.
  @Archivable("Brush") final class BrushWithoutKey { var tint = Tint() }
}

@Archivable struct Tint: Codable { var red = 0.0, green = 0.0, blue = 0.0 }

@Archivable final class Brush {  // was: @Coded var tint = Tint()
  @Key("paint") @Key("tint", from: CodableValue<Tint>.self, { $0.value }) var tint = Tint()
}

/// The classes of a program before it measured strokes in points.
enum EarlierStrokes {
  @Archivable("Stroke") struct Stroke { var width = 10, red = 0, green = 0 }
}

@Archivable struct Stroke {  // was: var width = 10, var red = 0, var green = 0
  @Key("points") @Key("width", from: Int.self, { Double($0) / 10 }) var points = 1.0
  @Key("colour") @Key("red", "green", from: (Int, Int).self, { "\($0), \($1)" }) var colour = "black"
}

@Archivable struct Corner { var x = 0.0, y = 0.0 }

@Archivable final class Polygon {
  static let archiveVersion = 2
  var corners: [Corner] = []  // before version 2, objects of a class 'Point'
  var outline = 1.0  // before version 2, 'width' in tenths
  static func migrate(_ polygon: inout MigratedObject, from version: Int) throws {
    let graph = polygon.graph
    polygon["corners"] = .array(
      try polygon["points"]?.elements?.compactMap(\.objectID).map { id in
        let point = try graph.object(id)
        return .fields(["x": point["x"] ?? 0.0, "y": point["y"] ?? 0.0])
      } ?? [])
    if let width = polygon["width"]?.int { polygon["outline"] = .double(Double(width) / 10) }
  }
}

@Archivable final class Contact { var mail = "", phone = "" }

@Archivable final class Customer {
  static let archiveVersion = 1
  var name = ""
  var contact: Contact?  // in version 0, 'mail' and 'phone' of the customer
  static func migrate(_ customer: inout MigratedObject, from version: Int) {
    guard let mail = customer["mail"], let phone = customer["phone"] else { return }
    let contact = customer.graph.addObject(ofClass: "Contact", ["mail": mail, "phone": phone])
    customer["contact"] = .reference(contact)
  }
}
