import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCustomToken, getMe } from '@shop/shared/account/endpoints.ts'
import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import type { ErrorCode } from '@shop/shared/errors.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, vi } from 'vitest'
import { openSigningKeys } from '../../account/signing-keys.ts'
import { createTokenVerifier } from '../../account/token.ts'
import { addLinked, bindRoom, createChatShop, staffGroup, users } from '../chat.ts'
import { buyByBank, codeOf, report } from '../orders.ts'
import { addAccount, type TestCaller } from '../shop.ts'
import { lookAt, paySlipOrder, transferOf } from '../slips.ts'
import { addSlip } from '../wallet.ts'
import { deliver, failureOf, mustAddUp, type Scene, statusOf, through } from './scene.ts'
import type { Seen } from './table.ts'
import { startTimeline } from './timeline.ts'

const DAY_SECONDS = 86_400

export async function signingKeysAway(scene: Scene): Promise<Seen> {
  const it = await scene.openTestShop()
  const pairs = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const listed = [{ ...(await exportJWK(pairs[0]!.publicKey)), kid: 'k0', alg: 'RS256' }]
  let isAway = false
  const server = createServer((_, answer) => {
    if (isAway) return void answer.destroy()
    answer.end(JSON.stringify({ keys: listed }))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  scene.undo(() => server.close())
  it.shop.signingKeys = openSigningKeys(`http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`)
  it.shop.verifyToken = createTokenVerifier({ projectId: 'shop', keys: it.shop.signingKeys.find, now: it.shop.now })
  const sign = (nth: number) =>
    new SignJWT({ firebase: { sign_in_provider: 'password' } })
      .setProtectedHeader({ alg: 'RS256', kid: `k${nth}` })
      .setIssuer('https://securetoken.google.com/shop')
      .setAudience('shop')
      .setSubject('customer')
      .setIssuedAt(it.clock.now)
      .setExpirationTime(new Date(it.clock.now.getTime() + 3_600_000))
      .sign(pairs[nth]!.privateKey)
  const withKey = async (nth: number): Promise<TestCaller> =>
    it.as(null, { authorization: `Bearer ${await sign(nth)}` })
  const [signedIn, newcomer] = [await withKey(0), await withKey(1)]
  const time = await startTimeline(it)
  expect(await signedIn.codeOf(getMe, {})).toBe('OK')
  /** So much later the keys would be fetched anew. */
  const later = async (hours: number, call: () => Promise<unknown>) => {
    const right = Date.now
    const spy = vi.spyOn(Date, 'now').mockImplementation(() => right() + hours * 3_600_000)
    try {
      return await call()
    } finally {
      spy.mockRestore()
    }
  }
  return through(time, {
    begin: () => (isAway = true),
    async meanwhile() {
      expect(await later(5, () => signedIn.codeOf(getMe, {}))).toBe('OK')
      expect(await later(7, () => signedIn.codeOf(getMe, {}))).toBe('UNAVAILABLE')
      expect(await codeOf(buyByBank(it.as(null)))).toBe('OK')
      return [(await later(5, () => newcomer.codeOf(getMe, {}))) as ErrorCode]
    },
    end: () => (isAway = false),
  })
}

export async function lineAway(scene: Scene): Promise<Seen> {
  const it = await createChatShop()
  scene.undo(it.close)
  await bindRoom(it, 'staff')
  await addLinked(it, 'nid', 'customer', users.friend.userId)
  const time = await startTimeline(it)
  const pay = async () => {
    const { orderNo } = await buyByBank(it.as(null))
    const body = { orderNo, status: 'paid' as const, reason: 'เห็นเงินเข้า' }
    expect(await it.as('admin').codeOf(updateOrderStatus, { body })).toBe('OK')
    return orderNo
  }
  let [early, late] = ['', '']
  const seen = await through(time, {
    async begin() {
      it.line.control.injectFault({ path: '*', status: 500, count: 1_000_000 })
      early = await pay()
    },
    async meanwhile() {
      const idToken = await it.line.control.issueIdToken(users.friend.userId)
      const code = await it.as(null).codeOf(createCustomToken, { body: { idToken } })
      time.isAtWork.jobs = false
      for (let passed = 0; passed < DAY_SECONDS - 3600; passed += 600) await time.pass(600)
      late = await pay()
      for (let passed = 0; passed < 3600; passed += 600) await time.pass(600)
      return [code as ErrorCode]
    },
    async end() {
      it.line.state.faults.length = 0
      time.isAtWork.jobs = true
      // Staff see the queue without LINE.
      for (const orderNo of [early, late]) await deliver(it, orderNo)
    },
  })
  const told = it.shownTo(staffGroup.groupId).join()
  expect([told.includes('คิว 1 '), told.includes('คิว 2 ')]).toEqual([false, true])
  const { waiting } = await it.as('admin').call(getBacklog, {})
  expect(waiting.messages?.count).toBeGreaterThan(0)
  return seen
}

export async function slipProviderLies(scene: Scene): Promise<Seen> {
  const it = await scene.openSlipShop()
  const time = await startTimeline(it)
  const lies = [
    await paySlipOrder(it, ['amount']),
    await paySlipOrder(it, ['receiver']),
    await paySlipOrder(it, ['otherReference']),
    await paySlipOrder(it, [], { at: new Date(it.clock.now.getTime() - DAY_SECONDS * 1000) }),
  ]
  const buyers: { buyer: TestCaller; uid: string; orderNo: string; amountSatang: number }[] = []
  for (const uid of ['first', 'second']) {
    await addAccount(it, uid, 'customer')
    const buyer = it.as(uid)
    const { orderNo, amountSatang } = await buyByBank(buyer)
    buyers.push({ buyer, uid, orderNo, amountSatang })
  }
  const [first, second] = buyers as [(typeof buyers)[0], (typeof buyers)[0]]
  const transfer = transferOf(it, first.amountSatang)
  it.bank.add(transfer)
  const showBy = async ({ buyer, uid, orderNo }: typeof first) =>
    report(buyer, orderNo, await addSlip(it, `u:${uid}`, transfer.reference))
  await showBy(first)
  await time.pass(30)
  const code = await failureOf(showBy(second))
  expect(await statusOf(it, first.orderNo)).toBe('paid')
  await deliver(it, first.orderNo)
  for (let passed = 0; passed < 3600; passed += 30) {
    await time.pass(30)
    expect(await time.look()).toEqual([])
  }
  for (const { orderNo } of lies)
    expect(await lookAt(it, orderNo)).toMatchObject({ slipCheck: 'staff', canReport: false })
  expect(await it.db.query({ text: 'SELECT 1 FROM orders WHERE paid_at IS NOT NULL' })).toHaveLength(1)
  await mustAddUp(it)
  return { codes: [code], red: [], redAfter: null, greenAfter: 0 }
}
