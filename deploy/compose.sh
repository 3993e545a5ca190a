#!/bin/sh
# docker compose with this folder's file and the passwords that stand in it.
#   deploy/compose.sh ps
deploy=$(cd "$(dirname "$0")" && pwd)
exec docker compose -f "$deploy/compose.yaml" --env-file "$deploy/.env" --env-file "$deploy/database.env" "$@"
