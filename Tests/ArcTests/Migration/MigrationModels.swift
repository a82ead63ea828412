import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport

// Three versions of the same classes.

/// The first release, which stated no versions.
enum Version1 {
  @Archivable("Sheet") final class Sheet {
    var lines: [Line]
    init(_ lines: [Line]) { self.lines = lines }
  }
  @Archivable("Line") final class Line {
    var name: String
    var width: Int
    weak var neighbour: Line?
    init(_ name: String, width: Int) { (self.name, self.width) = (name, width) }
  }

  @Archivable("Animal") class Animal {
    var name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("Dog") final class Dog: Animal {
    init() { super.init("dog") }
  }
  @Archivable("Cat") final class Cat: Animal {
    init() { super.init("cat") }
  }

  final class Note: HandWrittenClass {
    let text: String
    let count: Int
    init(text: String, count: Int) { (self.text, self.count) = (text, count) }
    static var archiveSchema: ClassSchema { ClassSchema(Note.self, name: "Note") }
    init(from decoder: borrowing ObjectDecoder) throws {
      (text, count) = (try decoder.decode(String.self, forKey: "text"), 0)
    }
    func encode(to encoder: borrowing ObjectEncoder) throws {
      try encoder.encode(text, forKey: "text")
      try encoder.encode(count, forKey: "count")
    }
  }

  @Archivable("Point") final class Point {
    let x, y: Int
    init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }
  }
  @Archivable("Shape") final class Shape {
    var points: [Point]
    var center: Point?
    init(_ points: [Point]) { self.points = points }
  }

  @Archivable struct Address { var street: String, number: Int }
  @Archivable("Person") final class Person {
    var name: String
    var address: Address
    init(_ name: String, _ address: Address) { (self.name, self.address) = (name, address) }
  }

  @Archivable("Tag") final class Tag {
    let name: String
    var next: Tag?
    init(_ name: String) { self.name = name }
  }

  @Archivable("Item") final class Item {
    let name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("Box") final class Box {
    var items: [Item] = []
    var optionals: [Item?] = []
    var first: Item?
    var second: Item?
    var byName: [String: Item] = [:]
  }

  @Archivable("Pet") final class Pet {
    var kind: String
    init(_ kind: String) { self.kind = kind }
  }
  @Archivable("Zoo") final class Zoo {
    var pets: [Pet]
    init(_ pets: [Pet]) { self.pets = pets }
  }
}

/// The second release: some classes stated a version.
enum Version2 {
  @Archivable("Sheet") final class Sheet {
    var lines: [Line] = []
  }
  @Archivable("Line") final class Line {
    static let archiveVersion = 2
    var name = "second"
    var width = 7.5
  }
  @Archivable("Animal") class Animal {
    class var archiveVersion: Int { 1 }
    var name = "dog"
  }
  @Archivable("Dog") final class Dog: Animal {
    override class var archiveVersion: Int { 1 }
  }
}

/// The current release.
enum Version3 {
  @Archivable("Sheet") final class Sheet {
    var lines: [Line] = []
  }

  struct Unreadable: Error { let title: String }

  @Archivable("Line") final class Line {
    static let archiveVersion = 3
    var title = ""
    var width = 0.0
    weak var neighbour: Line?

    static func migrate(_ line: inout MigratedObject, from version: Int) throws {
      switch line["name"]?.string {
      case "bad": throw Unreadable(title: "bad")
      case "text": line["width"] = "text"
      case "dangling": line["neighbour"] = .reference(ObjectID(rawValue: 99))
      case "class": line.className = "Nobody"
      case "circle":
        let other = line.graph.addObject(ofClass: "Line", [:])
        try line.graph.replaceObject(line.id, with: other)
        try line.graph.replaceObject(other, with: line.id)
      default: break
      }
      if version < 2, let tenths = line["width"]?.int { line["width"] = .double(Double(tenths) / 10) }
      if version < 3 {
        line.rename("name", to: "title")
        line["title"] = line["title"]?.string.map { .string($0.uppercased()) }
      }
    }
  }

  @Archivable("Animal") class Animal {
    class var archiveVersion: Int { 1 }
    class func migrate(_ animal: inout MigratedObject, from version: Int) throws {
      animal["name"] = .string("\(animal["name"]?.string ?? ""), animal \(version)")
    }
    var name = ""
  }
  @Archivable("Dog") final class Dog: Animal {
    override class var archiveVersion: Int { 2 }
    override class func migrate(_ dog: inout MigratedObject, from version: Int) throws {
      dog["name"] = .string("\(dog["name"]?.string ?? ""), dog \(version)")
    }
  }
  @Archivable("Cat") final class Cat: Animal {}

  final class Note: HandWrittenClass {
    let texts: [String]
    static var archiveSchema: ClassSchema {
      ClassSchema(Note.self, name: "Note", version: 2) { note, version in
        let text = note["text"] ?? ""
        note["texts"] = .array((0..<(note["count"]?.int ?? 0)).map { _ in text })
        (note["text"], note["count"]) = (nil, nil)
      }
    }
    init(from decoder: borrowing ObjectDecoder) throws {
      texts = try decoder.decode([String].self, forKey: "texts")
    }
    func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.encode(texts, forKey: "texts") }
  }

  @Archivable struct Point: Equatable { var x, y: Int }
  @Archivable("Shape") final class Shape {
    static let archiveVersion = 1
    var points: [Point] = []
    var center: Point?

    static func migrate(_ shape: inout MigratedObject, from version: Int) throws {
      let graph = shape.graph
      func point(_ reference: ArchiveValue) throws -> ArchiveValue {
        guard let id = reference.objectID else { return nil }
        let point = try graph.object(id)
        return .structure(name: "Point", fields: ["y", "x"].map { .init(name: $0, value: point[$0] ?? 0) })
      }
      shape["points"] = .array(try shape["points"]?.elements?.map(point) ?? [])
      shape["center"] = try shape["center"].map(point)
    }
  }

  @Archivable final class Address {
    var street = ""
    weak var owner: Person?
  }
  @Archivable("Person") final class Person {
    static let archiveVersion = 1
    var name = ""
    var home: Address?

    static func migrate(_ person: inout MigratedObject, from version: Int) throws {
      guard let address = person["address"] else { return }
      let street = "\(address[field: "street"]?.string ?? "") \(address[field: "number"]?.int ?? 0)"
      person["home"] = .reference(
        person.graph.addObject(
          ofClass: "Version3.Address", ["street": .string(street), "owner": .reference(person.id)]))
    }
  }

  @Archivable("Tag") final class Tag {
    static let archiveVersion = 1
    let name: String
    var next: Tag?
    weak var previous: Tag?
    init(_ name: String) { self.name = name }

    static func migrate(_ tag: inout MigratedObject, from version: Int) throws {
      // The first object in the file with a name replaces all objects with this name.
      if tag["name"] == "x", tag.id.rawValue > 1 {
        try tag.graph.replaceObject(tag.id, with: ObjectID(rawValue: 1))
      }
      if tag["name"] == "y" { tag["previous"] = .reference(ObjectID(rawValue: 1)) }
    }
  }

  @Archivable("Item") final class Item {
    static let archiveVersion = 1
    let name: String
    init(_ name: String) { self.name = name }
    static func migrate(_ item: inout MigratedObject, from version: Int) throws {
      if item["name"] == "dropped" { try item.graph.removeObject(item.id) }
    }
  }
  @Archivable("Box") final class Box {
    var items: [Item] = []
    var optionals: [Item?] = []
    var first: Item?
    var second: Item?
    var byName: [String: Item] = [:]
  }

  @Archivable("Pet") class Pet {
    class var archiveVersion: Int { 1 }
    class func migrate(_ pet: inout MigratedObject, from version: Int) throws {
      switch pet["kind"] {
      case "cat": pet.className = "Version3.Kitten"
      case "dog": pet.className = "Version3.Puppy"
      default: break
      }
    }
    var kind = ""
  }
  @Archivable final class Kitten: Pet {}
  @Archivable final class Puppy: Pet {}
  @Archivable("Zoo") final class Zoo {
    var pets: [Pet] = []
  }

  @Archivable final class Negative { static let archiveVersion = -1 }
}
