/// A package graph as plain arrays. Of a hundred objects, twelve are packages, two are maintainers, and all
/// others are dependencies. Most of them refer to few popular packages, as in Debian.
struct PackageColumns {
  /// Whether a package has a file, or only a name.
  enum Kind: UInt8 {
    case binary
    case virtual
    case missing
  }

  var kinds: [Kind] = []
  var names = TextColumn()
  var versions: [UInt16] = []
  var sections: [UInt8] = []
  var summaries = OptionalTextColumn()
  var texts = OptionalTextColumn()
  var homepages = OptionalTextColumn()
  var tags = IndexLists()
  var maintainers: [Int32] = []
  var priorities: [UInt8] = []
  var sizes: [Int] = []
  var checksums: [UInt8] = []
  var maintainerNames = TextColumn()
  var maintainerAddresses = OptionalTextColumn()
  /// The kinds of each package's dependencies, and the alternatives of each dependency.
  var dependencyKinds = IndexLists()
  var alternatives = IndexLists()
  /// The version and the comparison of each alternative's constraint. 255 without a constraint.
  var constraintVersions: [UInt16] = []
  var comparisons: [UInt8] = []
  /// The packages that depend on each package.
  var dependents = IndexLists()

  let versionPool: [String]
  let sectionPool: [String]
  let tagPool: [String]
  static let checksumBytes = 16

  init(count: Int) {
    var random = SeededGenerator(seed: 8)
    versionPool = (0..<2000).map {
      "\($0 % 9).\($0 % 31).\($0 / 7)+dfsg-\($0 % 5)\($0 % 3 == 0 ? "ubuntu1" : "")"
    }
    sectionPool = [
      "libs", "libdevel", "python", "perl", "doc", "net", "utils", "games", "science", "oldlibs",
    ]
    tagPool = (0..<300).map { "implemented-in::" + Words.identifier(words: 1...1, number: $0, &random) }
    let packageCount = max(count * 12 / 100, 2)
    let maintainerCount = max(count * 2 / 100, 1)
    let dependencyCount = max(count - packageCount - maintainerCount - 1, 0)
    appendMaintainers(maintainerCount, &random)
    for index in 0..<packageCount { appendPackage(index, of: packageCount, maintainerCount, &random) }
    appendDependencies(dependencyCount, packageCount, &random)
  }

  private mutating func appendMaintainers(_ count: Int, _ random: inout SeededGenerator) {
    for _ in 0..<count {
      maintainerNames.append(Words.personName(&random))
      let user = Words.identifier(words: 1...1, number: random.index(below: 10_000), &random)
      maintainerAddresses.append(random.chance(percent: 95) ? user + "@lists.example.org" : nil)
    }
  }

  private mutating func appendPackage(
    _ index: Int, of count: Int, _ maintainerCount: Int, _ random: inout SeededGenerator
  ) {
    let kind: Kind = index * 100 < count * 85 ? .binary : index * 100 < count * 97 ? .virtual : .missing
    let isBinary = kind == .binary
    kinds.append(kind)
    names.append("lib" + Words.identifier(words: 1...2, number: index, &random))
    versions.append(UInt16(random.index(below: versionPool.count)))
    sections.append(UInt8(random.index(below: sectionPool.count)))
    summaries.append(isBinary ? Words.sentence(words: 4...9, &random) : nil)
    texts.append(isBinary && random.chance(percent: 50) ? Words.sentence(words: 30...80, &random) : nil)
    let site = "https://www.example.org/projects/" + Words.identifier(words: 1...2, number: index, &random)
    homepages.append(isBinary && random.chance(percent: 60) ? site : nil)
    let tagCount = isBinary ? random.index(below: 6) : 0
    tags.append((0..<tagCount).map { _ in Int32(random.index(below: tagPool.count)) })
    maintainers.append(isBinary ? Int32(random.index(below: maintainerCount)) : -1)
    priorities.append(UInt8(random.index(below: BinaryPackage.Priority.allCases.count)))
    sizes.append(random.index(below: 100_000))
    for _ in 0..<Self.checksumBytes { checksums.append(UInt8(truncatingIfNeeded: random.next())) }
  }

  /// Adds dependencies. Each binary package has about the same number. The frequency of targets falls with
  /// their index.
  private mutating func appendDependencies(_ count: Int, _ packageCount: Int, _ random: inout SeededGenerator)
  {
    var wanting: [[Int32]] = Array(repeating: [], count: packageCount)
    let owners = kinds.filter { $0 == .binary }.count
    for owner in 0..<packageCount {
      let share = owner < owners ? count * (owner + 1) / owners - count * owner / owners : 0
      dependencyKinds.append(
        (0..<share).map { _ in Int32(random.index(below: Dependency.Kind.allCases.count)) })
      for _ in 0..<share {
        let alternativeCount = random.chance(percent: 85) ? 1 : 2
        let targets = (0..<alternativeCount).map { _ in popularPackage(packageCount, &random) }
        alternatives.append(targets)
        for target in targets {
          if wanting[Int(target)].last != Int32(owner) { wanting[Int(target)].append(Int32(owner)) }
          constraintVersions.append(UInt16(random.index(below: versionPool.count)))
          comparisons.append(random.chance(percent: 50) ? UInt8(random.index(below: 5)) : 255)
        }
      }
    }
    for list in wanting { dependents.append(list) }
  }

  private func popularPackage(_ count: Int, _ random: inout SeededGenerator) -> Int32 {
    let position = Double(random.index(below: 1 << 30)) / Double(1 << 30)
    return Int32(Double(count - 1) * position * position * position)
  }
}

/// Lists of indices, stored one after the other in one array.
struct IndexLists {
  private var items: [Int32] = []
  private var ends: [Int32] = []

  mutating func append(_ list: [Int32]) {
    items.append(contentsOf: list)
    ends.append(Int32(items.count))
  }

  /// Returns the range of a list in all items.
  @inline(__always) func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  /// Returns the item at a position in all items.
  @inline(__always) subscript(position: Int) -> Int { Int(items[position]) }
}
