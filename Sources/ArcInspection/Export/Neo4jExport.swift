import ArcArchive
import ArcFormat

/// `--format neo4j-csv`: a folder for `neo4j-admin database import full`.
///
/// The folder contains a file of nodes for each class, `references.csv` with all relationships, and
/// `arguments.txt`, which names these files: `cd OUT && neo4j-admin database import full @arguments.txt`. A
/// node has its number as `row`, and the labels of its class and of all superclasses. The type of a
/// relationship is the name of the property. `GraphEdge` explains the `position`, `key` and `weak` of a
/// relationship. In labels, types and names of properties, characters that are not allowed in file names are
/// replaced by `_`.
final class Neo4jExport: ExportWriter {
  private let model: GraphModel
  private let outputs: [Output?]
  private let references: Output
  /// The labels of the objects of each class, by class index.
  private let labels: [String]
  private var types: [String: String] = [:]
  /// The indices of the classes whose objects were written since the last batch.
  private var dirty: Set<Int> = []

  init(_ objects: ExportedObjects, to target: any ExportTarget) throws {
    let model = GraphModel(objects)
    self.model = model
    let classes = objects.catalog.file.classes
    var (fileNames, labelNames) = (ExportNames(.file), ExportNames(.file))
    references = try target.file(named: fileNames.unique("references") + ".csv")
    let own = classes.enumerated().map { index, description in
      labelNames.unique(index == 0 ? "roots" : description.name)
    }
    labels = classes.indices.map { index in
      var labels: [String] = []
      var next: Int? = index
      // A superclass has a smaller index than its subclasses, so this loop ends.
      while let current = next {
        labels.append(own[current])
        next = classes[current].superclassIndex
      }
      return labels.joined(separator: ";")
    }
    var arguments: [String] = ["--id-type=integer", "--multiline-fields=true"]
    outputs = try classes.indices.map { index in
      guard objects.columns[index] != nil else { return nil }
      let name = fileNames.unique(own[index]) + ".csv"
      arguments.append("--nodes=\(name)")
      let output = try target.file(named: name)
      try CSVText.write(fields: Self.header(model.attributes[index]), to: output)
      return output
    }
    arguments.append("--relationships=references.csv")
    let header = [":START_ID", ":END_ID", ":TYPE", "position:long", "key:string", "weak:boolean"]
    try CSVText.write(fields: header, to: references)
    let list = try target.file(named: "arguments.txt")
    for argument in arguments { try list.line(argument) }
  }

  private static func header(_ attributes: [GraphModel.Attribute]) -> [String] {
    var names = ExportNames(.file)
    return ["\(names.unique("row")):ID"]
      + attributes.map { "\(names.unique($0.name)):\($0.kind.javaName)" } + [":LABEL"]
  }

  func begin() throws {
    // Releases the buffers, so that memory does not grow with the number of classes.
    for output in outputs { try output?.flush() }
  }

  func write(_ row: ExportedRow) throws {
    guard let output = outputs[row.classIndex] else { return }
    dirty.insert(row.classIndex)
    let attributes = model.attributes[row.classIndex]
    var fields = [String?](repeating: nil, count: attributes.count + 2)
    fields[0] = String(row.id.rawValue)
    for (attribute, index, text) in try model.attributes(of: row) {
      fields[index + 1] = attribute.kind == .real ? XMLText.number(text) : text
    }
    fields[attributes.count + 1] = labels[row.classIndex]
    try CSVText.write(fields: fields, to: output)
    let id = fields[0]
    try model.forEachEdge(of: row) { [self] edge in
      try CSVText.write(
        fields: [
          id, String(edge.target.rawValue), type(of: edge.property), edge.position.map { String($0) },
          edge.key, edge.isWeak ? "true" : nil,
        ], to: references)
    }
  }

  func endBatch() throws {
    for index in dirty { try outputs[index]?.flush() }
    dirty.removeAll(keepingCapacity: true)
  }

  /// Returns the type of relationships of a property. Types are cached, because most files have few types of
  /// relationships.
  private func type(of property: String) -> String {
    if let known = types[property] { return known }
    var names = ExportNames(.file)
    let type = names.unique(property)
    // The cache is limited, because the paths to references contain names of fields and cases, so there may
    // be many.
    if types.count < 10_000 { types[property] = type }
    return type
  }
}
