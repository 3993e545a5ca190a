#!/bin/sh
# Writes the files of a machine from what machine.env says: `sh fill.sh machine.env` into /etc, or into a folder that is
# named after it.
set -eu
umask 027
here=$(dirname "$0")
to=${2:-/etc}
set -a
. "$(realpath "$1")"
set +a
for name in NAME ADDRESS DB1 DB2 DB3 NETWORK POSTGRES_VERSION SUPERUSER_PASSWORD REPLICATION_PASSWORD PATRONI_PASSWORD; do
  eval "value=\${$name:-}"
  case $value in
  '') echo "$name is missing in $1" >&2 && exit 1 ;;
  *[!A-Za-z0-9./-]*) echo "$name in $1 has a sign that is no letter or digit" >&2 && exit 1 ;;
  esac
done
fill() {
  mkdir -p "$(dirname "$to/$2")"
  envsubst '$NAME $ADDRESS $DB1 $DB2 $DB3 $NETWORK $POSTGRES_VERSION $SUPERUSER_PASSWORD $REPLICATION_PASSWORD $PATRONI_PASSWORD' <"$here/$1" >"$to/$2"
  echo "$to/$2"
}
fill etcd.env default/etcd
fill patroni.yml patroni/config.yml
fill haproxy.cfg haproxy/haproxy.cfg
