import Arc
import ArcTestSupport
import XCTest

/// The `userInfo` of an archiver or unarchiver is available to all code of the program that it calls.
final class UserInfoTests: XCTestCase {
  func testHandWrittenClassReadsUserInfo() throws {
    let (writing, reading) = (Recorder(), Recorder())
    let bytes = try Archiver(writing).archive(Seeing())
    _ = try Unarchiver(reading).unarchive(Seeing.self, from: bytes)
    XCTAssertEqual(writing.calls.first, "encode")
    XCTAssertEqual(reading.calls, ["init", "link"])
  }

  func testCodableValueReadsUserInfoInEveryContainer() throws {
    let (writing, reading) = (Recorder(), Recorder())
    let bytes = try Archiver(writing).archive(SeeingHolder())
    _ = try Unarchiver(reading).unarchive(SeeingHolder.self, from: bytes)
    XCTAssertEqual(writing.calls, ["encode value", "encode part", "encode value", "encode part"])
    XCTAssertEqual(reading.calls, ["decode value", "decode part", "decode value", "decode part"])
  }

  func testCodableKeysReadUserInfoEvenWhenCompared() throws {
    let writing = Recorder()
    let bytes = try Archiver(writing, isCanonical: true).archive([
      SeeingPart(number: 1): 1, SeeingPart(number: 2): 2,
    ])
    XCTAssertEqual(writing.calls.count, 4, "each is compared, then written")
    let reading = Recorder()
    let copy = try Unarchiver(reading).unarchive([SeeingPart: Int].self, from: bytes)
    XCTAssertEqual(copy, [SeeingPart(number: 1): 1, SeeingPart(number: 2): 2])
    XCTAssertEqual(reading.calls, ["decode part", "decode part"])
  }

  func testUserInfoIsNotPassedToNextArchive() throws {
    let recorder = Recorder()
    for _ in 0..<3 {
      let bytes = try Archiver(recorder).archive(SeeingHolder())
      _ = try Unarchiver(recorder).unarchive(SeeingHolder.self, from: bytes)
      let calls = recorder.calls
      // The pools return the same encoder and decoder.
      _ = try reread(SeeingHolder(), as: SeeingHolder.self, classes: ClassTable())
      XCTAssertEqual(recorder.calls, calls)
      recorder.calls = []
    }
  }

  func testUserInfoIsReleasedWhenTheCallReturns() throws {
    weak var writing: Recorder?
    weak var reading: Recorder?
    try { () throws in
      let (first, second) = (Recorder(), Recorder())
      (writing, reading) = (first, second)
      let bytes = try Archiver(first).archive(SeeingHolder())
      _ = try Unarchiver(second).unarchive(SeeingHolder.self, from: bytes)
    }()
    XCTAssertNil(writing)
    XCTAssertNil(reading)
  }
}

private final class Seeing: Archivable {
  init() {}
  init(from decoder: borrowing ObjectDecoder) throws { try decoder.userInfo.recorder?.note("init") }
  func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.userInfo.recorder?.note("encode") }
  func link(from decoder: borrowing ObjectDecoder) throws { try decoder.userInfo.recorder?.note("link") }
}

@Archivable private final class SeeingHolder {
  var value = SeeingValue()
  @Coded var coded = SeeingValue()
  init() {}
}

private struct SeeingValue: ArchivableByCoding {
  var part = SeeingPart(number: 1)
  init() {}
  private enum CodingKeys: CodingKey { case part }
  init(from decoder: any Decoder) throws {
    try (decoder.userInfo[.recorder] as? Recorder)?.note("decode value")
    part = try decoder.container(keyedBy: CodingKeys.self).decode(SeeingPart.self, forKey: .part)
  }
  func encode(to encoder: any Encoder) throws {
    try (encoder.userInfo[.recorder] as? Recorder)?.note("encode value")
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(part, forKey: .part)
  }
}

private struct SeeingPart: ArchivableByCoding, Hashable {
  var number: Int
  init(number: Int) { self.number = number }
  init(from decoder: any Decoder) throws {
    try (decoder.userInfo[.recorder] as? Recorder)?.note("decode part")
    number = try decoder.singleValueContainer().decode(Int.self)
  }
  func encode(to encoder: any Encoder) throws {
    try (encoder.userInfo[.recorder] as? Recorder)?.note("encode part")
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}
