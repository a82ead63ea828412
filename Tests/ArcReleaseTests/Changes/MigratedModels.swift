import Arc

// Classes whose newer release has a version, and migrates the objects of the older release.

extension Older {
  @Archivable("M.Line") final class Line {
    var width = 25
    var untouched: Int?? = .some(nil)
    var list: [Int??] = [nil, .some(nil), 3]
    var cat: Cat? = Cat("line")
  }
  @Archivable("M.Gauge") final class Gauge {
    static let archiveVersion = 1
    var tenths = 25
    var cat: Cat? = Cat("gauge")
  }
  @Archivable("M.Customer") final class Customer {
    var name = "Ada"
    var mail = "a@b"
    var cat: Cat? = Cat("customer")
  }
  @Archivable("M.Folder") final class Folder {
    var notes: [Note] = []
    var bins: [Bin] = []
    init() {
      notes = [Note("a"), Note("gone"), Note("z")]
      bins = [Bin(notes[1])]
    }
  }
  @Archivable("M.Note") final class Note {
    var text: String
    init(_ text: String) { self.text = text }
  }
  @Archivable("M.Bin") final class Bin {
    var note: Note?
    init(_ note: Note) { self.note = note }
  }
  @Archivable("M.Point") final class Point { var x = 1.0, y = 2.0 }
  @Archivable("M.Polygon") final class Polygon { var points = [Point(), Point()] }
  @Archivable("M.Author") final class Author { var name = "a" }
  @Archivable("M.Book") final class Book {
    var author: Author? = Author()
    var editor: Author? = Author()
  }
}

extension Newer {
  @Archivable("M.Line") final class Line {
    static let archiveVersion = 1
    var width = 0.0
    var untouched: Int?? = 9
    var list: [Int??] = []
    var cat: Cat?
    static func migrate(_ line: inout MigratedObject, from version: Int) {
      if let width = line["width"]?.int { line["width"] = .double(Double(width) / 10) }
    }
  }
  @Archivable("M.Gauge") final class Gauge {
    static let archiveVersion = 3
    var points = 1.0
    var cat: Cat?
    var more: [Cat] = []
    static func migrate(_ gauge: inout MigratedObject, from version: Int) {
      guard let tenths = gauge["tenths"]?.int else { return }
      gauge["tenths"] = nil
      gauge["points"] = .double(Double(tenths) / 10)
    }
  }
  @Archivable("M.Contact") final class Contact { var mail = "" }
  @Archivable("M.Customer") final class Customer {
    static let archiveVersion = 2
    var name = ""
    var contact: Contact?
    var cat: Cat?
    static func migrate(_ customer: inout MigratedObject, from version: Int) {
      guard let mail = customer["mail"] else { return }
      customer["contact"] = .reference(customer.graph.addObject(ofClass: "M.Contact", ["mail": mail]))
    }
  }
  @Archivable("M.Folder") final class Folder {
    var notes: [Note] = []
    var bins: [Bin] = []
  }
  @Archivable("M.Note") final class Note {
    var text: String
    init(_ text: String) { self.text = text }
  }
  @Archivable("M.Bin") final class Bin {
    static let archiveVersion = 1
    var count = 0
    static func migrate(_ bin: inout MigratedObject, from version: Int) throws {
      guard let note = bin["note"]?.objectID else { return }
      try bin.graph.removeObject(note)
      bin["count"] = 1
    }
  }
  @Archivable("M.Corner") struct Corner { var x = 0.0, y = 0.0 }
  @Archivable("M.Polygon") final class Polygon {
    static let archiveVersion = 2
    var corners: [Corner] = []
    static func migrate(_ polygon: inout MigratedObject, from version: Int) throws {
      let graph = polygon.graph
      polygon["corners"] = .array(
        try polygon["points"]?.elements?.compactMap(\.objectID).map { id in
          let point = try graph.object(id)
          return .structure(
            name: "M.Corner", fields: ["x", "y"].map { .init(name: $0, value: point[$0] ?? 0.0) })
        } ?? [])
    }
  }
  @Archivable("M.Author") final class Author { var name = "" }
  @Archivable("M.Book") final class Book {
    static let archiveVersion = 1
    var author: Author?
    var editor: Author?
    static func migrate(_ book: inout MigratedObject, from version: Int) throws {
      guard let author = book["author"]?.objectID, let editor = book["editor"]?.objectID,
        author != editor
      else { return }
      try book.graph.replaceObject(editor, with: author)
    }
  }
}
