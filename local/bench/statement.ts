import { addSeconds, bangkokDay } from '@shop/shared/time.ts'
import { openDatabase } from 'functions/src/database/database.ts'
import { insertLines, type NewLine } from 'functions/src/statement/import-store.ts'
import { matchNext } from 'functions/src/statement/matching.ts'
import { addWaitingOrders } from 'functions/src/testing/statement.ts'
import type { BenchSite } from './site.ts'
import { runSql } from './sql.ts'

const ORDERS = 20_000
const LINES = 50_000
const CHUNK = 10_000

/** Imports a statement of 50,000 lines and matches it with 20,000 open orders, twice. */
export async function benchStatement(site: BenchSite): Promise<void> {
  const accountId = await addAccount(site)
  const db = openDatabase(site.databaseUrl, { connections: 4 })
  const now = () => new Date()
  const createdAt = addSeconds(now(), -600)
  const amounts = await addWaitingOrders(db, { receivingAccountId: accountId, count: ORDERS, createdAt })
  await db.query({ text: 'ANALYZE' })
  console.log(`\nStatement of ${LINES} lines, ${ORDERS} open orders`)
  const lines = statement(amounts, addSeconds(createdAt, 60))
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
          source: { fileId: null, feedKeyId: null },
          chain: 'unknown',
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
      const progress = await matchNext({ db, now }, { receivingAccountId: accountId })
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

async function addAccount({ databaseUrl }: BenchSite): Promise<number> {
  const [account] = await runSql<{ id: number }>(
    databaseUrl,
    `INSERT INTO receiving_account (bank_code, account_name, account_no, position) VALUES ('004', 'Bench', '9990001112', 900)
      RETURNING id`,
  )
  return account!.id
}

/** Lines that pay each order once, among lines that pay none. */
function statement(amounts: readonly number[], at: Date): NewLine[] {
  return Array.from({ length: LINES }, (_, n) => ({
    key: `bench ${n}`,
    day: bangkokDay(at),
    at,
    precisionSeconds: 60,
    balanceSatang: null,
    detail: `โอนเงิน ${n}`,
    amountSatang: (n % 5 < 2 && amounts[Math.floor(n / 5) * 2 + (n % 5)]) || 100_000_000 + n,
    fromBank: null,
    fromAccount: null,
    payerHash: null,
    channel: null,
  }))
}
