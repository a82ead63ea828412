import Arc
import ArcJSON
import ArcModel

/// A user of a server. The number is the identity.
@Archivable("IdentUser") class IdentUser: ModelIdentifiable {
  let id: Int
  let born: Int?
  var name = "none"
  var email: String? = "default"
  var address: IdentAddress?
  var friends: [IdentUser] = []
  var best: IdentUser?
  @Transient var token = RefsToken()
  init(id: Int, born: Int? = nil) { (self.id, self.born) = (id, born) }
  class var identifyingProperties: [String] { ["id"] }
}

@Archivable("IdentAdmin") final class IdentAdmin: IdentUser { var rights: [String] = [] }

@Archivable("IdentAddress") final class IdentAddress {
  var street = ""
  var city = ""
  var owner: IdentUser?
  init() {}
}

@Archivable("IdentPost") final class IdentPost {
  let author: IdentUser
  var readers: [IdentUser] = []
  var byName: [String: IdentUser] = [:]
  init(author: IdentUser) { self.author = author }
}

/// A class whose identity consists of two values. One of them can be missing.
@Archivable("IdentPlace") final class IdentPlace: ModelIdentifiable, ModelFinishing, UnknownMemberPreserving {
  var country = ""
  var number: Int?
  var level = 0
  var near: IdentPlace?
  @Transient var unknownMembers = JSONObject()
  init() {}
  static var identifyingProperties: [String] { ["country", "number"] }
  func didRead() throws { if level < 0 { throw NegativeNumber() } }
}

@Archivable("IdentOwned") final class IdentOwned: ModelIdentifiable {
  let id: String
  let owner: IdentUser?
  init(id: String, owner: IdentUser?) { (self.id, self.owner) = (id, owner) }
  static var identifyingProperties: [String] { ["id"] }
}

@Archivable("IdentWrong") final class IdentWrong: ModelIdentifiable {
  var id = 0
  init() {}
  static var identifyingProperties: [String] { ["number"] }
}

@Archivable("IdentEmpty") final class IdentEmpty: ModelIdentifiable {
  var id = 0
  init() {}
  static var identifyingProperties: [String] { [] }
}

@Archivable("IdentHidden") class IdentHidden: ModelIdentifiable {
  var id = 0
  @Transient var hidden = 0
  init() {}
  class var identifyingProperties: [String] { ["hidden"] }
}

@Archivable("IdentHiddenHeir") final class IdentHiddenHeir: IdentHidden { var more = 0 }
