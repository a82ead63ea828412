import Arc

/// The properties that persons share with other living things.
@Archivable
class Biology {
  private var hairCount: Int32
  var intro: String?

  init(hairCount: Int32, intro: String?) {
    self.hairCount = hairCount
    self.intro = intro
  }

  /// Folds the values that only this class can read.
  final func foldBiology(into digest: inout Digest) {
    digest.fold(hairCount)
    digest.fold(intro)
  }

  /// The hair count, for copies and for the forms of peers.
  final var hairs: Int32 { hairCount }
}

/// A person with three references to other persons.
@Archivable
class Person: Biology, Walkable {
  let name: String
  let birthYear: Int
  var height: Double
  var weight: Double?
  var isMember: Bool
  var email: String?
  var tags: [String]
  var friends: [Person] = []

  init(_ values: PersonValues) {
    name = values.name
    birthYear = values.birthYear
    height = values.height
    weight = values.weight
    isMember = values.isMember
    email = values.email
    tags = values.tags
    super.init(hairCount: values.hairCount, intro: values.intro)
  }

  func visit(_ walk: inout Walk) {
    foldBiology(into: &walk.digest)
    walk.digest.fold(name)
    walk.digest.fold(birthYear)
    walk.digest.fold(height)
    walk.digest.fold(weight)
    walk.digest.fold(isMember)
    walk.digest.fold(email)
    walk.digest.fold(tags.count)
    for tag in tags { walk.digest.fold(tag) }
    walk.reach(all: friends)
  }
}

/// A person with a job.
@Archivable
final class Employee: Person {
  var salary: Double
  var title: String

  init(_ values: PersonValues, salary: Double, title: String) {
    self.salary = salary
    self.title = title
    super.init(values)
  }

  override func visit(_ walk: inout Walk) {
    walk.digest.fold(salary)
    walk.digest.fold(title)
    super.visit(&walk)
  }
}

/// A person at a university.
@Archivable
final class Student: Person {
  let university: String
  var semester: Int?

  init(_ values: PersonValues, university: String, semester: Int?) {
    self.university = university
    self.semester = semester
    super.init(values)
  }

  override func visit(_ walk: inout Walk) {
    walk.digest.fold(university)
    walk.digest.fold(semester)
    super.visit(&walk)
  }
}

/// The values of a person without references.
struct PersonValues {
  var hairCount: Int32
  var intro: String?
  var name: String
  var birthYear: Int
  var height: Double
  var weight: Double?
  var isMember: Bool
  var email: String?
  var tags: [String]
}
