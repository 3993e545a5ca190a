// `npm run bench:dashboards`: what a call of the dashboards takes beside few orders and beside very many.
import { loadavg } from 'node:os'
import { SALE_PERIODS } from '@shop/shared/dashboard/dashboard.ts'
import * as contract from '@shop/shared/dashboard/endpoints.ts'
import { createDatabase } from '../postgres.ts'
import { seedOrders } from '../seed-orders.ts'
import { type BenchSite, headersOf, startBenchSite, startServer } from './site.ts'

const FEW = 10_000
const MANY = Number(process.argv[2] ?? 1_000_000)
const CALLS = 200
const endpoints = [
  contract.getSale,
  contract.getNumberOfSale,
  contract.getSalesRevenue,
  contract.getTopPackages,
  contract.getDailyRevenue,
  contract.getSaleType,
]

const site = await startBenchSite()
try {
  const few = await startBeside(site, FEW)
  const many = await startBeside(site, MANY)
  console.log(`${CALLS} calls each, one after the other; load ${loadavg()[0]!.toFixed(1)}; milliseconds`)
  console.log(
    `${'call'.padEnd(28)}${[FEW, MANY].map(count => `p50, p95 at ${count}`.padStart(24)).join('')}   p95 ratio`,
  )
  for (const { path } of endpoints) {
    for (const period of SALE_PERIODS) {
      const times: [number[], number[]] = [[], []]
      // In turn, so that what else the machine does meets both.
      for (let call = 0; call < CALLS; call++)
        for (const [which, origin] of [few.origin, many.origin].entries())
          times[which]!.push(await ask(origin + path, period))
      const [small, large] = times.map(each => each.sort((a, b) => a - b))
      const [p95Few, p95Many] = [small!, large!].map(each => each[Math.floor(CALLS * 0.95)]!)
      const cells = [small!, large!].map(each =>
        `${each[CALLS / 2]!.toFixed(1)}, ${each[Math.floor(CALLS * 0.95)]!.toFixed(1)}`.padStart(24),
      )
      console.log(
        `${`${path.split('/').at(-1)} ${period}`.padEnd(28)}${cells.join('')}${(p95Many! / p95Few!).toFixed(2).padStart(12)}`,
      )
    }
  }
  await Promise.all([few.stop(), many.stop()])
} finally {
  await site.stop()
}

async function startBeside({ databaseUrl }: BenchSite, count: number) {
  const began = performance.now()
  const url = await createDatabase(databaseUrl, `shop_${count}`)
  await seedOrders(url, count)
  console.log(`${count.toLocaleString('en')} orders in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return startServer(url, '.local/bench/files')
}

/** Milliseconds until the answer was read. */
async function ask(url: string, period: string): Promise<number> {
  const began = performance.now()
  const body = JSON.stringify({ game: contract.ALL, period, paymentMethod: contract.ALL })
  const headers = { ...headersOf('demo-manager'), 'content-type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
  await reply.arrayBuffer()
  return performance.now() - began
}
