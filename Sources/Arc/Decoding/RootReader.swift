import ArcFormat
import ArcRuntime

/// Reads the roots of archives with the options of an unarchiver.
struct RootReader {
  let classes: ClassTable
  let limits: ArchiveLimits
  var unknownContent = UnknownContentPolicy.refuse
  var newerVersions = NewerVersionPolicy.refuse
  /// The context that the caller supplied for the program's code.
  let context: ArchiveContext
  /// Called with the progress. Nil if the caller does not observe the progress.
  var report: ReadingSteps.Report?
  /// Called with the roots when a graph is complete, while its objects are in the decoder's table.
  var finish: ((ArchiveDecoder, [(name: String, value: any ArchivableValue)]) throws -> Void)?

  /// Reads one root.
  func root<Value: ArchivableValue>(
    _ type: Value.Type, named name: String, from bytes: ByteView
  ) throws -> Value {
    try rebuild(from: bytes) { known in
      known.count == 1 && known[0].type == type && known[0].name.hasSameBytes(as: name)
    } roots: {
      [(name, type)]
    } read: { columns, values in
      let value = try Value.__read(from: columns.column(0))
      // The array is filled only if necessary, because its allocation is noticeable for small archives.
      if finish != nil { values.append((name, value)) }
      return value
    }
  }

  /// Reads the roots with the names `names`.
  func roots<each Value: ArchivableValue>(
    _ names: [String], _ types: repeat (each Value).Type, from bytes: ByteView
  ) throws -> (repeat each Value) {
    var wanted: [ResolvedSchema.Root] = []
    repeat wanted.append((names[wanted.count], each types))
    return try rebuild(from: bytes) { known in
      known.count == wanted.count
        && known.indices.allSatisfy {
          known[$0].type == wanted[$0].type && known[$0].name.hasSameBytes(as: wanted[$0].name)
        }
    } roots: {
      wanted
    } read: { columns, values in
      return (repeat try read(each types, from: columns, names, &values))
    }
  }

  private func read<Value: ArchivableValue>(
    _ type: Value.Type, from columns: ColumnReaderSet, _ names: [String], _ values: inout Roots
  ) throws -> Value {
    let value = try Value.__read(from: columns.column(values.count))
    values.append((names[values.count], value))
    return value
  }

  private typealias Roots = [(name: String, value: any ArchivableValue)]

  /// Rebuilds a graph. Calls `read` with the columns of the roots when the graph is complete.
  ///
  /// The decoder reads `bytes` without a copy, so the caller must not release them before the function
  /// returns.
  private func rebuild<Result>(
    from bytes: ByteView, areRoots: ([ResolvedSchema.Root]) -> Bool,
    roots: () -> [ResolvedSchema.Root], read: (ColumnReaderSet, inout Roots) throws -> Result
  ) throws -> Result {
    let decoder = try DecoderPool.open(
      bytes, classes, limits, unknownContent: unknownContent, newerVersions: newerVersions,
      areRoots: areRoots, roots: roots)
    var values: Roots = []
    // References are logged to find the objects that only unrequested roots retain. These objects are
    // released.
    let logsReferences = decoder.schema.omitsRoots
    let roots = try decoder.rebuild(in: context, logsReferences: logsReferences, report: report) { columns in
      try read(columns, &values)
    } finish: {
      try finish?(decoder, values)
    }
    DecoderPool.put(decoder)
    return roots
  }
}
