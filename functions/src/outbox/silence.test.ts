import { readFileSync, writeFileSync } from 'node:fs'
import { writeLetter } from '@shop/shared/letter.ts'
import { chargeOrder } from '@shop/shared/order/charge-endpoints.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { approveErasure, askErasure, listErasures } from '@shop/shared/privacy/endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { giveSecondWord, listSecondWords } from '@shop/shared/value/endpoints.ts'
import { afterEach, expect, test } from 'vitest'
import { putMessage } from '../chat/store.ts'
import { putMail } from '../mail/store.ts'
import { createChatShop, users } from '../testing/chat.ts'
import { buyByGateway, createGatewayShop } from '../testing/gateway.ts'
import { createMailShop } from '../testing/mail.ts'
import { addAccount, type TestShop } from '../testing/shop.ts'
import { createSlipShop, paySlipOrder } from '../testing/slips.ts'
import { createSupplierShop, payOrder } from '../testing/supplier.ts'
import { addEndpoint, scriptWebhooks } from '../testing/webhook.ts'
import { emitTest } from '../webhook/emit.ts'
import { JOB_KIND, jobKindOf, OUTBOX_KINDS, silenceTable } from './job-kind.ts'
import { enqueue } from './outbox.ts'
import type { OutboxKind } from './payload.ts'

const PAGE = new URL('../../../docs/operations/faults.md', import.meta.url)
const MARKS = ['<!-- silence -->\n', '<!-- /silence -->'] as const

type Asking = { [K in OutboxKind]: (typeof JOB_KIND)[K] extends { asks: null } ? never : K }[OutboxKind]

/** Something that a kind of job asks of somebody who does not answer. */
interface Silent {
  it: TestShop
  drain(): Promise<void>
  /** They answer again. */
  speak(): void
  /** What the shop holds to be true meanwhile; it must be open, or with people. */
  standing(): Promise<unknown>
  close(): Promise<unknown>
}

const rowOf = async ({ db }: TestShop, text: string, ...values: unknown[]) => (await db.query({ text, values }))[0]

async function silentCharge(end: boolean): Promise<Silent> {
  const it = await createGatewayShop()
  const buyer = it.as(null)
  const { orderNo } = await buyByGateway(buyer)
  await buyer.call(chargeOrder, { params: { orderNo }, body: { method: 'promptpay' } })
  it.gateway.lasting = 'busy'
  if (end) await buyer.call(updateOrderStatus, { body: { orderNo, status: 'cancel' } })
  return {
    it,
    drain: it.drain,
    speak() {
      it.gateway.lasting = null
    },
    standing: () => rowOf(it, 'SELECT state FROM charge'),
    close: () => it.db.close(),
  }
}

async function silentSupplier(isCallback: boolean): Promise<Silent> {
  const it = await createSupplierShop()
  await payOrder(it, 'hangAfter')
  await it.drain()
  const status = it.shop.suppliers.seagm!
  const { status: answered } = status
  status.status = async () => ({
    answer: { kind: 'unknown' },
    httpStatus: null,
    code: null,
    message: null,
    theirId: null,
    costSatang: null,
    codes: [],
  })
  if (isCallback) {
    const attempt = await rowOf(it, 'SELECT id FROM supplier_attempt')
    const payload = { attemptId: (attempt as { id: string }).id }
    await enqueue(it.db, { kind: 'supplier.ask', key: 'callback', payload, now: it.clock.now })
  }
  return {
    it,
    drain: it.drain,
    speak() {
      status.status = answered
    },
    standing: () => rowOf(it, 'SELECT state FROM supplier_attempt'),
    close: () => it.stop(),
  }
}

const letter = writeLetter({
  title: 'ร้านตั้งรหัสผ่านใหม่',
  opening: 'เปิด',
  facts: [],
  advice: 'ติดต่อร้าน',
  action: { label: 'เปิดบัญชี', url: 'https://shop.test/user/agent' },
})

/** For each kind of job that asks somebody outside, how these fall silent. */
const SILENT = {
  'charge.ask': () => silentCharge(false),
  'charge.end': () => silentCharge(true),
  'supplier.deliver': () => silentSupplier(false),
  'supplier.ask': () => silentSupplier(true),
  async 'slip.check'() {
    const it = await createSlipShop('slipok', { SLIP_TIMEOUT_MS: '200' })
    await paySlipOrder(it, Array(20).fill('reset'))
    return {
      it,
      drain: it.drain,
      speak: () => undefined,
      standing: () => rowOf(it, 'SELECT state, reason FROM slip_check'),
      close: () => it.stop(),
    }
  },
  async 'chat.send'() {
    const it = await createChatShop()
    it.shop.chat!.push = async () => ({ kind: 'unknown' })
    const message = { key: 'a', kind: 'orderEnded', about: 'KT1', recipient: users.friend.userId } as const
    const sent = { ...message, replyToken: null, messages: [{ type: 'text' as const, text: 'ok' }], cost: 1 }
    await putMessage(it.db, sent, it.clock.now)
    return {
      it,
      drain: it.drain,
      speak: () => undefined,
      standing: () => rowOf(it, 'SELECT state FROM chat_message'),
      close: it.close,
    }
  },
  async 'mail.send'() {
    const it = await createMailShop()
    it.shop.mail!.send = async () => ({ kind: 'unknown', message: 'no answer' })
    const mail = { key: 'a', kind: 'passwordReset', uid: 'agent', recipient: 'agent@test.shop', ...letter } as const
    await putMail(it.db, mail, it.clock.now)
    return {
      it,
      drain: it.drain,
      speak: () => undefined,
      standing: () => rowOf(it, 'SELECT state FROM mail_message'),
      close: it.close,
    }
  },
  async 'webhook.send'() {
    const it = await createMailShop()
    await addAccount(it, 'reseller', 'agent')
    await addEndpoint(it, 'reseller')
    scriptWebhooks(it, 503)
    await emitTest(it.db, { uid: 'reseller', mode: 'live', type: 'order.completed', data: {}, now: it.clock.now })
    return {
      it,
      drain: it.drain,
      speak: () => undefined,
      standing: () => rowOf(it, 'SELECT state FROM webhook_message'),
      close: it.close,
    }
  },
  async 'account.erase'() {
    const it = await createMailShop()
    await addAccount(it, 'admin-2', 'admin')
    await addAccount(it, 'leaver', 'customer')
    await it.as('leaver').call(askErasure, {})
    const [asked] = (await it.as('admin').call(listErasures, {})).rows
    await it.as('admin').codeOf(approveErasure, { params: { id: asked!.id } })
    const [word] = (await it.as('admin-2').call(listSecondWords, {})).rows
    await it.as('admin-2').call(giveSecondWord, { params: { id: word!.id } })
    const { deleteUser } = it.shop.identityProvider
    it.shop.identityProvider.deleteUser = () => Promise.reject(new Error('no answer'))
    return {
      it,
      drain: it.drain,
      speak() {
        it.shop.identityProvider.deleteUser = deleteUser
      },
      standing: () => rowOf(it, 'SELECT state FROM erasure'),
      close: it.close,
    }
  },
} satisfies Record<Asking, () => Promise<Silent>>

/** What must stand for each after days of silence, where it is not asked on. */
const AFTER: Partial<Record<Asking, unknown>> = {
  'slip.check': { state: 'staff', reason: 'unreachable' },
  'chat.send': { state: 'dead' },
  'mail.send': { state: 'dead' },
  'webhook.send': { state: 'dead' },
}

let open: Silent | undefined
afterEach(async () => {
  await open?.close()
  open = undefined
})

async function pass({ it, drain }: Silent, seconds: number, step: number): Promise<void> {
  const end = addSeconds(it.clock.now, seconds)
  while (it.clock.now < end) {
    await drain()
    it.clock.advance(step)
  }
  await drain()
}

const jobOf = ({ it }: Silent, kind: OutboxKind) =>
  rowOf(it, 'SELECT state, last_error IS NOT NULL AS met FROM outbox WHERE kind = $1 ORDER BY created_at LIMIT 1', kind)

const KINDS = Object.keys(SILENT) as Asking[]
const askedOn = KINDS.filter(kind => JOB_KIND[kind].silence === 'askedOn')

test.each(askedOn)(
  '%s: two days without an answer end nothing, and the first answer does',
  async kind => {
    open = await SILENT[kind]()
    await pass(open, 2 * 86_400, 600)
    expect(await jobOf(open, kind)).toMatchObject({ state: 'waiting' })
    const before = await open.standing()
    expect(['waiting', 'asking', 'unknown', 'sending', 'accepted', 'approved']).toContain(
      (before as { state: string }).state,
    )
    open.speak()
    await pass(open, 2 * 3600, 300)
    expect(await jobOf(open, kind)).toMatchObject({ state: 'done' })
    expect(await open.standing()).not.toEqual(before)
  },
  300_000,
)

test.each(KINDS.filter(kind => !askedOn.includes(kind)))(
  '%s: what nobody answered is with people, or with whom it was for',
  async kind => {
    open = await SILENT[kind]()
    await pass(open, 5 * 86_400, 900)
    expect(await open.standing()).toEqual(AFTER[kind])
  },
  300_000,
)

test('each kind that asks somebody outside says what silence means, and only those', () => {
  const asking = OUTBOX_KINDS.filter(kind => jobKindOf(kind).asks !== null)
  expect(asking.sort()).toEqual(KINDS.toSorted())
})

test('docs/operations/faults.md tells the same; WRITE_DOCS=1 writes it', () => {
  const page = readFileSync(PAGE, 'utf8')
  const [from, to] = MARKS.map(mark => page.indexOf(mark)) as [number, number]
  const written = `${page.slice(0, from + MARKS[0].length)}${silenceTable()}\n${page.slice(to)}`
  if (process.env.WRITE_DOCS) writeFileSync(PAGE, written)
  else expect(page).toBe(written)
})
