// Orders with a test key: one that is delivered, one for a code, and one that is refused.
// RESELLER_URL=https://… RESELLER_KEY=rk_test_… node quickstart.mjs          (Node 18 or newer, no packages)
const { RESELLER_URL, RESELLER_KEY } = process.env
const sleep = seconds => new Promise(resolve => setTimeout(resolve, seconds * 1000))

/** Calls the API; after 429, 5xx and broken connections again, which is safe: an order is known by its ref. */
async function call(method, path, body) {
  for (let attempt = 1; ; attempt++) {
    const reply = await fetch(`${RESELLER_URL}/reseller/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${RESELLER_KEY}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    }).catch(() => null)
    if (reply?.ok) return reply.json()
    const passes = !reply || reply.status === 429 || reply.status >= 500
    if (passes && attempt < 6) await sleep(Number(reply?.headers.get('retry-after')) || 2 ** attempt)
    else throw Object.assign(new Error('The call failed'), { status: reply?.status }, await reply?.json())
  }
}

/** Places an order and waits until its status is final. */
async function buy(ref, packageId) {
  let order = await call('POST', '/orders', { ref, packageId, playerId: '5123456789' })
  for (;;) {
    console.log(`Order ${order.id} is ${order.status}`)
    if (['completed', 'failed', 'canceled'].includes(order.status)) return order
    await sleep(2)
    order = await call('GET', `/orders/${order.id}`)
  }
}

const { balance } = await call('GET', '/wallet')
console.log(`Balance: ${balance} satang`)

const ref = `quick-${Date.now()}`
await buy(`${ref}-1`, 2000000001)

const order = await buy(`${ref}-2`, 2000000005)
const { codes } = await call('GET', `/orders/${order.id}/codes`)
for (const { code } of codes) console.log(`Code: ${code}`)

// An order that costs more than you want to pay is refused, and nothing is bought.
try {
  await call('POST', '/orders', { ref: `${ref}-3`, packageId: 2000000001, playerId: '5123456789', maxPrice: 1 })
} catch (error) {
  console.log(`Refused with ${error.status} ${error.code}: ${error.message}`)
}
