import Arc
import ArcJSON
import ArcModel
import Foundation

/// An entry of a feed. The list of a feed contains entries of several classes.
@Archivable("FreshEntry") class FreshEntry {
  @JSONRule(.required) var id = 0
  var kind = ""
  @Key(json: "meta.created", or: "created_at") @JSONFormat(.millisecondsSince1970) var created: Date?
  var tags: Set<String> = []
  init() {}
}

@Archivable("FreshPhoto") final class FreshPhoto: FreshEntry {
  var url: URL?
  var size = FreshSize(width: 0, height: 0)
}

@Archivable("FreshPost") final class FreshPost: FreshEntry {
  var text = ""
  var media = FreshMedia.none
  @JSONRule(.readOnly) var likes = 0
  weak var parent: FreshEntry?
  var comments: [FreshEntry] = []
}

extension FreshEntry: ModelEquatable, JSONClassChoosing {
  static func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
    switch object["kind"]?.string {
    case "photo": FreshPhoto.self
    case "post": FreshPost.self
    default: nil
    }
  }
}

@Archivable("FreshPage") struct FreshPage<Item: ArchivableValue> {
  var items: [Item]
  var next: String?
}

@Archivable("FreshSize") struct FreshSize: Equatable {
  var width: Int
  var height: Int
}

@Archivable("FreshMedia") indirect enum FreshMedia {
  case none
  case image(URL, size: FreshSize?)
  case album([FreshMedia])
  case note(String)
  case entry(FreshEntry)
}

/// The number of living objects of the classes below.
final class FreshCount: @unchecked Sendable {  // Tests of one class run one after another.
  nonisolated(unsafe) static var living = 0
  init() { Self.living += 1 }
  deinit { Self.living -= 1 }
}

/// A class with a required member, which its hook refuses if it is negative.
@Archivable("FreshTree") final class FreshTree: ModelFinishing {
  var size: Int
  var level = 0
  var set: Set<Int> = []
  var first: FreshTree?
  var others: [FreshTree] = []
  @Transient var count = FreshCount()
  init(size: Int) { self.size = size }

  func didRead() throws {
    if level < 0 { throw FreshRefusal() }
  }
}

/// A class that replaces its JSON before reading.
@Archivable("FreshPrepared") final class FreshPrepared: JSONPreprocessing {
  var level = 0
  var others: [FreshPrepared] = []
  @Transient var count = FreshCount()
  init() {}

  static func willRead(_ object: inout JSONObject) throws {
    if object["void"] != nil { throw FreshRefusal() }
  }
}

struct FreshRefusal: Error {}
