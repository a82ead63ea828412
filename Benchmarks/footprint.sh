#!/usr/bin/env bash
# What Arc adds to a package: build time, the size of a program, and how fast `arcdump` starts.
#
#     bash Benchmarks/footprint.sh [--release]
#
# It builds two small programs in a temporary folder: ten classes without Arc, and the same ten with `import Arc` and
# `@Archivable`. The first build of the second one compiles Arc and, where no prebuilt one fits, swift-syntax.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
configuration=debug
[ "${1:-}" = --release ] && configuration=release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Milliseconds that a command takes; what it prints goes to a log.
milliseconds() {
  local start end
  start=$(date +%s%N)
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
  end=$(date +%s%N)
  echo $(((end - start) / 1000000))
}

# Writes a package of ten classes: name, dependencies, the target's dependencies, attribute, import.
make_client() {
  mkdir -p "$work/$1/Sources/$1"
  cat >"$work/$1/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "$1", platforms: [.macOS(.v15)], dependencies: [$2],
  targets: [.executableTarget(name: "$1", dependencies: [$3])])
EOF
  {
    echo "$5"
    for index in 0 1 2 3 4 5 6 7 8 9; do
      cat <<EOF
$4 final class Class$index {
  var name = ""
  var count = 0
  var ratio: Double?
  var next: Class$index?
  var others: [Class$index] = []
  init() {}
}
EOF
    done
    echo 'print("ready", Class0().count)'
  } >"$work/$1/Sources/$1/main.swift"
}

build() { swift build --package-path "$work/$1" -c "$configuration"; }

make_client Plain "" "" "" ""
make_client WithArc ".package(name: \"Arc\", path: \"$root\")" '.product(name: "Arc", package: "Arc")' \
  "@Archivable" "import Arc"

echo "| $configuration build | plain | with Arc |"
echo "|---|--:|--:|"
plain=$(milliseconds build Plain)
arc=$(milliseconds build WithArc)
echo "| first build, ms | $plain | $arc |"
for client in Plain WithArc; do echo "// changed" >>"$work/$client/Sources/$client/main.swift"; done
plain=$(milliseconds build Plain)
arc=$(milliseconds build WithArc)
echo "| after a change, ms | $plain | $arc |"
for client in Plain WithArc; do
  strip -o "$work/$client.stripped" "$work/$client/.build/$configuration/$client"
done
size() { stat -L -c %s "$1"; }
echo "| program, bytes | $(size "$work/Plain/.build/$configuration/Plain")" \
  "| $(size "$work/WithArc/.build/$configuration/WithArc") |"
echo "| program without symbols, bytes | $(size "$work/Plain.stripped") | $(size "$work/WithArc.stripped") |"

# The least of twenty starts of each; `arcdump --help` reads no file.
swift build --package-path "$root" --scratch-path "$work/arcdump" -c "$configuration" --product arcdump \
  >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
least() {
  local best=1000000 time
  for _ in $(seq 20); do
    time=$(milliseconds "$@")
    [ "$time" -lt "$best" ] && best=$time
  done
  echo "$best"
}
echo "| start, ms (arcdump --help on the right) | $(least "$work/Plain/.build/$configuration/Plain")" \
  "| $(least "$work/arcdump/$configuration/arcdump" --help) |"
echo "| size of arcdump, bytes | | $(size "$work/arcdump/$configuration/arcdump") |"
