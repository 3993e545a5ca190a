import { randomUUID } from 'node:crypto'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { exportAllOrders } from '@shop/shared/order/finding-endpoints.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { runJob } from '../jobs/jobs.ts'
import { createDrain } from '../outbox/drain.ts'
import { type ChatShop, createChatShop } from '../testing/chat.ts'
import { buyByBank } from '../testing/orders.ts'
import { currentRequestId, REQUEST_ID, requestIdOf } from './request-id.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`

let it: ChatShop
beforeAll(async () => {
  it = await createChatShop()
})
afterAll(() => it.close())
afterEach(() => vi.restoreAllMocks())

/** The lines that are logged from now on. */
function watchLog(): { message: string; requestId?: string }[] {
  const lines: { message: string; requestId?: string }[] = []
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation(text => {
      if (String(text).startsWith('{')) lines.push(JSON.parse(String(text)))
      return true
    })
  return lines
}

test('a request has the trace of the platform, else an id of its own; nothing else that a caller writes', () => {
  const idOf = (headers: Record<string, string>) => requestIdOf(name => headers[name])
  expect(idOf({ traceparent })).toBe(TRACE)
  expect(idOf({ 'x-cloud-trace-context': `${TRACE}/123;o=1` })).toBe(TRACE)
  const none: Record<string, string>[] = [
    {},
    { traceparent: 'somchai' },
    { traceparent: traceparent.replace(TRACE, '0'.repeat(32)) },
    { 'x-cloud-trace-context': `${TRACE}somchai` },
  ]
  const made = none.map(idOf)
  for (const id of made) expect(id).toMatch(/^[\da-f]{32}$/)
  expect(new Set([TRACE, ...made]).size).toBe(none.length + 1)
})

test('every answer names its request, and so does what is logged of a failure', async () => {
  const lines = watchLog()
  const failed = await it.request('/romons.users/api/mail/start', { headers: { traceparent } })
  expect(failed.headers.get(REQUEST_ID)).toBe(TRACE)
  expect(await failed.json()).toMatchObject({ requestId: TRACE })
  it.shop.files.readPublic = () => Promise.reject(new Error('disk gone'))
  const broken = await it.request('/files/a.png', { headers: { traceparent } })
  expect(await broken.json()).toMatchObject({ code: 'INTERNAL', requestId: TRACE })
  expect(lines).toMatchObject([{ message: 'request failed', requestId: TRACE }])
  const sheet = await it.request(exportAllOrders.path, { headers: { ...it.as('manager').headers, traceparent } })
  expect([sheet.status, sheet.headers.get(REQUEST_ID)]).toEqual([200, TRACE])
  await sheet.text()
})

test('people are told the first digits of what is the shop’s fault, and nothing of their own', () => {
  const told = (code: 'INTERNAL' | 'NOT_FOUND') =>
    messageOf(AppError.fromBody(new AppError(code).status, new AppError(code).toBody(TRACE)))
  expect(told('INTERNAL')).toContain(TRACE.slice(0, 8))
  expect(told('NOT_FOUND')).toBe(new AppError('NOT_FOUND').message)
})

test('a job names the request that caused it, in its own lines and in the jobs that it stores', async () => {
  const { orderNo } = await buyByBank(it.as('customer'))
  const paying = it.as('staff', { traceparent })
  await paying.call(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นเงินเข้า' } })
  const causes = () =>
    it.db.query<{ requestId: string }>({ text: 'SELECT DISTINCT request_id AS "requestId" FROM outbox' })
  expect(await causes()).toEqual([{ requestId: TRACE }])
  const lines = watchLog()
  const seen: (string | null)[] = []
  const failing = {
    concurrency: 1,
    lockSeconds: 60,
    mostFaults: 1,
    run: async () => {
      seen.push(currentRequestId())
      throw new Error(randomUUID())
    },
  }
  await createDrain(it.shop, { 'chat.tell': failing }).run()
  expect(seen).toEqual([TRACE])
  expect(lines).toMatchObject([{ message: 'outbox job failed', requestId: TRACE }])
  expect(currentRequestId()).toBeNull()
})

test('all that one run of a scheduled job logs has one id', async () => {
  const lines = watchLog()
  const job = { title: '', schedule: '', timeoutSeconds: 1, everySeconds: 15 }
  const ids: (string | null)[] = []
  const run = async () => {
    ids.push(currentRequestId())
    throw new Error('down')
  }
  await expect(runJob(it.shop, 'expireorders', { ...job, run })).rejects.toThrow('down')
  await expect(runJob(it.shop, 'expireorders', { ...job, run })).rejects.toThrow('down')
  expect(lines).toMatchObject(ids.map(requestId => ({ message: 'expireorders failed', requestId })))
  expect(new Set(ids).size).toBe(2)
})
