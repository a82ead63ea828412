import Arc
import ArcJSON
import ArcModel
import Foundation

extension Feature {
  /// All features with texts of `count` objects. The first element uses no feature.
  static func all(count: Int) -> [Feature] {
    let plain = Feature(
      "plain", PlainItem.self, text: FeatureTexts.objects(count),
      isRight: { !$0.name.isEmpty && $0.note?.hasSuffix(".") == true })
    return [
      [plain], structures(count), values(count), objects(count), members(count), readers(count),
    ].flatMap { $0 }
  }

  /// The features of enumerations, structures and dictionaries.
  private static func structures(_ count: Int) -> [Feature] {
    let enumeration = Feature(
      "enumeration", EnumerationItem.self,
      text: FeatureTexts.objects(count, note: { id, _ in #""state":"\#(FeatureTexts.state(id).rawValue)""# }),
      isRight: { $0.state == FeatureTexts.state($0.id) })
    let structure = Feature(
      "structure", StructureItem.self,
      text: FeatureTexts.objects(
        count,
        note: { id, _ in
          let position = FeatureTexts.position(id)
          return #""position":\#(FeatureTexts.json(of: position))"#
        }),
      isRight: { $0.position == FeatureTexts.position($0.id) })
    let structures = Feature(
      "array of structures", StructuresItem.self,
      text: FeatureTexts.objects(
        count,
        tags: { id, _ in
          let positions = FeatureTexts.positions(id).map { FeatureTexts.json(of: $0) }
          return #""positions":[\#(positions.joined(separator: ","))]"#
        }),
      isRight: { $0.positions == FeatureTexts.positions($0.id) })
    let dictionary = Feature(
      "dictionary", DictionaryItem.self,
      text: FeatureTexts.objects(
        count,
        tags: { id, _ in
          let members = ["read", "written", "shared"].enumerated().map { index, name in
            #""\#(name)":\#(FeatureTexts.size(id + index))"#
          }
          return #""counts":{\#(members.joined(separator: ","))}"#
        }),
      isRight: { $0.counts == FeatureTexts.counts($0.id) })
    return [enumeration, structure, structures, dictionary]
  }

  /// The features of values that JSON represents as strings or numbers, and of JSON values themselves.
  private static func values(_ count: Int) -> [Feature] {
    let date = Feature(
      "ISO date", DateItem.self,
      text: FeatureTexts.objects(
        count, note: { id, _ in #""created":"\#(FeatureTexts.date(id).ISO8601Format())""# }),
      isRight: { $0.created == FeatureTexts.date($0.id) })
    let milliseconds = Feature(
      "date in milliseconds", MillisecondsItem.self,
      text: FeatureTexts.objects(count, note: { id, _ in #""created":\#(FeatureTexts.milliseconds(id))"# }),
      isRight: {
        let seconds = Double(FeatureTexts.milliseconds($0.id)) / 1000
        return $0.created == Date(timeIntervalSince1970: seconds)
      })
    let link = Feature(
      "URL", URLItem.self,
      text: FeatureTexts.objects(count, note: { id, _ in #""link":"\#(FeatureTexts.link(id))""# }),
      isRight: { $0.link?.absoluteString == FeatureTexts.link($0.id) })
    let decimal = Feature(
      "Decimal", DecimalItem.self,
      text: FeatureTexts.objects(count, note: { id, _ in #""price":\#(FeatureTexts.price(id))"# }),
      isRight: { $0.price == Decimal(string: FeatureTexts.price($0.id)) })
    let json = Feature(
      "JSONValue", JSONItem.self,
      text: FeatureTexts.objects(
        count,
        note: { id, _ in #""extra":{"kind":"paper","size":\#(FeatureTexts.size(id)),"isThin":true}"# }),
      isRight: { $0.extra["size"] == JSONValue.number(JSONNumber(FeatureTexts.size($0.id))) })
    let uuid = Feature(
      "UUID", UUIDItem.self,
      text: FeatureTexts.objects(count, note: { id, _ in #""key":"\#(FeatureTexts.uuid(id))""# }),
      isRight: { $0.key?.uuidString == FeatureTexts.uuid($0.id) })
    return [date, milliseconds, link, decimal, json, uuid]
  }

  /// The features of objects: nested, under other members, of several classes, and with a hook.
  private static func objects(_ count: Int) -> [Feature] {
    let keyPath = Feature(
      "key path", KeyPathItem.self,
      text: FeatureTexts.objects(count, note: { _, value in #""meta":{"title":\#(value)}"# }),
      isRight: { $0.title.hasSuffix(".") })
    let inner = Feature(
      "inner object", OuterItem.self,
      text: FeatureTexts.objects(
        count,
        note: { id, value in
          #""address":{"street":\#(value),"city":"Delft","zip":\#(FeatureTexts.postcode(id))}"#
        }),
      isRight: { $0.address?.zip == FeatureTexts.postcode($0.id) })
    let choosing = Feature(
      "class choosing", ChoosingItem.self,
      text: FeatureTexts.objects(
        count,
        note: { id, _ in FeatureTexts.isChosen(id) ? #""type":"tagged""# : #""type":"labelled""# },
        tags: { id, value in
          FeatureTexts.isChosen(id) ? #""tags":\#(value)"# : #""labels":\#(value)"#
        }),
      isRight: { FeatureTexts.isChosen($0.id) ? $0 is TaggedItem : $0 is LabelledItem })
    let hook = Feature(
      "hook", FinishedItem.self, text: FeatureTexts.objects(count), isRight: { $0.isFinished })
    return [keyPath, inner, choosing, hook]
  }

  /// The features of members that no property reads, and of properties without members.
  private static func members(_ count: Int) -> [Feature] {
    let ignored = Feature(
      "two unknown members, ignored", PlainItem.self, isWriterTimed: false,
      text: FeatureTexts.objects(
        count, more: { id, _ in #""rank":\#(FeatureTexts.size(id)),"remark":"of no interest""# }),
      writtenAs: FeatureTexts.objects(count), isRight: { $0.note != nil })
    let initial = Feature(
      "half without a member, initial value", LevelItem.self,
      text: FeatureTexts.objects(
        count, note: { id, _ in FeatureTexts.level(id).map { #""level":\#($0)"# } }),
      writtenAs: FeatureTexts.objects(
        count, note: { id, _ in #""level":\#(FeatureTexts.level(id) ?? 3)"# }),
      isRight: { $0.level == FeatureTexts.level($0.id) ?? 3 })
    let optional = Feature(
      "half without a member, optional", PlainItem.self,
      text: FeatureTexts.objects(
        count, note: { id, value in FeatureTexts.isChosen(id) ? #""note":\#(value)"# : nil }),
      isRight: { ($0.note != nil) == FeatureTexts.isChosen($0.id) })
    return [ignored, initial, optional]
  }

  /// The options of the reader and the writer, with objects without features.
  private static func readers(_ count: Int) -> [Feature] {
    let reported = Feature(
      "unknown members reported", PlainItem.self, reader: ModelReader(unknownKeys: .reported),
      isWriterTimed: false, text: FeatureTexts.objects(count), isRight: { $0.note != nil })
    let lenient = Feature(
      "lenient", PlainItem.self, reader: ModelReader(.lenient), isWriterTimed: false,
      text: FeatureTexts.objects(count), isRight: { $0.note != nil })
    let converted = Feature(
      "lenient, 1 of 100 converted", PlainItem.self, reader: ModelReader(.lenient), isWriterTimed: false,
      text: FeatureTexts.objects(
        count, id: { id, value in id % 100 == 7 ? #""id":"\#(value)""# : #""id":\#(value)"# }),
      writtenAs: FeatureTexts.objects(count), isRight: { $0.note != nil })
    let pretty = Feature(
      "pretty", PlainItem.self, writer: ModelWriter(isPretty: true),
      text: try prettyText(count), isRight: { $0.note != nil })
    return [reported, lenient, converted, pretty]
  }

  /// Returns the text without features, with each member on a line.
  private static func prettyText(_ count: Int) throws -> String {
    try ModelWriter(isPretty: true).text(of: [PlainItem](json: FeatureTexts.objects(count)))
  }
}
