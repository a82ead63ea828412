#!/usr/bin/env bash
# How long arcdump takes to show and to check an archive, beside sqlite3 and beside reading it as objects:
#   Benchmarks/arcdump.sh [ARCHIVE]
# Without ARCHIVE, the graph of the packages that apt knows, or of those that are installed. Prints seconds of the processor in
# user mode, the least of five runs, all output to /dev/null. Needs sqlite3. The goals: tree and --json at most twice as long as
# .dump of the same rows, verify at most twice as long as reading them into objects. How long that takes is known of a graph that
# is made here: package-graph says it, as time that passed, of one run.
# ARCDUMP and PACKAGE_GRAPH name programs that are built already.
set -euo pipefail
cd "$(dirname "$0")/.."
# Builds a product of a package. The packages share the folder, so neither may use the build plan of the other.
built() {
  swift build -c release --package-path "$1" --product "$2" --scratch-path .build-arcdump --disable-build-manifest-caching >&2
  echo "$PWD/.build-arcdump/release/$2"
}
arcdump=${ARCDUMP:-$(built . arcdump)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

archive=${1:-}
reading=0
if [ -z "$archive" ]; then
  archive=$folder/packages.arc
  apt-cache dumpavail > "$folder/packages" 2> "$folder/errors" || cp /var/lib/dpkg/status "$folder/packages"
  "${PACKAGE_GRAPH:-$(built Examples package-graph)}" "$folder/packages" "$archive" | tee "$folder/report"
  reading=$(awk 'match($0, /read [0-9.]+ m?s/) {
    split(substr($0, RSTART, RLENGTH), part, " "); print part[2] / (part[3] == "ms" ? 1000 : 1)
  }' "$folder/report")
fi
"$arcdump" export "$archive" --trust --format sql | sqlite3 "$folder/packages.db"

TIMEFORMAT=%U
seconds() {
  for _ in 1 2 3 4 5; do { time "$@" > /dev/null 2>&3; } 2>&1; done 3>&2 | sort -n | head -n 1
}
dump=$(seconds sqlite3 "$folder/packages.db" .dump)
show() { awk -v name="$1" -v time="$2" -v dump="$dump" 'BEGIN { printf "%-16s %7.2f s  %5.2f x .dump\n", name, time, time / dump }'; }
show "sqlite3 .dump" "$dump"
show "arcdump tree" "$(seconds "$arcdump" tree --trust "$archive")"
show "arcdump --json" "$(seconds "$arcdump" tree --json --trust "$archive")"
verify=$(seconds "$arcdump" verify --trust "$archive")
show "arcdump verify" "$verify"
[ "$reading" = 0 ] || awk -v verify="$verify" -v reading="$reading" \
  'BEGIN { printf "%-16s %7.2f s, verify %.2f x that\n", "reading objects", reading, verify / reading }'
