import { randomBytes } from 'node:crypto'
import { invariant } from '@shop/shared/errors.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import type { PlainCode } from '../supplier/provider.ts'
import { insertVouchers, refreshOut } from '../voucher/store.ts'
import { fixture } from './fixture.ts'
import type { TestShop } from './shop.ts'

/** A code as shops sell them, which nobody else has. */
const newCode = (): PlainCode => ({
  code: randomBytes(10).toString('hex').toUpperCase().match(/.{5}/g)!.join('-'),
  pin: null,
  serial: null,
  expiresOn: null,
})

/** The fixture's first package delivers codes of the shop's own stock from now on, without anybody acting. */
export async function sellCodes(it: TestShop): Promise<void> {
  await it.db.query({
    text: `UPDATE package SET delivers = 'code', cost_satang = 10000, is_automatic = true,
      sources = '[{"supplier": "stock", "sku": "", "costSatang": null}]' WHERE id = $1`,
    values: [fixture.pubg.package],
  })
}

/** Puts new codes into the stock of the fixture's first package. */
export async function stockCodes(it: TestShop, pieces: number, costSatang = 9_000): Promise<PlainCode[]> {
  invariant(it.shop.vouchers, 'tests have a key for codes')
  const codes = Array.from({ length: pieces }, newCode)
  const of = { packageId: fixture.pubg.package, batchId: null, attemptId: null, orderId: null, costSatang } as const
  await insertVouchers(it.db, it.shop.vouchers, codes, { ...of, state: 'free' }, it.clock.now)
  await refreshOut(it.db, fixture.pubg.package, bangkokDay(it.clock.now))
  return codes
}

/** Every row of every table, as text; one table after another. */
export async function dumpTables({ db }: TestShop): Promise<string> {
  const tables = await db.query<{ name: string }>({
    text: `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  })
  let dump = ''
  for (const { name } of tables) {
    const [row] = await db.query<{ all: string | null }>({
      text: `SELECT string_agg(t::text, E'\\n') AS all FROM ${name} t`,
    })
    dump += `${name}\n${row!.all ?? ''}\n`
  }
  return dump
}
