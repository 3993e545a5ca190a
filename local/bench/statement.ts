import { bangkokDay } from '@shop/shared/time.ts'
import { openDatabase } from 'functions/src/database/database.ts'
import { insertLines, type NewLine } from 'functions/src/statement/import-store.ts'
import { matchNext } from 'functions/src/statement/matching.ts'
import { type BenchSite, runSql } from './site.ts'

const ORDERS = 20_000
const LINES = 50_000
const CHUNK = 10_000

/** A statement of 50,000 lines taken in and matched against 20,000 open orders, and once more. */
export async function benchStatement(site: BenchSite): Promise<void> {
  const { accountId, paid } = await stock(site)
  const db = openDatabase(site.databaseUrl, { connections: 4 })
  const now = () => new Date()
  console.log(`\nStatement of ${LINES} lines, ${ORDERS} open orders`)
  const lines = statement(paid)
  const took = async (what: string, work: () => Promise<string>) => {
    const began = performance.now()
    const result = await work()
    console.log(`${what.padEnd(8)}${((performance.now() - began) / 1000).toFixed(1).padStart(8)} s   ${result}`)
  }
  const take = async () => {
    const added = await db.transaction(async tx => {
      let sum = 0
      for (let from = 0; from < LINES; from += CHUNK)
        sum += await insertLines(tx, lines.slice(from, from + CHUNK), {
          receivingAccountId: accountId,
          fileId: null,
          now: now(),
        })
      return sum
    })
    return `${added} added`
  }
  const match = async () => {
    let matched = 0
    let calls = 0
    for (;;) {
      const progress = await matchNext({ db, now }, accountId)
      matched += progress.matched
      calls++
      if (progress.left === 0) return `${matched} matched in ${calls} calls`
    }
  }
  try {
    await took('take in', take)
    await took('match', match)
    await took('again', take)
    await took('match', match)
  } finally {
    await db.close()
  }
}

interface Paid {
  amountSatang: number
  at: Date
}

/** Orders of one account, each of an amount that nobody else has. */
async function stock({ databaseUrl }: BenchSite): Promise<{ accountId: number; paid: Paid[] }> {
  const [account] = await runSql<{ id: number }>(
    databaseUrl,
    `INSERT INTO receiving_account (bank_code, account_name, account_no, position) VALUES ('004', 'Bench', '9990001112', 900) RETURNING id`,
  )
  const accountId = account!.id
  const rows = await runSql<{ amountSatang: string; at: Date }>(
    databaseUrl,
    `CREATE TEMP TABLE made AS SELECT gen_random_uuid() AS id, n, 10000 + (n / 99) * 100 AS price, 1 + n % 99 AS tail,
        now() - interval '10 minutes' + n * interval '1 ms' AS at
      FROM generate_series(0, ${ORDERS - 1}) n`,
    `INSERT INTO orders (id, order_no, track_token, status, version, buyer_key, game_id, package_id, player_id, snapshot,
        payment, quantity, price_satang, tail_satang, receiving_account_id, created_at, expires_at, expire_after)
      SELECT m.id, 'S' || n, 'S' || n, 'waiting_payment', 1, 'g:s' || n, p.game_id, p.id, 'S' || n, '{"gameName":"Bench","packageName":"Bench"}',
        'bank', 1, price, tail, ${accountId}, at, at + interval '15 minutes', at + interval '20 minutes'
      FROM made m, (SELECT id, game_id FROM package LIMIT 1) p`,
    `INSERT INTO order_event (order_id, version, kind, to_status, actor_role, at) SELECT id, 1, 'created', 'waiting_payment', 'guest', at FROM made`,
    `INSERT INTO reserved_amount (id, receiving_account_id, amount_satang, price_satang, buyer_key, order_id)
      SELECT gen_random_uuid(), ${accountId}, price + tail, price, 'g:s' || n, id FROM made`,
    'ANALYZE',
    'SELECT price + tail AS "amountSatang", at FROM made ORDER BY n',
  )
  return { accountId, paid: rows.map(({ amountSatang, at }) => ({ amountSatang: Number(amountSatang), at })) }
}

/** Every order's money once, among money that is nobody's. */
function statement(paid: readonly Paid[]): NewLine[] {
  return Array.from({ length: LINES }, (_, n) => {
    const order = n % 5 < 2 ? paid[Math.floor(n / 5) * 2 + (n % 5)] : undefined
    const at = new Date((order?.at ?? new Date()).getTime() + 60_000)
    at.setSeconds(0, 0)
    return {
      ...{
        key: `bench ${n}`,
        day: bangkokDay(at),
        at,
        precisionSeconds: 60,
        balanceSatang: null,
        detail: `โอนเงิน ${n}`,
      },
      ...{ amountSatang: order?.amountSatang ?? 100_000_000 + n, fromBank: null, fromAccount: null, channel: null },
    }
  })
}
