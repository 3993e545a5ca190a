import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { asApplication } from 'functions/src/database/migrate.ts'
import { listen } from '../listen.ts'
import type { Call } from './caller.ts'
import { measureLoad, reportFailures } from './load.ts'
import { agentOrder, buyerOrder, guestOrder, type Shelf } from './shelf.ts'
import { type BenchSite, startServer } from './site.ts'

const CLIENTS = 4
const SECONDS = 2
const IDLE_SECONDS = 5

const ORDERS = {
  "a guest's, by bank transfer": guestOrder,
  'signed in, by bank transfer': buyerOrder,
  "an agent's, from the wallet": agentOrder,
} satisfies Record<string, (shelf: Shelf) => Call>

/** Counts the traffic between a server and PostgreSQL for each order. */
export async function benchWire(site: BenchSite): Promise<void> {
  const wire = await listenIn(site.databaseUrl)
  const server = await startServer(asApplication(wire.url), site.filesDir)
  const during = async <T>(work: () => Promise<T>): Promise<{ result: T; count: Count }> => {
    const before = { ...wire.count }
    const result = await work()
    const { roundTrips, sent, answered } = wire.count
    const count = { roundTrips: roundTrips - before.roundTrips, sent: sent - before.sent }
    return { result, count: { ...count, answered: answered - before.answered } }
  }
  try {
    // Jobs on timers ask the database, too; their share is subtracted.
    const { count: idle } = await during(() => delay(IDLE_SECONDS * 1000))
    console.log('\nBetween server and database, for each order')
    console.log(`${'order'.padEnd(30)}round trips    bytes sent  bytes answered`)
    for (const [name, makeOrder] of Object.entries(ORDERS)) {
      const makeCall = () => makeOrder(site.shelf)
      const run = (seconds: number) => measureLoad({ site, servers: [server], clients: CLIENTS, seconds, makeCall })
      // A first run opens the connections and prepares the statements.
      await run(1)
      const { result, count } = await during(() => run(SECONDS))
      const each = (what: keyof Count, digits = 0) =>
        ((count[what] - (idle[what] / IDLE_SECONDS) * SECONDS) / result.count).toFixed(digits)
      const cells = [each('roundTrips', 1).padStart(11), each('sent').padStart(14), each('answered').padStart(16)]
      console.log(name.padEnd(30) + cells.join(''))
      reportFailures([result])
    }
  } finally {
    await server.stop()
    await wire.stop()
  }
}

interface Count {
  /** How often the database said that it is ready for the next question. */
  roundTrips: number
  sent: number
  answered: number
}

/** A proxy before the database of a URL, which counts what passes. */
async function listenIn(databaseUrl: string): Promise<{ url: string; count: Count; stop(): Promise<void> }> {
  const target = new URL(databaseUrl)
  const count: Count = { roundTrips: 0, sent: 0, answered: 0 }
  const sockets = new Set<Socket>()
  const proxy = createServer(client => {
    const database = connect(Number(target.port), target.hostname)
    const countAnswers = answersCounter(() => count.roundTrips++)
    client.on('data', chunk => {
      count.sent += chunk.length
    })
    database.on('data', chunk => {
      count.answered += chunk.length
      countAnswers(chunk)
    })
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.once('close', () => sockets.delete(from))
    }
  })
  const listening = await listen(proxy, 0)
  const url = new URL(databaseUrl)
  url.port = String(listening.port)
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    return listening.stop()
  }
  return { url: url.href, count, stop }
}

const READY_FOR_QUERY = 'Z'.charCodeAt(0)
/** A message begins with a letter and four bytes of its length, which does not count the letter. */
const HEAD_BYTES = 5

/** Finds messages in what the database sends, however it is cut into pieces. */
function answersCounter(onReady: () => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let skipped = 0
  return chunk => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let at = skipped
    while (at + HEAD_BYTES <= rest.length) {
      if (rest[at] === READY_FOR_QUERY) onReady()
      at += 1 + rest.readInt32BE(at + 1)
    }
    skipped = Math.max(0, at - rest.length)
    rest = rest.subarray(at)
  }
}
