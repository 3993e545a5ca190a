#!/usr/bin/env bash
# `npm run ops` without Docker: the operators' program of the release at work, as the server's own user, so that a file that it
# writes is the server's, and with the server's variables, before which those given here come.
#   deploy/ops.sh doctor
#   RELEASE=v1.4.0 DATABASE_URL="$OWNER_DATABASE_URL" deploy/ops.sh migrate
set -euo pipefail
deploy=$(cd "$(dirname "$0")" && pwd)
home=${SHOP_HOME:-/srv/shop}
folder=$home/current/release
if [ -n "${RELEASE-}" ]; then folder=$home/releases/$RELEASE; fi
cd "$folder/server"
exec runuser -u shop -- "$folder/node" --disable-warning=ExperimentalWarning \
  --env-file="$deploy/.env" --env-file="$deploy/secrets.env" ops.js "$@"
