// Writes the fifty classes of the mixed workload: swift Scripts/generate-mixed.swift Sources/Benchmarks/Workloads/Mixed
//
// One root class, four families below it, three kinds in each, and two or three classes below each kind. Every class
// has two to four properties of its own, picked with a fixed seed.

import Foundation

let families: [(String, [(String, [String])])] = [
  (
    "Vehicle",
    [
      ("Car", ["Sedan", "SportsCar", "Van"]), ("Truck", ["Lorry", "Tanker", "Crane"]),
      ("Boat", ["Ferry", "Sailboat", "Submarine"]),
    ]
  ),
  (
    "Building",
    [
      ("House", ["Cottage", "Villa", "TownHouse"]), ("Office", ["Tower", "Studio", "Bank"]),
      ("Warehouse", ["Depot", "Silo", "Hangar"]),
    ]
  ),
  (
    "Device",
    [
      ("Computer", ["Laptop", "Server", "Workstation"]), ("Phone", ["Handset", "Pager", "Intercom"]),
      ("Sensor", ["Thermometer", "Barometer", "Camera"]),
    ]
  ),
  (
    "Document",
    [
      ("Letter", ["Memo", "Postcard"]), ("Contract", ["Lease", "Treaty"]), ("Invoice", ["Receipt", "Bill"]),
    ]
  ),
]

/// A kind of property: its names, its type, and the calls that read, link and visit it.
struct Kind {
  let names: [String]
  let type: String
  var read = ""
  var link = ""
  let visit: String
}

let kinds = [
  Kind(
    names: ["count", "rank", "serial", "volume"], type: "Int", read: "integer()",
    visit: "walk.digest.fold(NAME)"),
  Kind(
    names: ["year", "floor", "batch", "color"], type: "Int32", read: "shortInteger()",
    visit: "walk.digest.fold(NAME)"),
  Kind(
    names: ["weight", "length", "price", "rate"], type: "Double", read: "double()",
    visit: "walk.digest.fold(NAME)"),
  Kind(
    names: ["isNew", "isOpen", "isLeased", "isListed"], type: "Bool", read: "flag()",
    visit: "walk.digest.fold(NAME)"),
  Kind(
    names: ["title", "code", "maker", "place"], type: "String", read: "text()",
    visit: "walk.digest.fold(NAME)"),
  Kind(
    names: ["note", "alias", "contact", "origin"], type: "String?", read: "optionalText()",
    visit: "walk.digest.fold(NAME)"),
  Kind(
    names: ["discount", "slope", "margin", "drift"], type: "Double?", read: "optionalDouble()",
    visit: "walk.digest.fold(NAME)"),
  Kind(
    names: ["readings", "sizes", "steps", "marks"], type: "[Int]", read: "integers()",
    visit: "for number in NAME { walk.digest.fold(number) }"),
  Kind(
    names: ["tags", "labels", "groups", "topics"], type: "[String]", read: "tags()",
    visit: "for tag in NAME { walk.digest.fold(tag) }"),
  Kind(
    names: ["grade", "state", "tier", "level"], type: "Grade", read: "grade()",
    visit: "walk.digest.fold(NAME.rawValue)"),
  Kind(
    names: ["position", "entrance", "center", "anchor"], type: "Position", read: "position()",
    visit: "NAME.fold(into: &walk.digest)"),
  Kind(
    names: ["next", "spare", "parent", "twin"], type: "Asset?", link: "optionalTarget()",
    visit: "walk.reach(Reference(NAME))"),
  Kind(
    names: ["parts", "members", "copies", "neighbors"], type: "[Asset]", link: "targets()",
    visit: "walk.reach(all: NAME)"),
  Kind(
    names: ["owner", "keeper", "source", "rival"], type: "weak Asset?", link: "optionalTarget()",
    visit: "walk.reach(Reference(NAME))"),
]

struct Random: RandomNumberGenerator {
  var state: UInt64 = 50
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33 | state << 31
  }
}
var random = Random()

func declaration(_ name: String, superclass: String?, level: Int, isFinal: Bool) -> String {
  // What all objects have is plain; the others have anything.
  let candidates =
    superclass == nil
    ? kinds.filter { ["Int", "String", "[Asset]"].contains($0.type) } : kinds.shuffled(using: &random)
  let chosen = candidates.prefix(Int.random(in: 2...4, using: &random)).map {
    (name: $0.names[level], kind: $0)
  }
  let override = superclass == nil ? "" : "override "
  var lines = [
    "/// Level \(level + 1)"
      + (superclass.map { ", a kind of `\($0)`." } ?? ": what all objects of the workload are."),
    "@Archivable", (isFinal ? "final " : "") + "class \(name): \(superclass ?? "Walkable") {",
  ]
  for (name, kind) in chosen {
    let isWeak = kind.type.hasPrefix("weak ")
    let type = isWeak ? String(kind.type.dropFirst(5)) : kind.type
    lines.append("  \(isWeak ? "weak " : "")var \(name): \(type)\(type == "[Asset]" ? " = []" : "")")
  }
  lines += ["", "  required init(reading source: inout MixedSource) {"]
  lines += chosen.filter { !$0.kind.read.isEmpty }.map { "    \($0.name) = source.\($0.kind.read)" }
  if superclass != nil { lines.append("    super.init(reading: &source)") }
  lines.append("  }")
  let links = chosen.filter { !$0.kind.link.isEmpty }.map { "    \($0.name) = links.\($0.kind.link)" }
  if superclass == nil || !links.isEmpty {
    lines += ["", "  \(override)func connect(by links: inout MixedLinks) {"]
    if superclass != nil { lines.append("    super.connect(by: &links)") }
    lines += links + ["  }"]
    lines += ["", "  \(override)func cutLinks() {"]
    if superclass != nil { lines.append("    super.cutLinks()") }
    lines += chosen.filter { !$0.kind.link.isEmpty }.map {
      "    \($0.name) = \($0.kind.type == "[Asset]" ? "[]" : "nil")"
    }
    lines.append("  }")
  }
  lines += ["", "  \(override)func visit(_ walk: inout Walk) {"]
  if superclass != nil { lines.append("    super.visit(&walk)") }
  lines += chosen.map { "    " + $0.kind.visit.replacingOccurrences(of: "NAME", with: $0.name) }
  lines += ["  }", "}"]
  return lines.joined(separator: "\n")
}

let header = "// Made by Scripts/generate-mixed.swift; do not edit.\n\nimport Arc\n\n"
let folder = CommandLine.arguments.dropFirst().first ?? "."
func write(_ text: String, _ file: String) throws {
  try (header + text + "\n").write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
}

let root = declaration("Asset", superclass: nil, level: 0, isFinal: false)
var names = ["Asset"]
for (family, members) in families {
  var classes = [declaration(family, superclass: "Asset", level: 1, isFinal: false)]
  names.append(family)
  for (kind, leaves) in members {
    classes.append(declaration(kind, superclass: family, level: 2, isFinal: false))
    names.append(kind)
    for leaf in leaves {
      classes.append(declaration(leaf, superclass: kind, level: 3, isFinal: true))
      names.append(leaf)
    }
  }
  try write(classes.joined(separator: "\n\n"), "Mixed\(family)s.swift")
}
let list = names.map { "    \($0).self," }.joined(separator: "\n")
try write(
  root
    + "\n\n/// All classes of the workload.\nenum MixedClasses {\n  static let all: [Asset.Type] = [\n\(list)\n  ]\n}",
  "MixedAssets.swift")
