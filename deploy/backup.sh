#!/usr/bin/env bash
# Saves the shop off the machine, encrypted, and brings it back: the database by pgBackRest, to any minute of the last weeks, the
# files by restic. Without Docker deploy/backup.env says where, in compose's images the same variables do.
#   begin               prepares the bucket, once; again it does no harm
#   run                 saves what is new, checks that the log arrives, and tells the watcher
#   watch               both, and `run` each hour
#   pgbackrest-push <file>       for archive_command, in which pgBackRest looks for its name
#   restore-database <moment>    with PostgreSQL stopped
#   restore-files <folder>       the newest files into another folder
#   info                what there is
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ -f "$here/backup.env" ]; then set -a && . "$here/backup.env" && set +a; fi
: "${BACKUP_S3_ENDPOINT:?}" "${BACKUP_S3_REGION:?}" "${BACKUP_S3_BUCKET:?}" "${BACKUP_S3_KEY:?}" "${BACKUP_S3_SECRET:?}"
: "${BACKUP_PASSPHRASE:?}" "${BACKUP_PING_URL:?}"

export PGBACKREST_STANZA=shop PGBACKREST_PG1_PATH=${PGDATA:-$(echo /var/lib/postgresql/*/main)}
export PGBACKREST_REPO1_TYPE=s3 PGBACKREST_REPO1_PATH=/database PGBACKREST_REPO1_S3_URI_STYLE=path
export PGBACKREST_REPO1_S3_ENDPOINT=$BACKUP_S3_ENDPOINT PGBACKREST_REPO1_S3_REGION=$BACKUP_S3_REGION
export PGBACKREST_REPO1_S3_BUCKET=$BACKUP_S3_BUCKET
export PGBACKREST_REPO1_S3_KEY=$BACKUP_S3_KEY PGBACKREST_REPO1_S3_KEY_SECRET=$BACKUP_S3_SECRET
export PGBACKREST_REPO1_CIPHER_TYPE=aes-256-cbc PGBACKREST_REPO1_CIPHER_PASS=$BACKUP_PASSPHRASE
export PGBACKREST_REPO1_RETENTION_FULL=3 PGBACKREST_START_FAST=y PGBACKREST_COMPRESS_TYPE=gz
export PGBACKREST_LOG_LEVEL_FILE=off PGBACKREST_LOG_LEVEL_CONSOLE=warn
export RESTIC_REPOSITORY=s3:https://$BACKUP_S3_ENDPOINT/$BACKUP_S3_BUCKET/files RESTIC_PASSWORD=$BACKUP_PASSPHRASE
export AWS_ACCESS_KEY_ID=$BACKUP_S3_KEY AWS_SECRET_ACCESS_KEY=$BACKUP_S3_SECRET AWS_DEFAULT_REGION=$BACKUP_S3_REGION
export RESTIC_CACHE_DIR=/var/cache/shop-restic
files=${FILES_DIR:-/var/lib/shop/files}

# pgBackRest works as the database's own user, and restic as root, who may read the server's files.
pgbackrest() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- pgbackrest "$@"; else command pgbackrest "$@"; fi; }

begin() {
  pgbackrest stanza-create
  restic cat config >/dev/null 2>&1 || restic init --quiet
}

# Whether there is a backup of this kind (a pattern) that began less than so many hours ago. Its name is when it began.
has_backup() {
  local name
  name=$(pgbackrest info | sed -nE "s/^ +($1) backup: .*([0-9]{8})-([0-9]{2})([0-9]{2})([0-9]{2})[FDI]$/\2 \3:\4:\5/p" | tail -1)
  [ -n "$name" ] && [ $(($(date +%s) - $(date -d "$name" +%s))) -lt $(($2 * 3600)) ]
}

# From the first time on `/pulse` misses a backup that does not come, as by `ops backed-up`, which needs the server's programs.
tell_pulse() {
  local said="INSERT INTO pulse (name, succeeded_at) VALUES ('sign:backup', now())
    ON CONFLICT (name) DO UPDATE SET succeeded_at = excluded.succeeded_at"
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- psql -qd shop -c "$said"; else psql -qd shop -c "$said"; fi
}

run() {
  # Asks PostgreSQL for a new piece of its log, and waits until it is in the bucket.
  pgbackrest check
  if ! has_backup full 162; then
    pgbackrest --type=full backup
  elif ! has_backup 'full|diff|incr' 23; then
    pgbackrest --type=incr backup
  fi
  mkdir -p "$files"
  (cd "$files" && restic backup --quiet --host shop .)
  restic forget --quiet --host shop --keep-hourly 48 --keep-daily 30 --keep-weekly 12 --prune
  touch /tmp/shop-saved
  tell_pulse || echo "The shop was not told of its backup." >&2
  curl -fsS -m 20 --retry 3 -o /dev/null "$BACKUP_PING_URL" || echo "The watcher of backups does not answer." >&2
}

case "${1-}" in
  begin) begin ;;
  run) run ;;
  watch)
    until begin; do sleep 60; done
    while true; do
      # Without set -e inside, so that a failure is not taken for success: a process of its own.
      "$0" run || echo "The backup failed; it is tried again in an hour." >&2
      sleep 3600
    done
    ;;
  pgbackrest-push) pgbackrest archive-push "$2" ;;
  pgbackrest-get) pgbackrest archive-get "$2" "$3" ;;
  restore-database)
    pgbackrest --delta --type=time --target="$2" --target-action=promote \
      --recovery-option=restore_command="$here/backup.sh pgbackrest-get %f \"%p\"" restore
    ;;
  restore-files) restic restore latest --host shop --target "$2" ;;
  info) pgbackrest info && restic snapshots --host shop --latest 1 ;;
  *) sed -n 's/^#   /  /p' "$0" && exit 1 ;;
esac
