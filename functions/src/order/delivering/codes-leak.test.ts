import { SALE_PERIODS } from '@shop/shared/dashboard/dashboard.ts'
import { exportSale } from '@shop/shared/dashboard/endpoints.ts'
import type { EndpointShape } from '@shop/shared/endpoint.ts'
import * as order from '@shop/shared/order/endpoints.ts'
import * as contract from '@shop/shared/voucher/reveal-endpoints.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createApp, routes } from '../../start/app.ts'
import { notTold, type PlainCode, type Supplier, type Told } from '../../supplier/provider.ts'
import { addLinked, users } from '../../testing/chat.ts'
import { STOCK, sellCodes, stockCodes } from '../../testing/codes.ts'
import { fixture } from '../../testing/fixture.ts'
import { createMailShop, type MailShop } from '../../testing/mail.ts'
import { buyByBank } from '../../testing/orders.ts'
import { callerOf, onceKey, type TestCaller } from '../../testing/shop.ts'
import { bringLine } from '../../testing/supplier.ts'
import { addWallet } from '../../testing/wallet.ts'

/** Codes that nothing else in the shop looks like, not even in part. */
const PLANTED = ['WQJXK-7VZPY-HGQWX', 'ZKXWV-QJ9HG-PXQZJ', 'VXQPZ-J4KWG-YQHXJ', 'XJZQK-GW2YV-HPKQX'].map(
  (code, nth): PlainCode & { region: string } => ({
    code,
    pin: `PQW${nth}ZJXVKG`,
    serial: `SJQ${nth}KXWZVHY`,
    expiresOn: '2027-01-31',
    region: 'TH',
  }),
)
const PART = 6

/** Every six letters in a row of the planted secrets, with and without dashes, in capitals or not, and in other writings. */
const MARKS = [
  ...new Set(
    PLANTED.flatMap(({ code, pin, serial }) => [code, code.replaceAll('-', ''), pin!, serial!]).flatMap(text => {
      const parts = Array.from({ length: text.length - PART + 1 }, (_, at) => text.slice(at, at + PART))
      const written = (as: BufferEncoding) => Buffer.from(text).toString(as).slice(0, 12)
      return [...parts, ...parts.map(part => part.toLowerCase()), written('hex'), written('base64url')]
    }),
  ),
]
const leaksIn = (text: string): string[] => MARKS.filter(mark => text.includes(mark))

let it: MailShop
let output = ''
beforeAll(async () => {
  it = await createMailShop()
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation(chunk => {
      output += String(chunk)
      return true
    })
})
afterAll(async () => {
  vi.restoreAllMocks()
  await it.close()
})

/** A supplier that sends the codes it has, and says too much beside them. */
function supplierOf(codes: PlainCode[]): Supplier {
  const away = async () => null
  return {
    name: 'seagm',
    capabilities: {
      currency: 'THB',
      ownReference: true,
      findByReference: true,
      refusesRepeats: true,
      validates: 'none',
      callback: 'none',
      delivers: ['code'],
      mostPieces: null,
    },
    listProducts: away,
    validatePlayer: async () => ({ kind: 'unavailable' }),
    place: async ({ quantity }): Promise<Told<{ kind: 'delivered' }>> => ({
      ...notTold({ kind: 'delivered' }),
      theirId: 'CARD-1',
      costSatang: 10_000 * quantity,
      codes: codes.splice(0, quantity),
    }),
    status: async () => notTold({ kind: 'unknown' }),
    balance: away,
    readCallback: () => null,
  }
}

/** A client whose answers are all kept, over an API that logs its requests. */
function open() {
  const app = createApp(it.shop, { logsRequests: true })
  const answers: { call: string; status: number; body: string }[] = []
  const request = async (path: string, init?: RequestInit) => {
    const answer = await app.request(path, init)
    const call = `${init?.method ?? 'GET'} ${path}`
    const headers = [...answer.headers].flat().join(' ')
    answers.push({ call, status: answer.status, body: `${headers} ${await answer.clone().text()}` })
    return answer
  }
  const as = (uid: string | null, headers?: Record<string, string>) => callerOf(request, it.clock, uid, headers)
  return { answers, as, request }
}

/** Every row of every table as the database writes it, which is what a backup has. */
async function readAllRows(): Promise<string> {
  const tables = await it.db.query<{ name: string }>({
    text: `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
  })
  const rows = await Promise.all(
    tables.map(({ name }) => it.db.query<{ row: string }>({ text: `SELECT x::text AS row FROM ${name} x` })),
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

/** Every address that can be read, with what is known put in for its parameters. */
function pathsOf(known: Record<string, string>): string[] {
  const reads = routes.map(({ endpoint }) => endpoint as EndpointShape).filter(({ method }) => method === 'GET')
  return reads.map(({ path }) => path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(known[name] ?? '1')))
}

/** Pays an order of the package by its line. */
async function buy(caller: TestCaller) {
  it.clock.advance(60)
  const bought = await buyByBank(caller)
  await bringLine(it, bought.amountSatang)
  await it.drain()
  return bought
}

test('a code is in the answer to its buyer who asks for it, and nowhere else', async () => {
  const { answers, as, request } = open()
  it.shop.suppliers = { seagm: supplierOf(PLANTED.slice(2)) }
  await it.db.query({ text: `INSERT INTO supplier (name, is_on) VALUES ('seagm', true)` })
  await sellCodes(it, [STOCK, { supplier: 'seagm', sku: '1', costSatang: null }])
  await stockCodes(it, PLANTED.slice(0, 2))
  // What is refused as a duplicate is not told with its code, either.
  expect(await stockCodes(it, PLANTED.slice(0, 1))).toBe(0)
  await addLinked(it, 'line-buyer', 'customer', users.friend.userId)
  await addWallet(it.db, { uid: 'agent', balanceSatang: 10_000_000, pin: '1234', now: it.clock.now })
  const [member, guest, agent] = [as('line-buyer'), as(null), as('agent')]

  const bought = [await buy(member), await buy(guest)]
  const body = {
    gameId: fixture.pubg.id,
    packageId: fixture.pubg.package,
    playerId: '51',
    termsVersion: '1',
    pin: '1234',
  }
  bought.push(await agent.call(order.confirmOrder, { body: { ...body, quantity: 2 }, idempotencyKey: onceKey() }))
  for (let minutes = 0; minutes < 3; minutes++) {
    await it.drain()
    it.clock.advance(60)
  }

  const revealed: string[] = []
  for (const [nth, caller] of [member, guest, agent].entries()) {
    const { orderNo } = bought[nth]!
    const { codes, status } = await caller.call(order.getOrder, { params: { orderNo } })
    expect([nth, status, codes!.rows.length]).toEqual([nth, 'success', nth === 2 ? 2 : 1])
    const ids = codes!.rows.map(({ id }) => id)
    // Refusals first: none of them says what it keeps back.
    await as(null, { 'track-token': bought[nth]!.trackToken }).codeOf(contract.revealCodes, { body: { orderNo, ids } })
    await as('customer').codeOf(contract.revealCodes, { body: { orderNo, ids } })
    await caller.codeOf(contract.revealCodes, { body: { orderNo, ids: [orderNo] } })
    await agent.codeOf(contract.revealCodes, { body: { orderNo, ids, pin: '9999' } })
    const pin = nth === 2 ? '1234' : undefined
    const shown = await caller.call(contract.revealCodes, { body: { orderNo, ids, pin } })
    revealed.push(...shown.codes.map(({ code }) => code))
    // The one answer that has them.
    expect(leaksIn(answers.pop()!.body)).not.toEqual([])
  }
  expect(revealed.sort()).toEqual(PLANTED.map(({ code }) => code).sort())

  // A guest opens theirs by mail, and staff search for a code that a customer sent them.
  const { orderNo, trackToken } = bought[1]!
  await guest.call(contract.giveCodeAddress, { params: { orderNo }, body: { address: 'guest@somewhere.example' } })
  await as(null, { 'track-token': trackToken }).call(contract.sendCodeNumber, { params: { orderNo }, body: {} })

  for (const { code, serial } of PLANTED)
    for (const text of [code, serial!])
      expect((await as('staff').call(order.listAllOrders, { query: { text } })).rows).toEqual([])

  // Everything that anybody can read: lists, details, papers, exports, dashboards, the audit log, copies of own data.
  const [first] = bought
  const known = {
    orderNo: first!.orderNo,
    gameCode: fixture.pubg.code,
    uid: 'agent',
    month: '2026-11',
    id: String(fixture.pubg.package),
  }
  for (const caller of [as('admin'), as('manager'), as('staff'), as('accountant'), member, agent])
    for (const path of pathsOf(known)) await request(path, { headers: caller.headers })
  for (const period of SALE_PERIODS)
    await request(`${exportSale.path}?game=all&paymentMethod=all&period=${period}`, { headers: as('admin').headers })
  for (const headers of [guest.headers, { ...as(null).headers, 'track-token': trackToken }])
    for (const path of pathsOf({ ...known, orderNo })) await request(path, { headers })
  const read = answers.filter(({ status, call }) => status === 200 && call.startsWith('GET'))
  expect(read.length).toBeGreaterThan(150)
  expect(answers.filter(({ body }) => leaksIn(body).length > 0).map(({ call }) => call)).toEqual([])

  await it.drain()
  const said = JSON.stringify([...it.line.state.chats])
  expect(said).toContain('รหัสพร้อมแล้ว')
  expect(leaksIn(said)).toEqual([])
  expect(it.inbox.mails.length).toBeGreaterThan(0)
  expect(leaksIn(JSON.stringify(it.inbox.mails))).toEqual([])
  expect(output).toContain('/romons.voucher/api/reveal')
  expect(leaksIn(output)).toEqual([])
  const rows = await readAllRows()
  expect(rows).toContain(orderNo)
  expect(leaksIn(rows)).toEqual([])
  const files = (
    await Promise.all(['slips', 'public'].map(folder => it.shop.files.list(folder).catch(() => [])))
  ).flat()
  for (const { key } of files) expect(leaksIn(Buffer.from((await it.shop.files.read(key))!).toString())).toEqual([])
})

test('the marks are found where a code is written', () => {
  const { code, pin } = PLANTED[0]!
  for (const text of [code, code.toLowerCase(), code.replaceAll('-', ''), `x${code.slice(3, 9)}y`, pin!])
    expect(leaksIn(text).length).toBeGreaterThan(0)
  expect(leaksIn(code.slice(-4))).toEqual([])
})
