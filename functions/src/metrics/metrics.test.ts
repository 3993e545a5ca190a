import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lookFor } from '../health/metrics-look.ts'
import { askJson } from '../http/ask-json.ts'
import { type Job, runJob } from '../jobs/jobs.ts'
import { createApp } from '../start/app.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { type ChatShop, createChatShop, linkLine, users } from '../testing/chat.ts'
import { addAccount } from '../testing/shop.ts'
import { INSTRUMENT, type InstrumentName, prometheusName } from './instruments.ts'
import type { Metrics, MetricsSettings } from './metrics.ts'
import { openMetrics } from './open-metrics.ts'
import { ALERTS, PANELS } from './panels.ts'

const run = promisify(execFile)

let it: ChatShop
const opened: Metrics[] = []
beforeAll(async () => {
  it = await createChatShop()
})
afterAll(async () => {
  await Promise.all(opened.map(metrics => metrics.close()))
  await it.close()
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function findPort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise(resolve => server.close(resolve))
  return port
}

async function openMeasured(change: Partial<MetricsSettings>) {
  const metrics = await openMetrics({
    OTEL_METRICS_EXPORTER: 'prometheus',
    OTEL_EXPORTER_PROMETHEUS_HOST: '127.0.0.1',
    OTEL_EXPORTER_PROMETHEUS_PORT: 1,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    ...change,
  })
  opened.push(metrics)
  const shop = { ...it.shop, metrics }
  metrics.look(lookFor(shop))
  return { metrics, shop, app: createApp(shop) }
}

/** The names of the metrics that a query of PromQL reads. */
const namesIn = (query: string): string[] => [...query.matchAll(/([a-z0-9_]+)\{/g)].map(([, name]) => name!)

test('Prometheus reads everything that is measured, and every panel and alert is about something that is', async () => {
  const port = await findPort()
  const { shop, app } = await openMeasured({ OTEL_EXPORTER_PROMETHEUS_PORT: port })
  await app.request('/live')
  await app.request('/romons.order/api/order/details/T000-of-nobody')
  await app.request('/nowhere/at/all', { method: 'BREW' })
  const job: Job = { title: '', run: async () => undefined, schedule: '', timeoutSeconds: 1, everySeconds: 60 }
  await runJob(shop, 'expireorders', job)
  await runJob(shop, 'expireorders', { ...job, run: () => Promise.reject(new Error('full')) }).catch(() => undefined)
  await addAccount(it, 'owner', 'customer')
  await linkLine(it, 'owner', users.friend.userId)
  await it.db.query({
    text: `INSERT INTO outbox (id, kind, key, payload, due_at, created_at)
      VALUES (gen_random_uuid(), 'chat.tell', 'k', '{"event":"nothing"}', $1, $1)`,
    values: [it.clock.now],
  })
  const drain = openDrain(shop)
  await drain.run()
  await drain.close()
  await askJson(`${it.line.origin}/no-such-path`, { timeoutMs: 5000 })
  await askJson(`http://127.0.0.1:${await findPort()}/`, { timeoutMs: 5000 })

  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  for (const name of Object.keys(INSTRUMENT) as InstrumentName[])
    expect(text).toContain(`# TYPE ${prometheusName(name)} `)
  expect(text).toMatch(/http_server_request_duration_count\{[^}]*http_route="\/live"[^}]*status_code="200"[^}]*\} 1/)
  expect(text).toMatch(/duration_count\{[^}]*http_route="\/romons.order\/api\/order\/details\/:orderNo"/)
  expect(text).toMatch(/duration_count\{http_request_method="_OTHER",http_route="\/\*"[^}]*status_code="404"/)
  expect(text).not.toContain('T000-of-nobody')
  expect(text).toMatch(/shop_job_duration_count\{shop_job="expireorders",shop_outcome="done"\} 1/)
  expect(text).toMatch(/shop_job_duration_count\{shop_job="expireorders",shop_outcome="failed"\} 1/)
  expect(text).toMatch(/shop_outbox_duration_count\{shop_outbox_kind="chat.tell",shop_outcome="\w+"\} 1/)
  expect(text).toMatch(/http_client_request_duration_count\{server_address="localhost"[^}]*status_code="404"/)
  expect(text).toMatch(/http_client_request_duration_count\{[^}]*error_type="ECONNREFUSED"/)
  expect(text).toMatch(/shop_check_red\{shop_check="poolWaiting"\} 0/)
  expect(text).toMatch(/shop_check_value\{shop_check="jobAge",shop_of="expireorders"\}/)
  expect(text).toMatch(/http_server_active_requests\{http_request_method="GET"\} 0/)

  const queries = [
    ...PANELS.flatMap(({ lines }) => Object.values(lines)),
    ...Object.values(ALERTS).map(({ when }) => when),
  ]
  for (const name of queries.flatMap(namesIn)) expect(text).toMatch(new RegExp(`^${name}[{ ]`, 'm'))
})

test('a collector is sent the same', async () => {
  const bodies: string[] = []
  const paths: string[] = []
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    paths.push(`${request.method} ${request.url}`)
    bodies.push(Buffer.concat(chunks).toString())
    response.setHeader('content-type', 'application/json').end('{}')
  })
  const endpoint = `http://127.0.0.1:${await listen(collector)}`
  const { metrics, app } = await openMeasured({
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  })
  await app.request('/live')
  await metrics.close()
  collector.close()
  expect(paths).toEqual(['POST /v1/metrics'])
  for (const name of ['http.server.request.duration', 'shop.check.red']) expect(bodies[0]).toContain(`"${name}"`)
})

test('a port that is taken and a collector that is away disturb nobody', async () => {
  const other = createServer()
  const port = await listen(other)
  for (const change of [{ OTEL_EXPORTER_PROMETHEUS_PORT: port }, { OTEL_METRICS_EXPORTER: 'otlp' as const }]) {
    const { metrics, app } = await openMeasured(change)
    expect((await app.request('/live')).status).toBe(200)
    await metrics.close()
  }
  other.close()
})

test('while metrics are off, nothing of the SDK is loaded', async () => {
  const program = (exporter: string) => `
    import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => {
      if (/@opentelemetry/.test(url)) throw new Error('loaded ' + url)
      return next(url, context)
    } })
    await import('${new URL('../start/app.ts', import.meta.url)}')
    const { openMetrics } = await import('${new URL('./open-metrics.ts', import.meta.url)}')
    const metrics = await openMetrics({ OTEL_METRICS_EXPORTER: '${exporter}', OTEL_EXPORTER_PROMETHEUS_PORT: 1 })
    console.log(metrics.isOn)`
  const start = (exporter: string) => run(process.execPath, ['--input-type=module', '-e', program(exporter)])
  expect((await start('none')).stdout.trim()).toBe('false')
  await expect(start('prometheus')).rejects.toThrow('loaded')
})
