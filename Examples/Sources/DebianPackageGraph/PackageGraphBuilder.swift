import Foundation

/// Builds the graph from paragraphs: first all packages, then their relations.
///
/// The graph depends only on the paragraphs and their order, so two runs build equal graphs.
///
///     var builder = PackageGraphBuilder(source: "status")
///     while let paragraph = try file.nextParagraph() { builder.add(paragraph) }
///     let database = builder.finish()
struct PackageGraphBuilder {
  /// The numbers of omitted paragraphs and fields.
  struct Omissions: Hashable {
    /// Paragraphs without a package name.
    var namelessParagraphs = 0
    /// Paragraphs with the name, architecture and version of an earlier paragraph.
    var repeatedParagraphs = 0
    /// Malformed relation fields. Their text is stored among the other fields of the package.
    var brokenRelationFields = 0
  }

  private(set) var omissions = Omissions()

  private let database: PackageDatabase
  private var maintainersByText: [String: Maintainer] = [:]
  private var unlinked: [(package: Package, relations: [(kind: Dependency.Kind, field: RelationField)])] = []

  init(source: String, modified: Date? = nil) {
    database = PackageDatabase(source: source, modified: modified)
  }

  /// Adds the package of a paragraph. If the paragraph has a status, the package counts as installed.
  mutating func add(_ paragraph: ControlParagraph) {
    var paragraph = paragraph
    guard let name = paragraph.consume("package"), !name.isEmpty else {
      omissions.namelessParagraphs += 1
      return
    }
    guard let key = freeKey(name: name, paragraph: paragraph) else {
      omissions.repeatedParagraphs += 1
      return
    }
    let relations = takeRelations(from: &paragraph)
    let maintainer = paragraph.consume("maintainer").map { sharedMaintainer($0) }
    let package: Package =
      paragraph.contains("status")
      ? InstalledPackage(name: name, reading: &paragraph, maintainer: maintainer)
      : AvailablePackage(name: name, reading: &paragraph, maintainer: maintainer)
    insert(package, key: key)
    unlinked.append((package, relations))
  }

  /// Links the packages and returns the graph. Creates packages for names without a paragraph.
  consuming func finish() -> PackageDatabase {
    // Provided names must be known before relations mention them. Otherwise they would count as missing.
    for (package, relations) in unlinked {
      for (kind, field) in relations where kind == .provides {
        for relation in field.groups.joined() { addProvider(package, of: relation.name) }
      }
    }
    for (package, relations) in unlinked {
      for (kind, field) in relations {
        for group in field.groups { link(package, kind, group) }
      }
    }
    return database
  }
}

// MARK: - Packages

extension PackageGraphBuilder {
  /// Returns the key for a package. Nil if the paragraph repeats an earlier package.
  private func freeKey(name: String, paragraph: ControlParagraph) -> String? {
    let architecture = paragraph["architecture"] ?? BinaryPackage.independentArchitecture
    let version = paragraph["version"]
    let qualified = "\(name):\(architecture)"
    for key in [name, qualified, "\(qualified)=\(version ?? "")"] {
      guard let earlier = database.packages[key] as? BinaryPackage else { return key }
      if earlier.architecture == architecture, earlier.version == version { return nil }
    }
    return nil
  }

  private mutating func sharedMaintainer(_ text: String) -> Maintainer {
    let maintainer: Maintainer
    if let known = maintainersByText[text] {
      maintainer = known
    } else {
      maintainer = Maintainer(parsing: text)
      maintainersByText[text] = maintainer
      database.maintainers.append(maintainer)
    }
    maintainer.packageCount += 1
    return maintainer
  }

  private mutating func takeRelations(
    from paragraph: inout ControlParagraph
  ) -> [(kind: Dependency.Kind, field: RelationField)] {
    var relations: [(kind: Dependency.Kind, field: RelationField)] = []
    for kind in Dependency.Kind.allCases where paragraph.contains(kind.rawValue) {
      if let field = paragraph.consume(kind.rawValue, as: { try? RelationField(parsing: $0) }) {
        relations.append((kind, field))
      } else {
        omissions.brokenRelationFields += 1
      }
    }
    return relations
  }

  private func insert(_ package: Package, key: String) {
    database.names.append(key)
    database.packages[key] = package
  }
}

// MARK: - Links

extension PackageGraphBuilder {
  private func addProvider(_ provider: Package, of name: String) {
    let known = database.packages[name]
    let target = known as? VirtualPackage ?? VirtualPackage(name: name)
    if known == nil {
      insert(target, key: name)
    } else if known !== target {
      // The name belongs to a real package. The relations of the providers describe that they provide it,
      // too.
      return
    }
    // A package may provide several versions of a name. Its entries follow each other.
    guard target.providers.last?.package !== provider else { return }
    target.providers.append(WeakPackage(package: provider))
    target.onlyProvider = target.providers.count == 1 ? provider : nil
  }

  private func link(_ owner: Package, _ kind: Dependency.Kind, _ group: [PackageRelation]) {
    let dependency = Dependency(kind: kind, owner: owner)
    for relation in group {
      let target = package(for: relation)
      dependency.alternatives.append(
        Alternative(package: target, constraint: relation.constraint, qualifier: relation.qualifier))
      // Packages are linked one after the other, so the entries of an owner follow each other.
      if kind.createsDependent, target.dependents.last?.package !== owner {
        target.dependents.append(WeakPackage(package: owner))
      }
    }
    owner.dependencies.append(dependency)
  }

  private func package(for relation: PackageRelation) -> Package {
    if let qualifier = relation.qualifier, let exact = database.packages["\(relation.name):\(qualifier)"] {
      return exact
    }
    if let known = database.packages[relation.name] { return known }
    let missing = MissingPackage(name: relation.name)
    insert(missing, key: relation.name)
    return missing
  }
}
