// The shop in which people are at work, and who is outside of it: the bank, the supplier, the gateway.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClient } from '@shop/shared/client.ts'
import { createFeedKey } from '@shop/shared/statement/import-endpoints.ts'
import type { Database } from 'functions/src/database/database.ts'
import { fixture, seedFixture } from 'functions/src/testing/fixture.ts'
import { addWallet } from 'functions/src/testing/wallet.ts'
import { headersOf } from '../bench/caller.ts'
import { type RunningGateway, startGateway } from '../gateway/server.ts'
import { projectRoot } from '../os-process.ts'
import { type RunningSlipProvider, startSlipProvider } from '../slip-provider/server.ts'
import { type RunningSupplier, startSupplier } from '../supplier/server.ts'

/** The usual number of packages: prices of their own, because each price and account has 99 amounts, and each comes back six minutes after its use. */
export const PACKAGES = 200
/** Of those, the ones that the supplier delivers. */
const AUTOMATIC_SHARE = 0.2
export const AGENTS = 12
const OPENING_SATANG = 20_000_000
/** What a piece costs at the supplier, and the shop's money there. */
const COST = 10_000
export const BALANCE = 1_000_000_000

/** What those who are at work in the shop use, and what proves it afterwards. */
export interface WorkingShop {
  db: Database
  bank: RunningSlipProvider
  supplier: RunningSupplier
  supplierEnvironment: Record<string, string>
  gateway: RunningGateway
  feedKey: string
  packageIds: number[]
  /** Where the shop answers now. */
  live(): { origin: string }[]
}

/** Who is outside, and the configuration with which the shop finds them. */
export interface Outside extends Pick<WorkingShop, 'bank' | 'supplier' | 'gateway'> {
  environment: Record<string, string>
  stop(): Promise<void>
}

const product = {
  id: '1001',
  category: { id: '7', name: 'PUBG Mobile' },
  name: '325 UC',
  priceSatang: COST,
  fields: ['user_id'],
}

/** What is told to the shop goes to any of its servers. */
export async function startOutside(live: WorkingShop['live']): Promise<Outside> {
  const send = async (path: string, message: object) => {
    const told = await fetch(`${live()[0]!.origin}${path}`, { method: 'POST', ...message })
    await told.body?.cancel()
  }
  const bank = await startSlipProvider({ port: 0 })
  const gateway = await startGateway({ port: 0, tell: message => send('/gateway/hear/opn', message) })
  const supplier = await startSupplier({
    port: 0,
    products: [product],
    balanceSatang: BALANCE,
    tell: message => send('/supplier/callback', message),
  })
  const timer = setInterval(() => void supplier.tellDue(), 1000)
  return {
    bank,
    supplier,
    gateway,
    environment: {
      ...bank.environment,
      ...gateway.environment,
      ...supplier.environment,
      SLIP_PROVIDER: 'slipok',
      SLIP_MONTHLY_QUOTA: '1000000',
      SLIP_CHECKS_PER_CUSTOMER_AND_DAY: '1000000',
      SUPPLIER_TIMEOUT_MS: '5000',
    },
    async stop() {
      clearInterval(timer)
      await Promise.all([bank.stop(), gateway.stop(), supplier.stop()])
    },
  }
}

/** Whoever was at one address is found at another. */
export const movedTo = (environment: Record<string, string>, from: string, to: string): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value.replace(from, to)]))

/** Builds the packed server into a folder. Returns its file. */
export async function packServer(folder: string): Promise<string> {
  const args = ['--disable-warning=ExperimentalWarning', 'functions/build.ts', folder]
  await promisify(execFile)(process.execPath, args, { cwd: projectRoot })
  return `${folder}/server.js`
}

/** The fixture shop with more packages, some of them delivered by the supplier, and resellers with full wallets. */
export async function stock(
  db: Database,
  packages: number,
  { agents = AGENTS, balanceSatang = OPENING_SATANG } = {},
): Promise<Pick<WorkingShop, 'packageIds'>> {
  const now = new Date()
  await seedFixture(db, now)
  const rows = await db.query<{ id: number }>({
    text: `WITH made AS (INSERT INTO package (game_id, name, position) SELECT $1, 'Soak ' || n, 100 + n
        FROM generate_series(1, $2::int) n RETURNING id, position)
      INSERT INTO package_price (package_id, payment, price_satang, start_day, is_active)
      SELECT id, p.payment, 20000 + position * 100, '2020-01-01', true FROM made, (VALUES ('bank'), ('wallet')) p (payment)
      RETURNING package_id AS id`,
    values: [fixture.pubg.id, packages],
  })
  const packageIds = [...new Set(rows.map(({ id }) => id))]
  await db.query({
    text: `UPDATE package SET cost_satang = $2, sources = jsonb_build_array(jsonb_build_object('supplier', 'seagm', 'sku', $3::text, 'costSatang', NULL)),
      is_automatic = true WHERE id = ANY($1)`,
    values: [packageIds.slice(0, Math.ceil(packages * AUTOMATIC_SHARE)), COST, product.id],
  })
  await db.query({
    text: `INSERT INTO payment_method (code, name, position, is_on) VALUES ('promptpay', 'promptpay', 3, true)`,
  })
  await db.query({ text: `INSERT INTO supplier (name, is_on) VALUES ('seagm', true)` })
  for (let n = 1; n <= agents; n++) {
    const uid = `soak-${n}`
    await db.query({
      text: `INSERT INTO account (uid, username, providers, given_name, status, role, created_at)
        VALUES ($1, $1, '{password}', $1, 'active', 'agent', $2)`,
      values: [uid, now],
    })
    await addWallet(db, { uid, balanceSatang, pin: '1234', now })
  }
  return { packageIds }
}

export async function makeFeedKey(origin: string): Promise<string> {
  const admin = createClient({ baseUrl: origin, headers: () => headersOf('admin') })
  const body = { name: 'soak', receivingAccountId: fixture.accounts.promptPay }
  return (await admin.call(createFeedKey, { body })).key
}
