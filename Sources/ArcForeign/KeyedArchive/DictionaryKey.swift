import ArcRuntime

/// The key of a dictionary, for finding equal keys. Values are compared by content, objects by identity.
enum DictionaryKey: Hashable {
  case text(ExactName)
  case integer(Int128)
  case bits(UInt64)
  case bool(Bool)
  case bytes([UInt8])
  case url(ExactName, ExactName?)
  case decimal(String)
  case other(ImportedValue)

  init(_ value: ImportedValue, _ graph: ImportedGraph) {
    let index = Int(value.index)
    switch value.kind {
    case .string: self = .text(ExactName(graph.list.string(index) ?? ""))
    case .data, .uuid: self = .bytes(graph.list.data(index).map(Array.init) ?? [])
    case .real, .date: self = .bits((graph.list.real(index) ?? 0).bitPattern)
    case .decimal: self = .decimal(graph.decimals[index])
    case .url: self = .url(ExactName(graph.urls[index].text), graph.urls[index].base.map(ExactName.init))
    case .bool, .integer:
      switch graph.list.nodes[index] {
      case .bool(let value): self = .bool(value)
      case .integer(let value): self = .integer(value)
      default: self = .other(value)
      }
    case .nothing, .null, .object, .list, .dictionary, .structure, .missing: self = .other(value)
    }
  }
}
