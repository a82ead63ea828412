import Arc

/// Fifty classes, four levels deep, with all kinds of properties and with strong references, weak references
/// and arrays of references. The root is an array of all objects. No coder of values can represent it,
/// because a reference can refer to an object of any class.
struct MixedWorkload: Workload {
  static let name = "mixed"
  static let fullCount = 500_000
  let contenders: [Contender]

  init(count: Int) {
    let columns = Lazily { MixedColumns(count: count) }
    let assets = Lazily(dismantle: Self.dismantle) { try columns.value().rebuild() }
    let subject = ArcSubject(
      graph: assets, objectCount: count, classes: MixedClasses.all, dismantle: Self.dismantle)
    contenders =
      subject.contenders + subject.valueContenders + Contender.walk(assets, objectCount: count) + [
        .rebuild(columns, objectCount: count, dismantle: Self.dismantle) { $0.rebuild() }
      ]
  }

  /// Breaks the cycles.
  private static func dismantle(_ assets: [Asset]) {
    for asset in assets { asset.cutLinks() }
  }
}

/// The mixed graph as plain arrays.
struct MixedColumns {
  private let count: Int
  private var source = MixedSource()
  private var links = MixedLinks(objects: [])

  /// Builds the graph once to fill the tapes.
  init(count: Int) {
    self.count = count
    let assets = Self.build(count, &source)
    var links = MixedLinks(objects: assets)
    Self.connect(assets, &links)
    self.links = MixedLinks(links, objects: [])
    source.rewind()
    for asset in assets { asset.cutLinks() }
  }

  /// Allocates all objects, then links them.
  func rebuild() -> [Asset] {
    var source = source
    let assets = Self.build(count, &source)
    var links = MixedLinks(links, objects: assets)
    Self.connect(assets, &links)
    return assets
  }

  private static func build(_ count: Int, _ source: inout MixedSource) -> [Asset] {
    let classes = MixedClasses.all
    var assets: [Asset] = []
    assets.reserveCapacity(count)
    for _ in 0..<count {
      assets.append(classes[source.classIndex(below: classes.count)].init(reading: &source))
    }
    return assets
  }

  private static func connect(_ assets: [Asset], _ links: inout MixedLinks) {
    for (position, asset) in assets.enumerated() {
      links.startObject(at: position)
      asset.connect(by: &links)
    }
  }
}
