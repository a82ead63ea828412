import Arc

/// A package that dpkg knows on this system, as `/var/lib/dpkg/status` lists it.
@Archivable
final class InstalledPackage: BinaryPackage {
  let status: InstallationStatus
  /// The configuration files, each with the MD5 sum of its packaged state (or `newconffile`).
  let conffiles: [String: String]
  /// Those of `conffiles` that the installed version no longer ships.
  var obsoleteConffiles: Set<String> = []

  override init(name: String, reading paragraph: inout ControlParagraph, maintainer: Maintainer?) {
    status = paragraph.take("status", as: InstallationStatus.init(parsing:)) ?? InstallationStatus()
    var checksums: [String: String] = [:]
    for line in (paragraph.take("conffiles") ?? "").split(separator: "\n") {
      // "/path checksum", and after that `obsolete` or `remove-on-upgrade`.
      let words = line.split(separator: " ")
      guard words.count >= 2 else { continue }
      checksums[String(words[0])] = String(words[1])
      if words.dropFirst(2).contains("obsolete") { obsoleteConffiles.insert(String(words[0])) }
    }
    conffiles = checksums
    super.init(name: name, reading: &paragraph, maintainer: maintainer)
  }
}

/// What dpkg is asked to do with a package, and how far it has come (dpkg(1), "Package states").
@Archivable
struct InstallationStatus: Hashable, Sendable {
  /// What the administrator asked for.
  @Archivable
  enum Selection: String, CaseIterable, Hashable, Sendable {
    case unknown
    case install
    case hold
    case deinstall
    case purge
  }

  /// How far the installation has come.
  @Archivable
  enum State: Hashable, Sendable {
    case notInstalled
    case configFiles
    case halfInstalled
    case unpacked
    case halfConfigured
    case triggersAwaited
    case triggersPending
    case installed
    /// A state that this program does not know, as written.
    case other(String)
  }

  var selection = Selection.unknown
  /// Whether the package is broken and must be installed again.
  var needsReinstallation = false
  var state = State.notInstalled

  /// The status of a package that dpkg knows nothing about.
  init() {}

  /// Reads a `Status` field: `install ok installed`.
  init?(parsing text: String) {
    let words = text.split(separator: " ")
    guard words.count == 3, let selection = Selection(rawValue: String(words[0])) else { return nil }
    switch words[1] {
    case "ok": needsReinstallation = false
    case "reinstreq": needsReinstallation = true
    default: return nil
    }
    self.selection = selection
    state = State(parsing: String(words[2]))
  }
}

extension InstallationStatus.State {
  private static let names: [String: Self] = [
    "not-installed": .notInstalled, "config-files": .configFiles, "half-installed": .halfInstalled,
    "unpacked": .unpacked, "half-configured": .halfConfigured, "triggers-awaited": .triggersAwaited,
    "triggers-pending": .triggersPending, "installed": .installed,
  ]

  /// The state of that name.
  init(parsing name: String) {
    self = Self.names[name] ?? .other(name)
  }
}
