#!/bin/sh
# Starts a second server, of what was built or with what changed in deploy/, and ends the first once the second is ready.
set -eu
shop=$(dirname "$0")/compose.sh
old=$("$shop" ps -q server)
"$shop" up -d --no-deps --no-recreate --scale server=2 --wait server
if [ -n "$old" ]; then docker stop $old && docker rm $old; fi
"$shop" up -d --no-deps --no-recreate --scale server=1 server
