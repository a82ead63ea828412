import Arc

// Two versions of the same classes: one version wrote the archive, and the next release reads it.

/// A guest in the first release.
@Archivable("Guest")
class OldGuest: Walkable {
  let name: String
  var birthYear: Int32
  var height: Float
  var nickname: String?
  var tags: [String]
  var friends: [OldGuest] = []

  init(name: String, birthYear: Int32, height: Float, nickname: String?, tags: [String]) {
    self.name = name
    self.birthYear = birthYear
    self.height = height
    self.nickname = nickname
    self.tags = tags
  }

  func visit(_ walk: inout Walk) {
    walk.digest.fold(name)
    walk.digest.fold(birthYear)
    walk.digest.fold(Double(height))
    for tag in tags { walk.digest.fold(tag) }
    walk.reach(all: friends)
  }
}

/// A guest who speaks, in the first release.
@Archivable("Speaker")
final class OldSpeaker: OldGuest {
  var topic: String

  init(name: String, birthYear: Int32, height: Float, nickname: String?, tags: [String], topic: String) {
    self.topic = topic
    super.init(name: name, birthYear: birthYear, height: height, nickname: nickname, tags: tags)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(topic)
  }
}

/// A guest in the next release: without a nickname, with another key for the name, wider numbers, a rating,
/// and another order of properties.
@Archivable("Guest")
class Guest: Walkable {
  var friends: [Guest] = []
  var rating = 5.0
  var height: Double
  var birthYear: Int
  @Key("fullName", "name") let fullName: String
  var tags: [String]

  init(fullName: String, birthYear: Int, height: Double, tags: [String]) {
    self.fullName = fullName
    self.birthYear = birthYear
    self.height = height
    self.tags = tags
  }

  func visit(_ walk: inout Walk) {
    walk.digest.fold(fullName)
    walk.digest.fold(birthYear)
    walk.digest.fold(height)
    for tag in tags { walk.digest.fold(tag) }
    walk.reach(all: friends)
  }
}

/// A guest who speaks, in the next release.
@Archivable("Speaker")
final class Speaker: Guest {
  var isConfirmed = false
  var topic: String?

  init(fullName: String, birthYear: Int, height: Double, tags: [String], topic: String?) {
    self.topic = topic
    super.init(fullName: fullName, birthYear: birthYear, height: height, tags: tags)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(topic)
  }
}
