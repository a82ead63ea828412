import Arc

// Each model twice: a class for Arc, and a structure for `Codable`, which is faster with structures.

@Archivable final class TimelineModel {
  var statuses: [StatusModel] = []
  var next: String?
}

@Archivable final class StatusModel {
  var created_at = ""
  var id: Int64 = 0
  var id_str = ""
  var text = ""
  var truncated = false
  var in_reply_to_status_id: Int64?
  var user: UserModel?
  var retweet_count = 0
  var favorited = false
  var entities = EntitiesModel()
  var lang = ""
}

@Archivable final class UserModel {
  var id: Int64 = 0
  var name = ""
  var screen_name = ""
  var location = ""
  var followers_count = 0
  var friends_count = 0
  var verified = false
  var url: String?
}

@Archivable final class EntitiesModel { var hashtags: [HashtagModel] = [] }

@Archivable final class HashtagModel {
  var text = ""
  var indices: [Int] = []
}

struct TimelinePeer: Codable {
  var statuses: [StatusPeer]
  var next: String?
}

struct StatusPeer: Codable {
  var created_at: String
  var id: Int64
  var id_str: String
  var text: String
  var truncated: Bool
  var in_reply_to_status_id: Int64?
  var user: UserPeer?
  var retweet_count: Int
  var favorited: Bool
  var entities: EntitiesPeer
  var lang: String
}

struct UserPeer: Codable {
  var id: Int64
  var name: String
  var screen_name: String
  var location: String
  var followers_count: Int
  var friends_count: Int
  var verified: Bool
  var url: String?
}

struct EntitiesPeer: Codable { var hashtags: [HashtagPeer] }

struct HashtagPeer: Codable {
  var text: String
  var indices: [Int]
}

@Archivable final class CatalogueModel {
  var events: [String: EventModel] = [:]
  var performances: [PerformanceModel] = []
}

@Archivable final class EventModel {
  var description: String?
  var id = 0
  var logo: String?
  var name = ""
  var subTopicIds: [Int] = []
  var subjectCode: Int?
  var topicIds: [Int] = []
}

@Archivable final class PerformanceModel {
  var eventId = 0
  var id = 0
  var logo: String?
  var name: String?
  var prices: [PriceModel] = []
  var start: Int64 = 0
  var venueCode = ""
}

@Archivable final class PriceModel {
  var amount = 0
  var audienceSubCategoryId = 0
  var seatCategoryId = 0
}

struct CataloguePeer: Codable {
  var events: [String: EventPeer]
  var performances: [PerformancePeer]
}

struct EventPeer: Codable {
  var description: String?
  var id: Int
  var logo: String?
  var name: String
  var subTopicIds: [Int]
  var subjectCode: Int?
  var topicIds: [Int]
}

struct PerformancePeer: Codable {
  var eventId: Int
  var id: Int
  var logo: String?
  var name: String?
  var prices: [PricePeer]
  var start: Int64
  var venueCode: String
}

struct PricePeer: Codable {
  var amount: Int
  var audienceSubCategoryId: Int
  var seatCategoryId: Int
}

@Archivable final class MapModel {
  var type = ""
  var coordinates: [[[Double]]] = []
}

struct MapPeer: Codable {
  var type: String
  var coordinates: [[[Double]]]
}

@Archivable final class PersonModel {
  var id = 0
  var name = ""
  var email: String?
  var active = false
  var score = 0.0
  var tags: [String] = []
  var address: AddressModel?
}

@Archivable final class AddressModel {
  var street = ""
  var city = ""
  var zip = 0
}

struct PersonPeer: Codable {
  var id: Int
  var name: String
  var email: String?
  var active: Bool
  var score: Double
  var tags: [String]
  var address: AddressPeer?
}

struct AddressPeer: Codable {
  var street: String
  var city: String
  var zip: Int
}
