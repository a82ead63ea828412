// Made by Scripts/generate-mixed.swift; do not edit.

import Arc

/// Level 1: what all objects of the workload are.
@Archivable
class Asset: Walkable {
  var count: Int
  var title: String
  var parts: [Asset] = []

  required init(reading source: inout MixedSource) {
    count = source.integer()
    title = source.text()
  }

  func connect(by links: inout MixedLinks) {
    parts = links.targets()
  }

  func cutLinks() {
    parts = []
  }

  func visit(_ walk: inout Walk) {
    walk.digest.fold(count)
    walk.digest.fold(title)
    walk.reach(all: parts)
  }
}

/// All classes of the workload.
enum MixedClasses {
  static let all: [Asset.Type] = [
    Asset.self,
    Vehicle.self,
    Car.self,
    Sedan.self,
    SportsCar.self,
    Van.self,
    Truck.self,
    Lorry.self,
    Tanker.self,
    Crane.self,
    Boat.self,
    Ferry.self,
    Sailboat.self,
    Submarine.self,
    Building.self,
    House.self,
    Cottage.self,
    Villa.self,
    TownHouse.self,
    Office.self,
    Tower.self,
    Studio.self,
    Bank.self,
    Warehouse.self,
    Depot.self,
    Silo.self,
    Hangar.self,
    Device.self,
    Computer.self,
    Laptop.self,
    Server.self,
    Workstation.self,
    Phone.self,
    Handset.self,
    Pager.self,
    Intercom.self,
    Sensor.self,
    Thermometer.self,
    Barometer.self,
    Camera.self,
    Document.self,
    Letter.self,
    Memo.self,
    Postcard.self,
    Contract.self,
    Lease.self,
    Treaty.self,
    Invoice.self,
    Receipt.self,
    Bill.self,
  ]
}
