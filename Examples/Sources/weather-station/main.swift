// Archives optional numbers and objects in arrays and dictionaries, some of them shared. GrandModel loses
// or duplicates these when it archives automatically, and BaseDataModel stores JSON values without
// checking their types.

import Arc
import ArcModel
import Claims
import Foundation

@Archivable final class Station {
  var name: String?
  var altitude: Float?
  var isOnline: Bool?
  var readingCount = 100
  var opened = Date(timeIntervalSince1970: 1_000_000_000)
  var main: Sensor?
  var sensors: [Sensor] = []
  var byPlace: [String: Sensor] = [:]
}

@Archivable final class Sensor {
  var kind = "unknown"
  var offset: Double? = 0.5
}

func makeStation() throws -> Station {
  let (roof, cellar) = (Sensor(), Sensor())
  (roof.kind, roof.offset, cellar.kind) = ("wind", nil, "water")
  let station = Station()
  (station.name, station.altitude, station.isOnline) = ("台北 101", 11.11, false)
  (station.main, station.sensors) = (roof, [roof, cellar])
  station.byPlace = ["roof": roof, "cellar": cellar]
  return station
}

example("Archived and read") {
  let station = try makeStation()
  let copy = try Unarchiver().unarchive(Station.self, from: Archiver().archive(station))
  print("  before: \(station.modelDescription)")
  print("  after:  \(copy.modelDescription)")
  claim("a Float? that is set is not lost", copy.altitude == 11.11)
  claim("false is false, not nil", copy.isOnline == false)
  claim("nil stays nil over an initial value", copy.main?.offset == nil)
  claim("arrays and dictionaries share objects as before", copy.sensors[0] === copy.byPlace["roof"])
  claim("names of classes are those of the source", copy.modelDescription.hasPrefix("Station #1"))
}

example("The same as JSON") {
  let station = try makeStation()
  let text = try station.json(isPretty: true)
  print(text)
  let read = try Station(json: text)
  claim(
    "all values come back", read.altitude == 11.11 && read.isOnline == false && read.opened == station.opened)
  claim("nil over an initial value too", read.sensors[0].offset == nil)
  claim("but in JSON an object at two places is two objects", read.sensors[0] !== read.byPlace["roof"])
}

example("A server that sends something else") {
  let text = #"{"name": 101, "altitude": "high", "sensors": [{"kind": "wind"}, "none", {"offset": "2"}]}"#
  let (station, issues) = try ModelReader(.lenient).readWithIssues(Station.self, from: text)
  for issue in issues { print("  \(issue)") }
  claim("a number for a text is a text", station.name == "101")
  claim("what is no number leaves nil", station.altitude == nil)
  claim("what is no sensor is left out", station.sensors.map(\.kind) == ["wind", "unknown"])
  claim("text of a number is the number", station.sensors[1].offset == 2)
  claim("what was passed over is told", issues.map(\.path) == ["altitude", "sensors[1]"])
}
