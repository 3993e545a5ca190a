#!/usr/bin/env bash
# Puts a release to work, a newer one or, as the way back, an older one. It starts beside the one at work, at the other of two
# ports; once it is ready the link `current` is put there, by which Caddy finds sites and server at each call, and the other one
# ends when its last call is answered. Whoever is cut off here runs it again.
#   deploy/switch.sh v1.4.0
#   deploy/switch.sh           the release at work anew, with what changed in deploy/.env and deploy/secrets.env
set -euo pipefail
cd "${SHOP_HOME:-/srv/shop}"
read -r first second <<<"${SHOP_PORTS:-8787 8788}"

old=$(readlink current || true)
release=${1:-$(basename "$(readlink current/release || true)")}
if [ ! -x "releases/$release/node" ]; then
  echo "There is no release '$release' in $PWD/releases, but: $(ls releases)" >&2
  exit 1
fi
new=$first
if [ "$old" = "$first" ]; then new=$second; fi

put() { ln -sfn "$1" "$2.next" && mv -T "$2.next" "$2"; }

systemctl stop "shop@$new"
mkdir -p "$first" "$second"
# The one file by which Caddy tells the two apart.
touch "$second/second"
put "../releases/$release" "$new/release"
systemctl start "shop@$new"
for _ in $(seq "${SHOP_READY_SECONDS:-60}"); do
  if curl -fs -o /dev/null "http://127.0.0.1:$new/ready"; then ready=yes && break; fi
  sleep 1
done
if [ -z "${ready-}" ]; then
  systemctl stop "shop@$new"
  echo "$release was not ready in time, and nothing was changed: journalctl -u shop@$new" >&2
  exit 1
fi
put "$new" current
# Only where it has something new to read: callers whose kept connections a reload closes may have to ask again.
if [ -z "$old" ] || ! cmp -s "$old/release/Caddyfile" current/release/Caddyfile; then systemctl reload-or-restart caddy; fi
systemctl enable "shop@$new"
if [ -n "$old" ]; then
  # For calls that Caddy was just passing on.
  sleep 1
  systemctl disable --now "shop@$old"
fi
echo "$release is at work on port $new"
