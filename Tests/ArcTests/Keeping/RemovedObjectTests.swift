import Arc
import ArcArchive
import ArcFormat
import Foundation
import XCTest

/// Objects that a migration removes or merges do not reappear with preserved content.
final class RemovedObjectTests: XCTestCase {
  private let content = PreservedContent()

  /// Has the newer release migrate and save a document. Returns the read document and the saved archive.
  private func saved(_ shelf: Before.Shelf) throws -> (read: After.Shelf, bytes: [UInt8]) {
    let read = try read(Archiver().archive(shelf))
    return (read, try Archiver(preserving: content).archive(read))
  }

  /// Reads an archive with the release that knows everything except orders.
  private func readAgain(_ bytes: [UInt8]) throws -> Again.Shelf {
    try Unarchiver(classes: ClassTable(scope: .declared)).unarchive(Again.Shelf.self, from: bytes)
  }

  private func read(_ bytes: [UInt8]) throws -> After.Shelf {
    let classes = ClassTable(scope: .declared)
    return try Unarchiver(classes: classes, unknownContent: .preserve(in: content))
      .unarchive(After.Shelf.self, from: bytes)
  }

  private func shelf(_ names: [String], order: (inout [Before.Book]) -> Before.Order) -> Before.Shelf {
    let shelf = Before.Shelf()
    shelf.books = names.map(Before.Book.init)
    shelf.orders = [order(&shelf.books)]
    return shelf
  }

  func testObjectRemovedByMigrationStaysRemoved() throws {
    let (read, bytes) = try saved(shelf(["a", "gone", "z"]) { Before.Order(drops: $0[1]) })
    XCTAssertEqual(read.books.map(\.name), ["a", "z"])
    XCTAssertEqual(try ArchiveFile(bytes: bytes).rowCount(ofClass: "Removed.Book"), 2)
    XCTAssertEqual(try self.read(bytes).books.map(\.name), ["a", "z"])
  }

  func testUnreadableValueOfRemovedObjectIsIgnored() throws {
    let (read, bytes) = try saved(
      shelf(["a", "gone"]) { books in
        books[1].printed = "no date"
        return Before.Order(drops: books[1])
      })
    XCTAssertEqual(read.books.map(\.name), ["a"])
    XCTAssertEqual(try self.read(bytes).books.map(\.name), ["a"])
  }

  func testUnknownPropertiesOmitTheRemovedObject() throws {
    let shelf = shelf(["a", "gone", "z"]) { Before.Order(drops: $0[1]) }
    let (a, gone, z) = (shelf.books[0], shelf.books[1], shelf.books[2])
    (shelf.favourite, shelf.latest) = (gone, gone)
    shelf.best = [a, gone, z]
    shelf.byName = ["a": a, "gone": gone]
    shelf.stickers = [Before.Sticker(gone), Before.Sticker(z)]
    let (_, bytes) = try saved(shelf)
    let found = try readAgain(bytes)
    XCTAssertEqual(found.books.map(\.name), ["a", "z"])
    XCTAssertNil(found.favourite)
    XCTAssertNil(found.latest)
    XCTAssertEqual(found.best.map(\.name), ["a", "z"])
    XCTAssertEqual(found.byName.keys.sorted(), ["a"])
    XCTAssertEqual(found.stickers.map { $0.book?.name }, [nil, "z"])
    XCTAssertTrue(found.best[1] === found.books[1])
  }

  func testUnknownObjectsReferencedByRemovedObjectAreRemoved() throws {
    let shelf = shelf(["a", "gone"]) { Before.Order(drops: $0[1]) }
    shelf.books[1].sticker = Before.Sticker(nil)
    shelf.books[0].sticker = Before.Sticker(nil)
    let (_, bytes) = try saved(shelf)
    XCTAssertEqual(try ArchiveFile(bytes: bytes).rowCount(ofClass: "Removed.Sticker"), 1)
  }

  func testUnknownReferencesToMergedObjectReachItsReplacement() throws {
    let shelf = shelf(["a", "twin", "z"]) { Before.Order(drops: $0[1], for: $0[2]) }
    shelf.best = shelf.books
    shelf.stickers = [Before.Sticker(shelf.books[1])]
    shelf.books[1].sticker = Before.Sticker(nil)
    let (read, bytes) = try saved(shelf)
    XCTAssertEqual(read.books.map(\.name), ["a", "z", "z"])
    let found = try readAgain(bytes)
    XCTAssertEqual(found.best.map(\.name), ["a", "z", "z"])
    XCTAssertTrue(found.stickers[0].book === found.books[1])
    // The object that replaces the merged object does not get the merged object's unknown content.
    XCTAssertNil(found.books[1].sticker)
  }

  func testUnknownReferencesToMergedObjectsReachOneObject() throws {
    let shelf = shelf(["a", "twin", "z"]) { Before.Order(drops: $0[1], for: $0[2]) }
    shelf.best = shelf.books
    let read = try read(Archiver().archive(shelf))
    read.books.removeAll { $0.name == "z" }
    let bytes = try Archiver(preserving: content).archive(read)
    let found = try readAgain(bytes)
    // Two unknown references still refer to the remaining object, which is one object.
    XCTAssertEqual(found.best.map(\.name), ["a", "z", "z"])
    XCTAssertTrue(found.best[1] === found.best[2])
  }
}

/// The release whose files are migrated. Only it has the objects that the other release does not know.
private enum Before {
  @Archivable("Removed.Book") final class Book {
    var name: String
    var printed = "2001-01-31T12:00:00Z"
    var sticker: Sticker?
    init(_ name: String) { self.name = name }
  }
  @Archivable("Removed.Sticker") final class Sticker {
    var book: Book?
    init(_ book: Book?) { self.book = book }
  }
  @Archivable("Removed.Order") final class Order {
    var drops: Book?
    var stays: Book?
    init(drops: Book, for stays: Book? = nil) { (self.drops, self.stays) = (drops, stays) }
  }
  @Archivable("Removed.Shelf") final class Shelf {
    var books: [Book] = []
    var orders: [Order] = []
    var favourite: Book?
    weak var latest: Book?
    var best: [Book] = []
    var byName: [String: Book] = [:]
    var stickers: [Sticker] = []
    init() {}
  }
}

/// The first release's classes, without orders.
private enum Again {
  @Archivable("Removed.Shelf") final class Shelf {
    var books: [Before.Book] = []
    var favourite: Before.Book?
    weak var latest: Before.Book?
    var best: [Before.Book] = []
    var byName: [String: Before.Book] = [:]
    var stickers: [Before.Sticker] = []
    init() {}
  }
}

/// The release that knows neither stickers nor most of the properties, and fulfils orders when it migrates.
private enum After {
  @Archivable("Removed.Book") final class Book {
    var name: String
    var printed: Date
    init(_ name: String) { (self.name, printed) = (name, Date()) }
  }
  @Archivable("Removed.Order") final class Order {
    static let archiveVersion = 1
    var count = 0
    init() {}
    static func migrate(_ order: inout MigratedObject, from version: Int) throws {
      guard let dropped = order["drops"]?.objectID else { return }
      if let other = order["stays"]?.objectID {
        try order.graph.replaceObject(dropped, with: other)
      } else {
        try order.graph.removeObject(dropped)
      }
    }
  }
  @Archivable("Removed.Shelf") final class Shelf {
    var books: [Book] = []
    var orders: [Order] = []
    init() {}
  }
}
