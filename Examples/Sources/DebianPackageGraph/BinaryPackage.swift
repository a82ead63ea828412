import Arc
import Foundation

/// A package that exists as a `.deb` file, here or in an archive.
@Archivable
class BinaryPackage: Package {
  /// Whether packages of other architectures may use this one (Debian's multiarch specification).
  @Archivable
  enum MultiArch: String, CaseIterable, Hashable, Sendable {
    case no
    case same
    case foreign
    case allowed
  }

  /// How much the system needs the package (Debian Policy 2.5).
  @Archivable
  enum Priority: String, CaseIterable, Hashable, Sendable {
    case required
    case important
    case standard
    case optional
    case extra
  }

  /// The architecture of a package that runs on any.
  static let independentArchitecture = "all"

  let architecture: String
  let multiArch: MultiArch?
  let priority: Priority?
  /// The size on disk in KiB, as the package's maker estimated it.
  let installedSizeInKiB: Int?
  /// The source package, where it has another name, with its version in parentheses if that differs.
  let source: String?
  let isEssential: Bool

  override init(name: String, reading paragraph: inout ControlParagraph, maintainer: Maintainer?) {
    architecture = paragraph.take("architecture") ?? Self.independentArchitecture
    multiArch = paragraph.take("multi-arch", as: MultiArch.init(rawValue:))
    priority = paragraph.take("priority", as: Priority.init(rawValue:))
    installedSizeInKiB = paragraph.take("installed-size") { Int($0) }
    source = paragraph.take("source")
    isEssential = paragraph.take("essential") { ["yes": true, "no": false][$0] } ?? false
    super.init(name: name, reading: &paragraph, maintainer: maintainer)
  }
}

/// A package that an archive offers, as `apt-cache dumpavail` prints it.
@Archivable
final class AvailablePackage: BinaryPackage {
  /// The size of the `.deb` file in bytes.
  let downloadSize: Int?
  /// The path of the `.deb` file below the archive's root.
  let filename: String?
  let checksums: [Checksum]
  /// The MD5 sum under which the archive keeps translations of the description.
  let descriptionMD5: Data?

  override init(name: String, reading paragraph: inout ControlParagraph, maintainer: Maintainer?) {
    downloadSize = paragraph.take("size") { Int($0) }
    filename = paragraph.take("filename")
    checksums = Checksum.all(takenFrom: &paragraph)
    descriptionMD5 = paragraph.take("description-md5") { Data(hexadecimal: $0, count: 16) }
    super.init(name: name, reading: &paragraph, maintainer: maintainer)
  }
}
