import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

@Archivable("ArticleBase") class RecommendBase {
  var id = 0
  var title: String?
  init() {}
}

@Archivable("ArticleSimple") final class RecommendSimple: RecommendBase {
  var source_text: String?
  var share_count = 0
  var praise_num = 0
  var is_praise = true
  var comment_num = 7
}

@Archivable("ArticleMapped") final class RecommendMapped: RecommendBase {
  @Key(json: "source_text") var sourceText: String?
  @Key(json: "share_count") var shareCount = 0
  @Key(json: "praise_num") var praiseCount = 0
  @Key(json: "is_praise") var isPraise = true
  @Key(json: "comment_num") var commentCount = 7
}

@Archivable("ArticleBiology") class ArticleBiology {
  private var hairCount = 0
  var intro: String?
  init() {}
  func grow(_ count: Int) { hairCount = count }
  var hair: Int { hairCount }
}

@Archivable("ArticlePerson") final class ArticlePerson: ArticleBiology {
  private var father: String?
  var name: String?
  var age = 0
  func adopt(by father: String) { self.father = father }
  var parent: String? { father }
}

@Archivable("ArticleApply") final class ArticleApply {
  var name = ""
  var age = 0
  var nick = ""
  init() {}
}

@Archivable("ArticleDemo") final class ArticleDemo {
  var demoString: String?
  var demoInt = 100
  var demoFloat: Float = 0
  var demoDouble: Double?
  var demoDate = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
  var demoOptionals: [Float?] = []
  var demoClass: ArticlePart?
  var demoArray: [ArticlePart]?
  var demoDict: [String: ArticlePart]?
  @Key("标题") var heading = ""
  init() {}
}

@Archivable("ArticlePart") final class ArticlePart {
  var daString: String? = "default"
  var daInt = 0
  init(_ text: String, _ number: Int) { (daString, daInt) = (text, number) }
}

@Archivable("ArticleScalars") final class ArticleScalars {
  var float: Float? = 1
  var int: Int? = 1
  var double: Double? = 1
  var bool: Bool? = true
  init() {}
}

@Archivable("ArticleSigned") final class ArticleSigned {
  var id = 0
  var inner: ArticleSigned?
  init() {}
}

extension ArticleSigned: JSONPostprocessing {
  func willWrite(_ object: inout JSONObject) throws {
    if id < 0 { throw ArticleError() }
    object["sum"] = .number(JSONNumber(object.names.count))
    object["id"] = nil
  }
}

struct ArticleError: Error {}

/// The programs of the articles that `Models.md` goes through, with their data.
final class ArticleTests: XCTestCase {
  private let text = """
    {"id": 7975492, "title": "同学们,开学了,准备好早起了吗?\\n", "source_text": "来自新浪微博", "share_count": 1,
     "praise_num": 999, "comment_num": 0, "is_praise": 0}
    """
  private let title = "同学们,开学了,准备好早起了吗?\n"

  func testSimpleModelIsReadFromJSON() throws {
    let model = try ModelReader(.lenient).read(RecommendSimple.self, from: text)
    XCTAssertEqual(model.id, 7_975_492)
    XCTAssertEqual(model.title, title)
    XCTAssertEqual(model.source_text, "来自新浪微博")
    XCTAssertEqual([model.share_count, model.praise_num, model.comment_num], [1, 999, 0])
    XCTAssertFalse(model.is_praise)
  }

  func testMappedModelRoundTrips() throws {
    let model = try ModelReader(.lenient).read(RecommendMapped.self, from: text)
    XCTAssertEqual(model.sourceText, "来自新浪微博")
    XCTAssertEqual([model.shareCount, model.praiseCount, model.commentCount], [1, 999, 0])
    XCTAssertFalse(model.isPraise)
    let written = try model.json()
    XCTAssertTrue(written.contains("\"is_praise\":false"), written)
    XCTAssertTrue(try ObjectGraph.isIsomorphic(model, RecommendMapped(json: written)))
  }

  func testMappingExcludesOrIncludesListedProperties() throws {
    var reader = ModelReader(.lenient)
    reader.setMapping(JSONMapping(except: ["sourceText", "shareCount"]), for: RecommendMapped.self)
    let black = try reader.read(RecommendMapped.self, from: text)
    XCTAssertNil(black.sourceText)
    XCTAssertEqual(
      [black.id, black.shareCount, black.praiseCount, black.commentCount], [7_975_492, 0, 999, 0])
    XCTAssertEqual(black.title, title)
    reader.setMapping(JSONMapping(only: ["sourceText", "shareCount"]), for: RecommendMapped.self)
    let white = try reader.read(RecommendMapped.self, from: text)
    XCTAssertEqual(white.sourceText, "来自新浪微博")
    XCTAssertEqual([white.id, white.shareCount, white.praiseCount, white.commentCount], [0, 1, 0, 7])
    XCTAssertNil(white.title, "of the base class, too")
    reader.setMapping(JSONMapping(only: ["id"]), for: RecommendMapped.self)
    XCTAssertEqual(try reader.read(RecommendMapped.self, from: text).id, 7_975_492)
  }

  func testBiologyAndPersonObjectsRoundTrip() throws {
    let person = ArticlePerson()
    (person.name, person.age, person.intro) = ("wengzilin", 26, "I am a biology on earth")
    person.adopt(by: "laoweng")
    person.grow(100_000)
    let read = try Unarchiver().unarchive(ArticlePerson.self, from: Archiver().archive(person))
    XCTAssertEqual(
      [read.name, read.intro, read.parent], ["wengzilin", "I am a biology on earth", "laoweng"])
    XCTAssertEqual([read.age, read.hair], [26, 100_000])
    let described = read.modelDescription
    for name in ["father", "name", "age", "hairCount", "intro"] {
      XCTAssertTrue(described.contains("\(name): "), described)
    }
  }

  func testArticleExamplePrintsTheRestoredValues() throws {
    let apply = ArticleApply()
    (apply.name, apply.age, apply.nick) = ("张三", 18, "zhangsan")
    let read = try Unarchiver().unarchive(ArticleApply.self, from: Archiver().archive(apply))
    XCTAssertEqual(
      "name: \(read.name), age: \(read.age), nick: \(read.nick)", "name: 张三, age: 18, nick: zhangsan")
  }

  func testDemoObjectsRoundTrip() throws {
    let demo = ArticleDemo()
    (demo.demoString, demo.demoInt, demo.demoFloat, demo.demoDouble) = ("ABCDEFG", 10, 11.11, 22)
    (demo.demoOptionals, demo.heading) = ([11.11, nil], "繁體字 🎉\n")
    let (first, second) = (ArticlePart("a1", 1), ArticlePart("a2", 2))
    demo.demoClass = ArticlePart("demoArc", 8)
    (demo.demoArray, demo.demoDict) = ([first, second], ["demo1": first, "demo2": second])
    let read = try Unarchiver().unarchive(ArticleDemo.self, from: Archiver().archive(demo))
    XCTAssertEqual(read.modelDescription, demo.modelDescription)
    XCTAssertEqual(read.demoFloat, 11.11)
    XCTAssertEqual(read.demoOptionals, [11.11, nil])
    XCTAssertEqual(read.heading, "繁體字 🎉\n")
    XCTAssertTrue(read.demoArray?[0] === read.demoDict?["demo1"])
    XCTAssertEqual(
      ArticleDemo.archiveSchema.properties.prefix(3).map(\.name), ["demoString", "demoInt", "demoFloat"])
    let json = try demo.json()
    XCTAssertTrue(json.contains("\"标题\":\"繁體字 🎉\\n\""), json)
    XCTAssertEqual(try ArticleDemo(json: json).json(sortsKeys: true), try demo.json(sortsKeys: true))
  }

  func testOptionalScalarsSurviveEveryConversion() throws {
    let (full, empty) = (ArticleScalars(), ArticleScalars())
    (full.float, full.int, full.double, full.bool) = (11.11, 5, 2.5, false)
    (empty.float, empty.int, empty.double, empty.bool) = (nil, nil, nil, nil)
    for model in [full, empty] {
      let description = model.modelDescription
      for other in [
        try Unarchiver().unarchive(ArticleScalars.self, from: Archiver().archive(model)),
        try model.shallowCopy(),
        try ArticleScalars(json: model.json()), try ObjectGraph.copy(model),
      ] {
        XCTAssertEqual(other.modelDescription, description)
      }
      let byName = ArticleScalars()
      for key in ["float", "int", "double", "bool"] {
        try byName.setValue(model.value(forKey: key), forKey: key)
      }
      XCTAssertEqual(byName.modelDescription, description)
    }
  }

  func testNestedArraysAndEmptyDictionariesAreRead() throws {
    let parts = try [[RecommendBase]](json: "[[{\"id\": 1}], [], [{\"id\": 2}, {\"id\": 3}]]")
    XCTAssertEqual(parts.map { $0.map(\.id) }, [[1], [], [2, 3]])
    XCTAssertEqual(try [String: RecommendBase](json: "[]").count, 0)
    XCTAssertEqual(
      try ModelReader(.lenient).read([[RecommendBase]].self, from: "[[{\"id\": []}, 5], 6]").map(\.count), [1]
    )
  }

  func testObjectCanChangeItsWrittenJSON() throws {
    let signed = ArticleSigned()
    signed.inner = ArticleSigned()
    XCTAssertEqual(try signed.json(), #"{"inner":{"sum":1},"sum":2}"#)
    signed.inner?.id = -1
    XCTAssertThrowsError(try signed.json()) { XCTAssertTrue($0 is ArticleError, "\($0)") }
    var deep = ArticleSigned()
    for _ in 0..<600 {
      let outer = ArticleSigned()
      outer.inner = deep
      deep = outer
    }
    XCTAssertThrowsError(try deep.json()) { XCTAssertEqual(($0 as? ModelWritingError)?.code, .tooDeep) }
  }
}
