import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { DEVELOPMENT_PIN_KEYS } from 'functions/src/account/pins.ts'
import { findUnclaimed } from 'functions/src/chat/order-facts.ts'
import { findTroubles } from 'functions/src/chat/troubles.ts'
import { readConfig } from 'functions/src/config/config.ts'
import { checkSales } from 'functions/src/dashboard/sales-check.ts'
import { CHECKING } from 'functions/src/database/database.ts'
import { asApplication } from 'functions/src/database/migrate.ts'
import { findChecks } from 'functions/src/health/checks.ts'
import { NIGHTLY_CHECK } from 'functions/src/jobs/check-run.ts'
import { isNightly, JOBS, type Job } from 'functions/src/jobs/jobs.ts'
import type { Shop } from 'functions/src/shop/shop.ts'
import { openShop } from 'functions/src/start/open-shop.ts'
import { findAccountDays } from 'functions/src/statement/reconciliation-store.ts'
import { findUnclear } from 'functions/src/supplier/store.ts'
import { projectId } from '../firebase-emulators.ts'

const TIMES = 5
/** They call outside services, which no benchmark has, or run below by what they find. */
const NOT_HERE = ['trysigningkeys', 'checkledger', 'checksales', 'checksupplier']

/** What the jobs ask first, also where the shop has neither LINE nor a supplier. */
const ASKED: Record<string, (shop: Shop, now: Date) => Promise<unknown>> = {
  'all troubles': findTroubles,
  'orders that nobody takes': (shop, now) => findUnclaimed(shop.db, '', now),
  'unclear purchases': ({ db }) => findUnclear(db),
  'the pulse': findChecks,
  "yesterday's reconciliation": ({ db }, now) => {
    const day = bangkokDay(new Date(now.getTime() - DAY_MS))
    return findAccountDays(db, { from: day, to: day }, now)
  },
}

/** How long each job takes, with the server's own time limit of a statement. */
export async function benchJobs(databaseUrl: string, filesDir: string): Promise<void> {
  const shop = await openShop(
    readConfig({
      NODE_ENV: 'test',
      FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
      GCLOUD_PROJECT: projectId,
      DATABASE_URL: asApplication(databaseUrl),
      FILES_DIR: filesDir,
      PIN_KEYS: DEVELOPMENT_PIN_KEYS,
    }),
  )
  console.log(`\nJobs, the first run and the median of ${TIMES} more, in milliseconds`)
  try {
    for (const [name, job] of Object.entries<Job>(JOBS))
      if (!NOT_HERE.includes(name)) await tellTime(name, () => job.run(shop), isNightly(job) ? 1 : TIMES)
    for (const [name, ask] of Object.entries(ASKED)) await tellTime(name, () => ask(shop, shop.now()))
    // They read all books, each night, and have half an hour.
    await tellTime('checkledger', () => NIGHTLY_CHECK.ledger.find(shop), 0)
    await tellTime('checksales', () => shop.reports.transaction(checkSales, CHECKING), 0)
  } finally {
    await Promise.all([shop.db.close(), shop.reports.close()])
  }
}

async function tellTime(name: string, work: () => Promise<unknown>, times = TIMES): Promise<void> {
  const taken: number[] = []
  try {
    for (let n = 0; n <= times; n++) {
      const began = performance.now()
      await work()
      taken.push(performance.now() - began)
    }
  } catch (error) {
    return console.log(`  ${name.padEnd(28)} failed: ${(error as Error).message}`)
  }
  const [first, ...more] = taken
  const median = more.sort((a, b) => a - b)[Math.floor(more.length / 2)]
  console.log(`  ${name.padEnd(28)}${first!.toFixed(0).padStart(9)}${(median?.toFixed(1) ?? '').padStart(9)}`)
}
