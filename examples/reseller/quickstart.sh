#!/bin/sh
# Orders with a test key: one that is delivered, one for a code, and one that is refused.
# RESELLER_URL=https://… RESELLER_KEY=rk_test_… sh quickstart.sh          (needs curl)
set -eu
api="$RESELLER_URL/reseller/v1"
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# call METHOD PATH [BODY]: writes the answer to $answer and its status to $status. curl repeats after 429, 5xx and broken
# connections, as long after as Retry-After says. That is safe: an order is known by its ref, so it is never bought twice.
call() {
  method=$1 path=$2
  shift 2
  status=$(curl --silent --show-error --max-time 30 --retry 5 --retry-connrefused --output "$answer" \
    --write-out '%{http_code}' --request "$method" --header "Authorization: Bearer $RESELLER_KEY" \
    ${1:+--header "Content-Type: application/json" --data "$1"} "$api$path")
}

# field NAME: one plain value of the answer. Programs that stay use a reader of JSON, such as jq.
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" "$answer"; }

# Stops unless the call worked.
must() {
  [ "$status" = 200 ] && return
  echo "$(field code): $(field message) (request $(field requestId))" >&2
  exit 1
}

# buy REF PACKAGE: places an order, waits until its status is final and leaves its id in $id.
buy() {
  call POST /orders "{\"ref\":\"$1\",\"packageId\":$2,\"playerId\":\"5123456789\"}"
  must
  id=$(field id)
  while state=$(field status) && echo "Order $id is $state"; do
    case $state in completed | failed | canceled) break ;; esac
    sleep 2
    call GET "/orders/$id"
    must
  done
}

call GET /wallet
must
echo "Balance: $(field balance) satang"

ref="quick-$(date +%s)-$$"
buy "$ref-1" 2000000001

buy "$ref-2" 2000000005
call GET "/orders/$id/codes"
must
grep -o '"code":"[^"]*"' "$answer" | sed 's/"code":"\(.*\)"/Code: \1/'

# An order that costs more than you want to pay is refused, and nothing is bought.
call POST /orders "{\"ref\":\"$ref-3\",\"packageId\":2000000001,\"playerId\":\"5123456789\",\"maxPrice\":1}"
echo "Refused with $status $(field code): $(field message)"
