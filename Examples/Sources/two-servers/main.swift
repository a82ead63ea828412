// Reads one class from two servers. The mappings are values that the program passes to a reader instead
// of declaring them in the class, and existing objects are updated. FastEasyMapping does this with a
// store of objects by primary key.

import Arc
import ArcModel
import Claims
import Foundation

@Archivable final class Shop {
  var number = 0
  var name = ""
  var opened: Date?
  var phones: [Phone] = []
  var owner: Owner?
}

@Archivable final class Phone { var digits = "" }
@Archivable final class Owner { var name = "" }

/// A reader for the shops of the city's register.
let register = reader(
  JSONMapping(
    paths: ["number": ["shop_id"], "name": ["title.de"], "opened": ["since"]],
    formats: ["opened": .millisecondsSince1970]))

/// A reader for the shops of the map service, whose names are in capitals.
let mapService = reader(
  JSONMapping(naming: .upperSnakeCase, formats: ["opened": .rfc1123], except: ["owner"]))

func reader(_ mapping: JSONMapping) -> ModelReader {
  var reader = ModelReader()
  reader.setMapping(mapping, for: Shop.self)
  return reader
}

let registered = """
  {"result": {"shops": [
    {"shop_id": 7, "title": {"de": "Bäckerei"}, "since": 978307200000, "owner": {"name": "Eva"},
     "phones": [{"digits": "030 1"}]}
  ]}}
  """

example("Two texts, one class") {
  let one = try register.read([Shop].self, from: registered, at: "result.shops")[0]
  let other = try mapService.read(
    Shop.self,
    from: #"{"NUMBER": 7, "NAME": "Bäckerei", "OPENED": "Mon, 01 Jan 2001 00:00:00 GMT", "OWNER": 5}"#)
  claim("the envelope is stripped", one.number == 7)
  claim("names, and dates of both kinds", one.name == other.name && one.opened == other.opened)
  claim("what one server sends is not read of the other", one.owner?.name == "Eva" && other.owner == nil)
}

example("Written as either wants it") {
  let shop = try register.read([Shop].self, from: registered, at: "result.shops")[0]
  var writer = ModelWriter(sortsKeys: true)
  writer.setMapping(
    JSONMapping(paths: ["number": ["shop_id"], "name": ["title.de"]], only: ["number", "name"]),
    for: Shop.self)
  let text = try writer.text(of: shop)
  print("  \(text)")
  claim("paths are built again", text == #"{"shop_id":7,"title":{"de":"Bäckerei"}}"#)
}

example("Updated") {
  let shop = try register.read([Shop].self, from: registered, at: "result.shops")[0]
  let (owner, phone) = (shop.owner, shop.phones[0])
  try register.update(shop, from: #"{"owner": {"name": "Eva M."}, "phones": [{"digits": "030 2"}]}"#)
  claim("the owner is the same object, with another name", shop.owner === owner && owner?.name == "Eva M.")
  claim("a collection is replaced", shop.phones.count == 1 && shop.phones[0] !== phone)
  do {
    try register.update(shop, from: #"{"title": {"de": "Café"}, "since": "soon"}"#)
    claim("the update is refused", false)
  } catch let error as ModelReadingError {
    print("  \(error)")
    claim("all of it or nothing", shop.name == "Bäckerei")
  }
}
