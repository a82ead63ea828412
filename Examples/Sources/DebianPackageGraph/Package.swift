import Arc
import Foundation

/// A name in the package database, and its description.
///
/// The subclass depends on the source of the name: `InstalledPackage` and `AvailablePackage` have their own
/// paragraph. Other packages provide a `VirtualPackage`, and only mention a `MissingPackage`.
@Archivable
class Package {
  let name: String
  let version: String?
  let section: String?
  /// The first line of the description.
  let summary: String?
  /// The rest of the description, without the indentation of the file format.
  let text: String?
  let homepage: URL?
  /// The debtags, such as `role::program`.
  let tags: Set<String>
  let maintainer: Maintainer?
  /// The relations to other packages, by field in the order of `Dependency.Kind`.
  var dependencies: [Dependency] = []
  /// The packages that depend on this package, each once.
  var dependents: [WeakPackage] = []
  /// The fields for which the model has no property.
  private let otherFields: [String: String]

  /// Creates a package without a paragraph.
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

  /// Creates a package from its paragraph.
  ///
  /// A subclass consumes its fields of the paragraph first. The remaining fields become
  /// `uninterpretedFields`.
  init(name: String, reading paragraph: inout ControlParagraph, maintainer: Maintainer?) {
    self.name = name
    self.maintainer = maintainer
    version = paragraph.consume("version")
    section = paragraph.consume("section")
    homepage = paragraph.consume("homepage") { URL(string: $0, encodingInvalidCharacters: false) }
    tags = paragraph.consume("tag", as: Self.tags(parsing:)) ?? []
    let description = paragraph.consume("description").map(Self.description(parsing:))
    summary = description?.summary
    text = description?.text
    otherFields = paragraph.remainingFields
  }

  /// The fields of the paragraph for which the model has no property, by their names as written.
  var uninterpretedFields: [String: String] { otherFields }

  private static func tags(parsing text: String) -> Set<String> {
    Set(text.split { $0 == "," || $0.isWhitespace }.map(String.init))
  }

  /// Returns the summary and the text after it. A line that contains only a dot becomes empty (Debian Policy
  /// 5.6.13).
  private static func description(parsing value: String) -> (summary: String, text: String?) {
    let lines = value.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.dropFirst().map { $0 == "." ? "" : $0 }
    return (String(lines.first ?? ""), text.isEmpty ? nil : text.joined(separator: "\n"))
  }
}

/// A name without its own package, which other packages provide, such as `awk`.
@Archivable
final class VirtualPackage: Package {
  /// The packages that provide the name, in the order of the database.
  var providers: [WeakPackage] = []
  /// The provider if there is only one. A package manager installs it without a question.
  weak var onlyProvider: Package?

  override init(name: String) {
    super.init(name: name)
  }
}

/// A name that relations mention, but that no package has or provides.
///
/// It is a separate class instead of a virtual package without providers, because the program treats them
/// differently: a virtual package can be installed, a missing package cannot.
@Archivable
final class MissingPackage: Package {
  override init(name: String) {
    super.init(name: name)
  }
}
