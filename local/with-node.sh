#!/usr/bin/env bash
# Runs a TypeScript entry point on the pinned Node, installing the project first when its
# dependencies are missing or older than the lock file. Needs only some Node >= 20 and npm.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ ! -x node_modules/node/bin/node ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  echo "Installing dependencies (about two minutes the first time)…"
  npm ci --loglevel=warn --foreground-scripts=false
fi
export PATH="$PWD/node_modules/node/bin:$PWD/node_modules/.bin:$PATH"
exec node --disable-warning=ExperimentalWarning "$@"
