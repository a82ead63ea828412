/// JSON texts like those of servers. The texts are equal in every run.
enum ModelTexts {
  /// Returns messages with their authors: long strings, some of them not ASCII, and 64-bit numbers.
  static func timeline(bytes: Int) -> String {
    var random = SeededGenerator(seed: 1)
    var text = "{\"statuses\":["
    var isFirst = true
    while text.utf8.count < bytes {
      let id = 505_874_924_095_815_681 + Int(random.next() % 1_000_000_000)
      let author = Words.personName(&random)
      let sentence = Words.sentence(words: 8...24, &random)
      let reply = random.chance(percent: 30) ? "\(id - 1)" : "null"
      let tags = (0..<random.index(below: 4)).map { _ in
        "{\"text\":\"\(random.pick(Words.common))\",\"indices\":[3,9]}"
      }
      text += """
        \(isFirst ? "" : ",")
            {"created_at":"Sun Aug 31 00:29:15 +0000 2014","id":\(id),"id_str":"\(id)","text":"\(sentence)",\
        "truncated":false,"in_reply_to_status_id":\(reply),"user":{"id":\(id % 4_000_000_000),"name":"\(author)",\
        "screen_name":"\(author.prefix(4))_\(id % 1000)","location":"\(random.pick(Words.universities))",\
        "followers_count":\(random.index(below: 5000)),"friends_count":\(random.index(below: 900)),\
        "verified":\(random.chance(percent: 5)),"url":null},"retweet_count":\(random.index(below: 90)),\
        "favorited":false,"entities":{"hashtags":[\(tags.joined(separator: ","))],"symbols":[]},"lang":"en"}
        """
      isFirst = false
    }
    return text + "],\"next\":null}"
  }

  /// Returns events and prices by number: dictionaries, many small numbers and nulls, and much white space.
  static func catalogue(bytes: Int) -> String {
    var random = SeededGenerator(seed: 2)
    var (events, performances) = ("", "")
    var id = 138_586_341
    while events.utf8.count + performances.utf8.count < bytes {
      id += 1 + random.index(below: 9)
      let topics = (0..<3 + random.index(below: 4)).map { _ in "\(324_846_099 + random.index(below: 9))" }
      events += """
        \(events.isEmpty ? "" : ",")
            "\(id)": {
              "description": null,
              "id": \(id),
              "logo": null,
              "name": "\(Words.sentence(words: 2...4, &random))",
              "subTopicIds": [\(topics.joined(separator: ", "))],
              "subjectCode": null,
              "topicIds": [324846099, 107888604]
            }
        """
      let prices = (0..<2 + random.index(below: 3)).map { _ in
        "{ \"amount\": \(random.index(below: 99999)), \"audienceSubCategoryId\": 337100890, \"seatCategoryId\": \(id + 5) }"
      }
      performances += """
        \(performances.isEmpty ? "" : ",")
            { "eventId": \(id), "id": \(id + 7), "logo": null, "name": null, "prices": [ \(prices.joined(separator: ", ")) ],
              "start": 1378490400000, "venueCode": "PLEYEL_PLEYEL" }
        """
    }
    return "{\n  \"events\": {\(events)\n  },\n  \"performances\": [\(performances)\n  ]\n}"
  }

  /// Returns the borders of a country: numbers with many digits.
  static func coordinates(bytes: Int) -> String {
    var random = SeededGenerator(seed: 3)
    var text = "{\"type\":\"FeatureCollection\",\"coordinates\":["
    var isFirst = true
    while text.utf8.count < bytes {
      let ring = (0..<40 + random.index(below: 200)).map { _ in
        let (east, north) = (
          Double.random(in: -141 ... -52, using: &random), Double.random(in: 41...83, using: &random)
        )
        return "[\(east),\(north)]"
      }
      text += (isFirst ? "[" : ",[") + ring.joined(separator: ",") + "]"
      isFirst = false
    }
    return text + "]}"
  }

  /// Returns persons with an address.
  static func people(bytes: Int) -> String {
    var random = SeededGenerator(seed: 4)
    var text = "["
    var id = 0
    while text.utf8.count < bytes {
      let name = Words.personName(&random)
      let tags = (0..<random.index(below: 4)).map { _ in "\"\(random.pick(Words.common))\"" }
      let email = random.chance(percent: 70) ? "\"p\(id)@example.org\"" : "null"
      text += """
        \(id == 0 ? "" : ",\n"){"id":\(id),"name":"\(name)","email":\(email),"active":\(random.chance(percent: 50)),\
        "score":\(Double(random.index(below: 100_000)) / 100),"tags":[\(tags.joined(separator: ","))],\
        "address":{"street":"\(random.pick(Words.titles)) street \(id % 300)","city":"\(random.pick(Words.companies))",\
        "zip":\(10_000 + random.index(below: 89_999))}}
        """
      id += 1
    }
    return text + "]"
  }
}
