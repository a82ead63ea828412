import ArcArchive
package import ArcFormat

/// Converts keyed archives and other property lists to one archive.
///
///     var job = PropertyListImport(limits: .untrusted)
///     try job.add(bytes, named: "old.plist")
///     let (archive, report) = try job.finish()
package struct PropertyListImport {
  private let limits: ArchiveLimits
  private let budget: ImportBudget
  private let guide: ImportGuide?
  private let rootName: String
  private var parts: [ImportWriter.Part] = []
  private var catalog: ImportCatalog
  private var report = ImportReport()
  private var byteCount = 0

  /// Creates an import without files.
  ///
  /// - Parameters:
  ///   - limits: the limits for all files together.
  ///   - guide: the declared types of the program that reads the archive; nil to convert all content of the
  ///     files.
  ///   - rootName: the root that the program reads.
  package init(
    limits: ArchiveLimits = .default, guide: ImportGuide? = nil, rootName: String = ArchiveFile.defaultRoot
  ) {
    self.init(limits: limits, guide: guide, rootName: rootName, undeclared: nil)
  }

  /// Creates an import. `undeclared` is the shape for keys that `guide` does not declare; nil if such keys
  /// have no shape.
  init(
    limits: ArchiveLimits, guide: ImportGuide? = nil, rootName: String = ArchiveFile.defaultRoot,
    undeclared: ImportGuide.Shape?
  ) {
    self.limits = limits
    budget = ImportBudget(limits)
    self.guide = guide
    self.rootName = rootName
    catalog = ImportCatalog(limits: limits, guide: guide, undeclared: undeclared)
  }

  /// Reads a file and adds its objects to the import.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - name: the name of the file in the report. If the import has several files, the names of the roots
  ///     contain this name.
  /// - Throws: `ImportError` if the file is malformed or exceeds the limits.
  /// - Complexity: O(bytes + values).
  package mutating func add(_ bytes: [UInt8], named name: String? = nil) throws(ImportError) {
    do throws(ImportError) {
      byteCount += bytes.count
      try budget.checkFile(byteCount: byteCount)
      let list = try PropertyList(parsing: bytes, limits: limits)
      let graph = try KeyedGraphReader.read(
        list, named: name, budget, guide: guide, rootName: rootName, into: &report)
      try add(graph)
    } catch {
      throw error.located(filePath: name)
    }
  }

  /// Adds the graph of one file.
  mutating func add(_ graph: ImportedGraph) throws(ImportError) {
    let classIndices = try catalog.add(graph, &report)
    let columns = try catalog.note(graph, classIndices: classIndices, &report)
    parts.append(ImportWriter.Part(graph: graph, classIndices: classIndices, columns: columns))
  }

  /// Completes the import. Returns the archive and a report.
  ///
  /// - Returns: the bytes of the archive, which `verify()` accepts, and a report of the import.
  package mutating func finish() throws -> (archive: [UInt8], report: ImportReport) {
    var rootNames: Set<String> = []
    for index in parts.indices {
      let graph = parts[index].graph
      for (name, value) in graph.roots {
        let type = try catalog.type(of: value, guide?.root, graph, parts[index].classIndices, &report)
        let prefix = parts.count > 1 ? (graph.fileName ?? "\(index + 1)") + "/" : ""
        var unique = prefix + name
        while !rootNames.insert(unique).inserted { unique += "'" }
        parts[index].roots.append((unique, type))
      }
      report.files.append(
        ImportReport.File(
          name: graph.fileName, format: graph.format, objectCount: graph.rows.count,
          roots: parts[index].roots.map(\.name)))
    }
    let archive = try ImportWriter.write(
      parts, catalog, metadata: [("imported-from", parts.first?.graph.format ?? "")], limits: limits)
    report.classes = classCounts
    return (archive, report)
  }

  private var classCounts: [ImportReport.ClassCount] {
    let names = catalog.classes.map { Optional($0.name) }
    return catalog.classes.enumerated().map { index, description in
      ImportReport.ClassCount(
        name: description.name,
        originalName: description.name == description.originalName ? nil : description.originalName,
        superclass: catalog.hierarchy.parents[index].map { catalog.classes[$0].name },
        rowCount: description.rowCount,
        columns: description.columns.map {
          ImportReport.Column(key: $0.key, type: $0.type.encoding(names), valueCount: $0.valueCount)
        })
    }
  }
}
