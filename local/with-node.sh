#!/usr/bin/env bash
# Runs a TypeScript entry point or a tool, installing first what it needs where that is missing or of another lock file:
#   with-node.sh --start local/start.ts    what starting needs ("dependencies")
#   with-node.sh local/test.ts             everything ("devDependencies" too)
# Needs npm from 10 on and some Node from 20.19 on. Where that Node can't run TypeScript, the one of .nvmrc is fetched into .local.
set -euo pipefail
# Seconds; with a fraction where bash has one.
export BEGAN_AT=${EPOCHREALTIME:-$(date +%s)}
cd "$(dirname "$0")/.."

wanted=all
if [ "${1-}" = --start ]; then
  wanted=start
  shift
fi

node_is() { node -e "const [a, b] = process.versions.node.split('.').map(Number); process.exit($1 ? 0 : 1)" 2>/dev/null; }
if ! node_is 'a > 20 || (a === 20 && b >= 19)'; then
  echo "This project needs Node 20.19 or later and npm; found: $(node --version 2>/dev/null || echo none)" >&2
  exit 1
fi

run_npm() {
  # Before 10 npm stumbles over the overrides in package.json, and blames the lock file.
  if [ "$(npm --version | cut -d. -f1)" -lt 10 ]; then
    echo "This project needs npm 10 or later; found: $(npm --version). Node from nodejs.org brings one, Debian's own is older." >&2
    exit 1
  fi
  if ! npm "$@" --loglevel=error; then
    echo "The install did not finish (see above). Is there a network? Run the same command again." >&2
    exit 1
  fi
}

# The stamp is written when an install is whole: what it holds, and of which lock file. `npm ci` begins from nothing;
# `npm install` adds to what is there, because a shop may be running from it.
stamp=node_modules/.installed
lock=$(cksum <package-lock.json)
found=$(cat $stamp 2>/dev/null || true)
if [ "$found" != "all $lock" ] && [ "$found" != "$wanted $lock" ]; then
  echo "Installing what is needed…"
  case "$found" in "") how=ci ;; all*) how=install wanted=all ;; *) how=install ;; esac
  rm -f $stamp
  run_npm "$how" --no-save "$([ $wanted = all ] && echo --include=dev || echo --omit=dev)"
  echo "$wanted $lock" >$stamp
fi

if ! node_is '(a === 22 && b >= 18) || a >= 24'; then
  version=$(cat .nvmrc)
  folder=.local/node-$version
  if [ ! -x "$folder/node" ]; then
    name=$(node -p '`${process.platform}-${process.arch}`.replace(/^(?=darwin-arm64)/, "bin-")')
    rm -rf "$folder"
    run_npm install --no-save --no-package-lock --ignore-scripts --prefix "$folder" "node-$name@$version"
    # The rest is headers and manuals, a third of it.
    mv "$folder/node_modules/node-$name/bin/node" "$folder/node" && rm -rf "$folder/node_modules"
  fi
  PATH="$PWD/$folder:$PATH"
fi
export PATH="$PWD/node_modules/.bin:$PATH"
exec node --disable-warning=ExperimentalWarning "$@"
