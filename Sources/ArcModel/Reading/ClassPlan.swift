import Arc
import ArcFormat
import ArcJSON

/// How objects of a class are made of JSON objects: which member is for which property.
final class ClassPlan {
  let rows: RowReader
  let filler: RowFiller
  /// The names of members that are for one property alone, by slot.
  let keys: JSONKeyTable
  let slots: [Slot]
  /// The slots in whose values objects are.
  let slotsWithObjects: [Int]
  /// The slots whose values are looked for in an object if no member has them.
  let searches: [Search]
  /// What makes values of the form that the text has, by slot.
  let customReads: [Int: (JSONValue) throws -> JSONValue]
  /// The paths to the values, by slot, for issues.
  let mappings: [PropertyMapping]
  /// The names of members that lead to some property otherwise than by `keys`.
  let otherNames: Set<String>
  /// Where what is learned of the order of its members begins, in a list for all classes.
  let firstHint: Int
  /// The class, if it changes or refuses objects before they are read.
  let preparing: (any ModelPreparing.Type)?
  /// Whether its objects are told when they were read.
  let isFinishing: Bool

  /// What reading asks of a property, for each object: nothing that would have to be retained.
  struct Slot {
    /// The first of its nodes.
    let node: Int
    /// What becomes of the property where there is no value for it.
    let absence: DeclaredClass.Absence
    /// Whether there must be a value for it, in any case.
    let isRequired: Bool
    /// Whether something makes its values of the form that the text has.
    let isCustom: Bool
  }

  /// Where the value of a property can be.
  struct Search {
    let slot: Int
    let paths: [JSONPath]
    /// The members of the object itself that it is made of, if it is embedded.
    var members: [String] = []

    /// The names of the object's members that it begins with.
    var names: [String] {
      paths.compactMap { if case .member(let name)? = $0.steps.first { name } else { nil } } + members
    }
  }

  init(_ rows: RowReader, _ mappings: [PropertyMapping], filler: RowFiller, firstHint: Int) throws {
    self.rows = rows
    self.filler = filler
    self.firstHint = firstHint
    self.mappings = mappings
    preparing = rows.type as? any ModelPreparing.Type
    isFinishing = rows.type is any ModelFinishing.Type
    var customReads: [Int: (JSONValue) throws -> JSONValue] = [:]
    var names: [String?] = []
    var searches: [Search] = []
    for (number, (slot, mapping)) in zip(rows.slots, mappings).enumerated() {
      if case .custom(let read, _)? = mapping.format?.kind {
        guard !slot.holdsReferences else {
          throw Self.unsuitable(
            slot, rows, found: "a custom format for a property with objects in its values",
            expected: "one whose values contain no objects")
        }
        customReads[number] = read
      }
      if case .untagged? = mapping.format?.kind, slot.holdsReferences {
        throw Self.unsuitable(
          slot, rows, found: "enumerations without tags with objects in them",
          expected: "values without objects, or '@Format(.tagged(by:))'")
      }
      var name: String?
      if mapping.rules.isRead {
        if mapping.rules.contains(.embedded) {
          guard filler.isStructure(slot.node) else {
            throw Self.unsuitable(
              slot, rows, found: "'@JSON(.embedded)' for a property that is no structure",
              expected: "a structure with named fields, or an optional one")
          }
          searches.append(Search(slot: number, paths: [], members: filler.memberNames(slot.node)))
        } else {
          name = mapping.paths[0].name.flatMap { names.contains($0) ? nil : $0 }
          let others = Array(mapping.paths.dropFirst(name == nil ? 0 : 1))
          if !others.isEmpty { searches.append(Search(slot: number, paths: others)) }
        }
      }
      names.append(name)
    }
    keys = JSONKeyTable(names)
    self.customReads = customReads
    self.searches = searches
    otherNames = Set(searches.flatMap(\.names))
    slots = zip(rows.slots, mappings).enumerated().map { number, both in
      let (slot, mapping) = both
      return Slot(
        node: slot.node, absence: slot.absence, isRequired: mapping.rules.contains(.required),
        isCustom: customReads[number] != nil)
    }
    slotsWithObjects = rows.slots.indices.filter { rows.slots[$0].holdsReferences }
  }

  private static func unsuitable(
    _ slot: RowReader.Slot, _ rows: RowReader, found: String, expected: String
  ) -> ArchiveError {
    ArchiveError(
      .notArchivable, found: found, expected: expected, className: rows.type.archiveSchema.name,
      key: slot.keys[0])
  }
}
