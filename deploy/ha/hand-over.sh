#!/bin/sh
# Hands the lead over while people buy: `sh hand-over.sh db2`, as root on the machine that neither leads nor shall lead.
# This one follows the successor beforehand, so that a purchase finds a second machine the moment it leads: Patroni alone
# lets the third one wait for two seconds before it looks who leads now.
set -eu
successor=${1:?'Say who shall lead: sh hand-over.sh db2'}
config=/etc/patroni/config.yml
here=$(sed -n 's/^name: *//p' $config)
PGPASSWORD=$(awk '/superuser:/ { found = 1 } found && /password:/ { print $2; exit }' $config)
export PGPASSWORD
ctl() { patronictl -c $config "$@"; }
# Name, address and role of each machine.
members() { ctl list -f tsv shop | awk -F'\t' 'NR > 1 { print $2 "\t" $3 "\t" $4 }'; }
address() { members | awk -F'\t' -v name="$1" '$1 == name { print $2 }'; }
ask() { psql -qAtX -h "$1" -U postgres -d postgres -c "$2"; }
refuse() { echo "$1" >&2 && exit 1; }

leader=$(members | awk -F'\t' '$3 == "Leader" { print $1 }')
[ -n "$leader" ] || refuse 'Nobody leads: look at patronictl list.'
members | awk -F'\t' '$3 == "Sync Standby" { print $1 }' | grep -qx "$successor" ||
  refuse "$successor is not the standby that has everything (Sync Standby in patronictl list)."
[ "$here" != "$leader" ] && [ "$here" != "$successor" ] || refuse 'Run it on the third machine.'
from=$(address "$leader")
to=$(address "$successor")

cp -p $config $config.kept
back() {
  mv $config.kept $config
  ctl reload shop "$here" --force >/dev/null
}
trap back EXIT
printf '\ntags:\n  replicatefrom: %s\n' "$successor" >>$config
ctl reload shop "$here" --force
tries=0
until [ "$(ask "$to" "SELECT count(*) FROM pg_stat_replication WHERE application_name = '$here' AND state = 'streaming'")" = 1 ]; do
  tries=$((tries + 1))
  [ $tries -lt 60 ] || refuse "$here does not follow $successor; nothing was changed."
  sleep 0.5
done
# What is written now is not written while people wait.
ask "$from" CHECKPOINT
ask "$to" CHECKPOINT
ctl switchover shop --candidate "$successor" --force
