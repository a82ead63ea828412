import Arc
import Foundation

/// A name in the package database, and what is known about it.
///
/// The subclass says how the name is known: `InstalledPackage` and `AvailablePackage` have a paragraph of
/// their own, `VirtualPackage` is only provided by others, `MissingPackage` is only mentioned.
@Archivable
class Package {
  let name: String
  let version: String?
  let section: String?
  /// The first line of the description.
  let summary: String?
  /// The rest of the description, with the format's indentation taken off.
  let text: String?
  let homepage: URL?
  /// The debtags, such as `role::program`.
  let tags: Set<String>
  let maintainer: Maintainer?
  /// What the package asks of others, field by field in the order of `Dependency.Kind`.
  var dependencies: [Dependency] = []
  /// The packages that ask for this one, each once.
  var dependents: [WeakPackage] = []
  /// Fields that the model has no place for.
  private let otherFields: [String: String]

  /// A package without a paragraph.
  init(name: String) {
    self.name = name
    version = nil
    section = nil
    summary = nil
    text = nil
    homepage = nil
    tags = []
    maintainer = nil
    otherFields = [:]
  }

  /// A package as its paragraph describes it.
  ///
  /// A subclass takes its fields from the paragraph first: those still untaken become `uninterpretedFields`.
  init(name: String, reading paragraph: inout ControlParagraph, maintainer: Maintainer?) {
    self.name = name
    self.maintainer = maintainer
    version = paragraph.take("version")
    section = paragraph.take("section")
    homepage = paragraph.take("homepage") { URL(string: $0, encodingInvalidCharacters: false) }
    tags = paragraph.take("tag", as: Self.tags(parsing:)) ?? []
    let description = paragraph.take("description").map(Self.description(parsing:))
    summary = description?.summary
    text = description?.text
    otherFields = paragraph.untakenFields
  }

  /// Fields of the paragraph that the model has no place for, by their names as written.
  var uninterpretedFields: [String: String] { otherFields }

  private static func tags(parsing text: String) -> Set<String> {
    Set(text.split { $0 == "," || $0.isWhitespace }.map(String.init))
  }

  /// The summary and the text after it; a line with only a dot is an empty one (Debian Policy 5.6.13).
  private static func description(parsing value: String) -> (summary: String, text: String?) {
    let lines = value.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.dropFirst().map { $0 == "." ? "" : $0 }
    return (String(lines.first ?? ""), text.isEmpty ? nil : text.joined(separator: "\n"))
  }
}

/// A name that has no package of its own and is provided by others, such as `awk`.
@Archivable
final class VirtualPackage: Package {
  /// The packages that provide the name, in the order of the database.
  var providers: [WeakPackage] = []
  /// The provider, when there is one only: it is what a package manager installs without asking.
  weak var onlyProvider: Package?

  override init(name: String) {
    super.init(name: name)
  }
}

/// A name that relations mention and that nothing is or provides.
///
/// It is a class of its own, and not a virtual package without providers, because the two call for different
/// actions: a virtual package can be satisfied, a missing one cannot.
@Archivable
final class MissingPackage: Package {
  override init(name: String) {
    super.init(name: name)
  }
}
