#!/usr/bin/env bash
# Runs a TypeScript entry point on the pinned Node, installing the project first when its
# dependencies are missing or older than the lock file. Needs only some Node >= 20.19 and npm.
set -euo pipefail
cd "$(dirname "$0")/.."

pinned_node=node_modules/node/bin/node
stamp=node_modules/.package-lock.json

if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'; then
  echo "This project needs Node 20.19 or later and npm; found: $(node --version 2>/dev/null || echo none)" >&2
  exit 1
fi

# npm is silent for minutes where there is no terminal; a line now and then shows that it works.
install() {
  local total started
  total=$(grep -c '^    "node_modules/' package-lock.json || true)
  started=$SECONDS
  npm "$1" --loglevel=error --progress=false --no-fund --no-audit &
  local npm_pid=$!
  trap 'kill $npm_pid 2>/dev/null; exit 130' INT TERM
  while kill -0 $npm_pid 2>/dev/null; do
    sleep 1
    if (( (SECONDS - started) % 5 == 0 )); then
      echo "  $((SECONDS - started)) s, $(find node_modules -maxdepth 3 -name package.json 2>/dev/null | wc -l | tr -d ' ') of about $total packages"
    fi
  done
  wait $npm_pid
  trap - INT TERM
  touch $stamp
  echo "Installed in $((SECONDS - started)) s."
}

if [ ! -x $pinned_node ] || [ ! -f $stamp ]; then
  echo "Installing dependencies (a minute or two, the first time only)…"
  install ci
elif [ package-lock.json -nt $stamp ]; then
  echo "The lock file changed; updating dependencies…"
  install install
fi
if [ ! -x $pinned_node ]; then
  echo "The pinned Node is missing after the install. Is npm set to ignore-scripts? Try: npm ci --ignore-scripts=false" >&2
  exit 1
fi

export PATH="$PWD/node_modules/node/bin:$PWD/node_modules/.bin:$PATH"
exec node --disable-warning=ExperimentalWarning "$@"
