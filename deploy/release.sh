#!/usr/bin/env bash
# Makes a release of what is checked out: a folder with the packed server and its packages, both sites, their Caddyfile, and
# the Node that built them. Nothing that runs is touched, and a folder gets its name when it is whole.
#   deploy/release.sh           named by its tag
#   deploy/release.sh v1.4.0    where there is no git
set -euo pipefail
umask 022
cd "$(dirname "$0")/.."
releases=${SHOP_HOME:-/srv/shop}/releases
version=${1:-$(git describe --tags --always --dirty)}
if [ -e "$releases/$version" ]; then
  echo "$releases/$version is there already; remove it first if nothing runs from it." >&2
  exit 1
fi
mkdir -p "$releases"
made=$(mktemp -d "$releases/.making-XXXXXX")
trap 'rm -rf "$made"' EXIT
chmod 755 "$made"

npm run build
cp -R functions/dist "$made/server"
cp -R liff-app/dist "$made/storefront"
cp -R admin-web/dist "$made/admin"
cp deploy/Caddyfile "$made/Caddyfile"
(cd "$made/server" && npm ci --omit=dev --loglevel=error)
bash local/with-node.sh -e 'fs.copyFileSync(process.execPath, process.argv[1])' "$made/node"
mv -T "$made" "$releases/$version"
trap - EXIT
echo "Made $releases/$version"
