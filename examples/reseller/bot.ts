// A bot that sells: it knows today's prices, orders what a file or stdin lists, follows each order to its end, and hears of
// changes by webhook.
//   node bot.ts orders.csv          or          … | node bot.ts
// A line is `ref,packageId,playerId,quantity,maxPrice`; the last two may be left out, and playerId may be empty for codes.
// Variables: RESELLER_URL, RESELLER_KEY; RESELLER_WEBHOOK_SECRET and PORT start the receiver, and the bot stays until it is
// stopped; REFRESH_SECONDS between two looks at the prices (300).
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { createReseller, isFinal, type Order, type OrderInput, type Package, ResellerError, sleep } from './client.ts'

const { RESELLER_URL, RESELLER_KEY, RESELLER_WEBHOOK_SECRET, PORT = '8080', REFRESH_SECONDS = '300' } = process.env
if (!RESELLER_URL || !RESELLER_KEY) throw new Error('Set RESELLER_URL and RESELLER_KEY')
const reseller = createReseller({ url: RESELLER_URL, key: RESELLER_KEY })

/** Satang as baht. */
const baht = (satang: number) => (satang / 100).toFixed(2)

// ── Prices ──
/** Says what is different between two price lists, a line for each package. */
function compare(before: ReadonlyMap<number, Package>, after: ReadonlyMap<number, Package>): string[] {
  const changed = [...after.values()].flatMap(now => {
    const was = before.get(now.id)
    if (!was) return [`new: ${now.name} at ${baht(now.price)}`]
    return [
      ...(was.price === now.price ? [] : [`price: ${now.name} from ${baht(was.price)} to ${baht(now.price)}`]),
      ...(was.isAvailable === now.isAvailable ? [] : [`${now.isAvailable ? 'back' : 'sold out'}: ${now.name}`]),
    ]
  })
  const gone = [...before.values()].filter(({ id }) => !after.has(id)).map(({ name }) => `gone: ${name}`)
  return [...changed, ...gone]
}

let prices: ReadonlyMap<number, Package> = new Map()

async function refresh(): Promise<void> {
  const next = new Map((await reseller.packages()).map(each => [each.id, each]))
  if (prices.size > 0) for (const line of compare(prices, next)) console.log(line)
  prices = next
}

// ── Orders ──
/** Reads lines of `ref,packageId,playerId,quantity,maxPrice`. An order without a highest price gets that of today's list. */
function readOrders(lines: string, list: ReadonlyMap<number, Package>): OrderInput[] {
  const rows = lines.split(/\r?\n/).map(line => line.trim())
  return rows
    .filter(row => row !== '' && !row.startsWith('#'))
    .map(row => {
      const [ref = '', packageId, playerId, quantity, maxPrice] = row.split(',').map(cell => cell.trim())
      const pieces = Number(quantity || 1)
      const price = list.get(Number(packageId))?.price
      return {
        ref,
        packageId: Number(packageId),
        ...(playerId && { playerId }),
        quantity: pieces,
        maxPrice: maxPrice ? Number(maxPrice) : price && price * pieces,
      }
    })
}

/** Whoever waits for news of an order; the webhook wakes them. */
const waiting = new Map<string, () => void>()
const news = (id: string) => new Promise<void>(resolve => waiting.set(id, resolve))

/** Reads an order until it is final: when the webhook tells of it, and every two seconds in case it does not. */
async function follow(order: Order): Promise<Order> {
  let now = order
  while (!isFinal(now)) {
    await Promise.race([news(now.id), sleep(2)])
    const next = await reseller.find(now.id)
    if (next.status !== now.status) console.log(`${next.ref}: ${next.status}`)
    now = next
  }
  waiting.delete(now.id)
  return now
}

/** Buys one line and tells how it ended. What the API refuses ends this line only. */
async function buy(input: OrderInput): Promise<void> {
  try {
    const placed = await reseller.order(input)
    console.log(`${placed.ref}: ${placed.status}, ${baht(placed.price)} baht`)
    const order = await follow(placed)
    const back = order.refunded > 0 ? `, ${baht(order.refunded)} baht came back` : ''
    console.log(`${order.ref}: ${order.status}, ${order.delivered} of ${order.quantity}${back}`)
    if (order.codes > 0)
      for (const { code } of await reseller.codes(order.id)) console.log(`${order.ref}: code ${code}`)
  } catch (error) {
    if (!(error instanceof ResellerError)) throw error
    console.log(`${input.ref}: refused, ${error.code} (${error.message}; request ${error.requestId})`)
  }
}

// ── Webhooks ──
/** Receives messages of the shop. One that comes twice is answered twice and heard once. */
function receive(secret: string, hear: (type: string, orderId: string | undefined) => void) {
  const webhook = new Webhook(secret)
  const heard = new Set<string>()
  return createServer(async (request, response) => {
    try {
      const headers = request.headers as Record<string, string>
      const event = webhook.verify(await text(request), headers) as { type: string; data: { id?: string } }
      const id = headers['webhook-id']!
      if (!heard.has(id)) hear(event.type, event.data.id)
      heard.add(id)
      response.writeHead(204).end()
    } catch {
      response.writeHead(400).end()
    }
  })
}

await refresh()
console.log(`${prices.size} packages`)
const timer = setInterval(
  () => void refresh().catch(error => console.log(`The prices stay: ${error}`)),
  Number(REFRESH_SECONDS) * 1000,
)
if (RESELLER_WEBHOOK_SECRET) {
  const receiver = receive(RESELLER_WEBHOOK_SECRET, (type, orderId) => {
    console.log(`heard ${type}${orderId ? ` of ${orderId}` : ''}`)
    if (orderId) waiting.get(orderId)?.()
  })
  receiver.listen(Number(PORT), () => console.log(`Webhooks on port ${PORT}`))
}
const lines = process.argv[2] ? await readFile(process.argv[2], 'utf8') : await text(process.stdin)
await Promise.all(readOrders(lines, prices).map(buy))
if (!RESELLER_WEBHOOK_SECRET) clearInterval(timer)
