"""Orders with a test key: one that is delivered, one for a code, and one that is refused.

RESELLER_URL=https://... RESELLER_KEY=rk_test_... python3 quickstart.py          (Python 3.8 or newer, no packages)
"""
import json
import os
import time
import urllib.error
import urllib.request

API = os.environ["RESELLER_URL"] + "/reseller/v1"
HEADERS = {"Authorization": "Bearer " + os.environ["RESELLER_KEY"], "Content-Type": "application/json"}


class Refused(Exception):
    def __init__(self, status, answer):
        super().__init__(f"{status} {answer['code']}: {answer['message']}")


# Calls the API; after 429, 5xx and broken connections again, which is safe: an order is known by its ref.
def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(1, 7):
        wait = 2**attempt
        try:
            request = urllib.request.Request(API + path, data, HEADERS, method=method)
            with urllib.request.urlopen(request, timeout=30) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            if attempt == 6 or (error.code != 429 and error.code < 500):
                raise Refused(error.code, json.load(error)) from None
            wait = int(error.headers.get("Retry-After") or wait)
        except OSError:
            if attempt == 6:
                raise
        time.sleep(wait)


# Places an order and waits until its status is final.
def buy(ref, package_id):
    order = call("POST", "/orders", {"ref": ref, "packageId": package_id, "playerId": "5123456789"})
    while True:
        print(f"Order {order['id']} is {order['status']}")
        if order["status"] in ("completed", "failed", "canceled"):
            return order
        time.sleep(2)
        order = call("GET", f"/orders/{order['id']}")


print(f"Balance: {call('GET', '/wallet')['balance']} satang")

ref = f"quick-{time.time_ns()}"
buy(f"{ref}-1", 2000000001)

order = buy(f"{ref}-2", 2000000005)
for voucher in call("GET", f"/orders/{order['id']}/codes")["codes"]:
    print(f"Code: {voucher['code']}")

# An order that costs more than you want to pay is refused, and nothing is bought.
try:
    call("POST", "/orders", {"ref": f"{ref}-3", "packageId": 2000000001, "playerId": "5123456789", "maxPrice": 1})
except Refused as refused:
    print(f"Refused with {refused}")
