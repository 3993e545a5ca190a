import { getMe } from '@shop/shared/account/endpoints.ts'
import { expect, vi } from 'vitest'
import { matchLines } from '../../statement/matching.ts'
import { buyByBank, codeOf } from '../orders.ts'
import { type TestShop, tokenFor } from '../shop.ts'
import { lookAt, paySlipOrder } from '../slips.ts'
import { addLines, lineOf } from '../statement.ts'
import { failureOf, mustAddUp, type Scene, statusOf, through } from './scene.ts'
import type { Seen } from './table.ts'
import { startTimeline } from './timeline.ts'

export async function outboxStopped(scene: Scene): Promise<Seen> {
  const it = await scene.openSlipShop()
  const time = await startTimeline(it)
  let orderNo = ''
  const seen = await through(time, {
    async begin() {
      time.isAtWork.outbox = false
      orderNo = (await paySlipOrder(it)).orderNo
    },
    async meanwhile() {
      expect(await lookAt(it, orderNo)).toMatchObject({ status: 'waiting_payment', slipCheck: 'confirming' })
      return []
    },
    end: () => (time.isAtWork.outbox = true),
  })
  expect(await statusOf(it, orderNo)).toBe('paid')
  return seen
}

export async function schedulerStopped(scene: Scene): Promise<Seen> {
  const it = await scene.openSlipShop()
  const time = await startTimeline(it)
  const { orderNo: unpaid } = await buyByBank(it.as(null))
  const { orderNo: waiting, amountSatang } = await buyByBank(it.as(null))
  let bySlip = ''
  const seen = await through(time, {
    begin: () => (time.isAtWork.jobs = false),
    async meanwhile() {
      bySlip = (await paySlipOrder(it)).orderNo
      await addLines(it, [lineOf({ amountSatang, at: it.clock.now })])
      await time.pass(3600)
      expect([await statusOf(it, bySlip), await statusOf(it, waiting)]).toEqual(['paid', 'waiting_payment'])
      return []
    },
    end: () => (time.isAtWork.jobs = true),
  })
  expect([await statusOf(it, unpaid), await statusOf(it, waiting)]).toEqual(['expired', 'paid'])
  return seen
}

/** The clock of the process, and with it that of the shop. */
function openClock(it: TestShop, scene: Scene): { jump(seconds: number): void } {
  const right = Date.now
  let offset = 0
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => right() + offset)
  scene.undo(() => spy.mockRestore())
  return {
    jump(seconds) {
      offset += seconds * 1000
      it.clock.advance(seconds)
    },
  }
}

export async function clockAhead(scene: Scene): Promise<Seen> {
  const it = await scene.openSlipShop()
  const time = await startTimeline(it)
  const clock = openClock(it, scene)
  const { orderNo: early, amountSatang } = await buyByBank(it.as(null))
  const token = tokenFor('customer', it.clock.now)
  const signedIn = it.as(null, { authorization: `Bearer ${token}` })
  let ofThatHour = ''
  const seen = await through(time, {
    begin: () => clock.jump(3600),
    async meanwhile() {
      expect(await statusOf(it, early)).toBe('expired')
      time.isAtWork.outbox = false
      ofThatHour = (await paySlipOrder(it)).orderNo
      return [await failureOf(signedIn.call(getMe, {}))]
    },
    end() {
      clock.jump(-3600)
      time.isAtWork.outbox = true
    },
  })
  expect(await signedIn.codeOf(getMe, {})).toBe('OK')
  await time.pass(60)
  expect(await lookAt(it, ofThatHour)).not.toMatchObject({ slipCheck: 'confirming' })
  await addLines(it, [lineOf({ amountSatang, at: it.clock.now })])
  await matchLines(it.shop)
  expect(await statusOf(it, early)).toBe('paid')
  await mustAddUp(it)
  return seen
}

export async function clockBehind(scene: Scene): Promise<Seen> {
  const it = await scene.openSlipShop()
  const time = await startTimeline(it)
  const clock = openClock(it, scene)
  time.isAtWork.outbox = false
  const { orderNo } = await paySlipOrder(it)
  const seen = await through(time, {
    begin() {
      clock.jump(-3600)
      time.isAtWork.outbox = true
    },
    async meanwhile() {
      await time.pass(60)
      expect(await statusOf(it, orderNo)).toBe('paid')
      expect(await codeOf(buyByBank(it.as(null)))).toBe('OK')
      return []
    },
    end: () => clock.jump(3600),
  })
  await mustAddUp(it)
  return seen
}
