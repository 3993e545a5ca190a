import type { AppError, ErrorCode } from '@shop/shared/errors.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { expect } from 'vitest'
import { checkLedger } from '../../wallet/ledger-check.ts'
import { createTestShop, type TestShop } from '../shop.ts'
import { createSlipShop, lookAt, type SlipShop } from '../slips.ts'
import type { Seen } from './table.ts'
import type { Timeline } from './timeline.ts'

/** Where a fault happens. What is opened here is closed in the other order, also after a failure. */
export interface Scene {
  undo(...steps: (() => unknown)[]): void
  openTestShop(...given: Parameters<typeof createTestShop>): Promise<TestShop>
  openSlipShop(): Promise<SlipShop>
  close(): Promise<void>
}

export function openScene(): Scene {
  const steps: (() => unknown)[] = []
  return {
    undo: (...more) => void steps.push(...more),
    async openTestShop(...given) {
      const it = await createTestShop(...given)
      steps.push(() => it.db.close())
      return it
    },
    async openSlipShop() {
      const it = await createSlipShop('slipok')
      steps.push(it.stop)
      return it
    },
    async close() {
      for (const step of steps.toReversed()) await step()
    },
  }
}

/** Lets a fault happen and pass, with something to do in between. */
export async function through(
  time: Timeline,
  fault: { begin(): unknown; meanwhile?(): Promise<ErrorCode[]>; end(): unknown },
): Promise<Seen> {
  await fault.begin()
  const { red, after: redAfter } = await time.until(true)
  const codes = (await fault.meanwhile?.()) ?? []
  await fault.end()
  const { after: greenAfter } = await time.until(false)
  return { codes, red: red as Seen['red'], redAfter, greenAfter }
}

export const statusOf = async (it: TestShop, orderNo: string) => (await lookAt(it, orderNo)).status
export const mustAddUp = async (it: TestShop) => expect((await checkLedger(it.db)).breaches).toEqual([])
export const deliver = async (it: TestShop, orderNo: string) => {
  for (const status of ['processing', 'success'] as const) {
    const body = { orderNo, status, deliveryReference: 'REF' }
    expect(await it.as('admin').codeOf(updateOrderStatus, { body })).toBe('OK')
  }
}
export const failureOf = async (call: Promise<unknown>): Promise<ErrorCode> =>
  call.then(
    () => expect.unreachable(),
    (error: AppError) => error.code,
  )
