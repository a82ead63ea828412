import Arc
import ArcJSON
import ArcModel
import Foundation

protocol ChoicePet {}

@Archivable("ChoiceDog") class ChoiceDog: ChoicePet {
  var barks = 0
  var friends: [ChoiceDog] = []
  init() {}
}

@Archivable("ChoicePuppy") final class ChoicePuppy: ChoiceDog { var age = 0 }

@Archivable("ChoiceCat") final class ChoiceCat: ChoicePet {
  var lives = 9
  var kind = "cat"
  init() {}
}

@Archivable("ChoiceFish") struct ChoiceFish: ChoicePet, Equatable {
  var length: Int
  var colors: [String] = []
}

/// A class that conforms to none of the properties' protocols.
@Archivable("ChoiceStone") final class ChoiceStone { init() {} }

@Archivable("ChoiceHome") final class ChoiceHome {
  @JSONFormat(
    .tagged(
      by: "kind",
      ["dog": ChoiceDog.self, "cat": ChoiceCat.self, "fish": ChoiceFish.self, "stone": ChoiceStone.self]))
  var pets: [any ChoicePet] = []
  @JSONFormat(
    .chosen {
      guard $0["lives"] == nil else { return ChoiceCat.self }
      return ChoiceDog.self
    })
  var main: (any ChoicePet)?
  @JSONFormat(.tagged(by: "is", ["dog": ChoiceDog.self, "puppy": ChoicePuppy.self, "cat": ChoiceCat.self]))
  var dogs: [String: ChoiceDog] = [:]
  @JSONFormat(.tagged(by: "kind", ["dog": ChoiceDog.self, "fish": ChoiceFish.self])) @Boxed
  var anything: Any?
  var plain: (any ChoicePet)?
  init() {}
}

@Archivable("ChoiceMisfit") final class ChoiceMisfit {
  @JSONFormat(.tagged(by: "kind", ["dog": ChoiceDog.self])) var count = 0
  init() {}
}

/// A class with references to objects that are read on demand.
@Archivable("ChoiceLibrary") final class ChoiceLibrary {
  var first: Lazy<ChoiceDog>?
  var all: [Lazy<ChoiceDog>] = []
  init() {}
}

/// A class with properties that contain JSON values unchanged.
@Archivable("ChoiceNote") final class ChoiceNote {
  var title = ""
  var extra: JSONValue = .null
  var more: JSONValue?
  var list: [JSONValue] = []
  var named: [String: JSONValue] = ["a": 1]
  init() {}
}

/// The archived form of a JSON value with a text that is not valid JSON.
@Archivable("JSON") struct ChoiceDamagedJSON { var text = "[1," }

@Archivable("ChoiceDamagedNote") final class ChoiceDamagedNote {
  var extra = ChoiceDamagedJSON()
  init() {}
}

extension CodingUserInfoKey {
  static let choiceStep = CodingUserInfoKey(rawValue: "choiceStep").unsafelyUnwrapped
}

/// A class whose hook adds the number in the reader's `userInfo`.
@Archivable("ChoiceCounter") class ChoiceCounter {
  var count = 0
  @Transient var finished = 0
  init() {}
}

@Archivable("ChoiceDoubleCounter") final class ChoiceDoubleCounter: ChoiceCounter { var factor = 2 }

extension ChoiceCounter: JSONPreprocessing, ModelFinishing, JSONClassChoosing, JSONPostprocessing {
  static func willRead(_ object: inout JSONObject, in context: ArchiveContext) throws {
    guard case .number(let number)? = object["count"], let count = number.integer(Int.self) else { return }
    object["count"] = .number(JSONNumber(count + step(context)))
  }
  static func modelClass(for object: JSONNode, in context: ArchiveContext) -> (any Archivable.Type)? {
    step(context) > 100 ? ChoiceDoubleCounter.self : nil
  }
  func didRead(in context: ArchiveContext) throws { finished = Self.step(context) }
  func willWrite(_ object: inout JSONObject, in context: ArchiveContext) throws {
    object["step"] = .number(JSONNumber(Self.step(context)))
  }
  private static func step(_ context: ArchiveContext) -> Int { context.userInfo[.choiceStep] as? Int ?? 0 }
}
