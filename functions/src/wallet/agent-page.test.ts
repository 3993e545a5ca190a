import { resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { listAgents, mapTier } from '@shop/shared/agent/endpoints.ts'
import { confirmOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { bangkokMonthOf } from '@shop/shared/time.ts'
import * as contract from '@shop/shared/wallet/agent-endpoints.ts'
import { saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addSlip, addWallet, TIER } from '../testing/wallet.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
  // The database posts by its own clock.
  it.clock.now = new Date()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 1_000_000, pin: '1234', now: it.clock.now })
})
afterAll(() => it.db.close())

const look = (uid = 'agent') => it.as('manager').call(contract.getAgent, { params: { uid } })

async function buy(): Promise<{ orderNo: string; priceSatang: number }> {
  const body = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: '1234', quantity: 1 }
  return it.as('agent').call(confirmOrder, { body, idempotencyKey: onceKey() })
}

test('an agent’s page tells the wallet, this month, the last order, and who set what', async () => {
  const kept = await buy()
  const returned = await buy()
  await it
    .as('manager')
    .call(updateOrderStatus, { body: { orderNo: returned.orderNo, status: 'refunded', reason: 'หมดสต็อก' } })
  const body = { amountSatang: 50_000, slipId: await addSlip(it, 'u:agent') }
  await it.as('agent').call(saveTopUp, { body, idempotencyKey: onceKey() })
  await it.as('manager').call(mapTier, { body: { uid: 'agent', tierId: TIER.id, isActived: true } })
  await it.as('manager').call(resetPin, { params: { uid: 'agent' } })
  const { agent, wallet, lastOrder, tiers, pinResets } = await look()
  expect(wallet).toMatchObject({
    maxAmountSatang: TIER.maxAmountSatang,
    roomSatang: TIER.maxAmountSatang - agent.balanceSatang,
    waiting: 1,
    waitingSatang: 50_000,
    monthTopUpSatang: 0,
    monthOrders: 2,
    monthSpentSatang: 1_000_000 - agent.balanceSatang,
  })
  expect(lastOrder).toMatchObject({ orderNo: returned.orderNo, title: 'PUBG Mobile · 325 UC' })
  expect(tiers).toEqual([])
  expect(pinResets).toHaveLength(1)

  const { rows } = await it.as('manager').call(listAgents, { query: {} })
  expect(rows.find(row => row.uid === 'agent')).toMatchObject({
    spentSatang: wallet!.monthSpentSatang,
    lastOrderAt: lastOrder!.createdAt,
  })
  const month = bangkokMonthOf(it.clock.now)
  const statement = await it.as('manager').call(contract.getAgentStatement, { params: { uid: 'agent', month } })
  expect(statement.closingSatang).toBe(agent.balanceSatang)
  expect(statement.rows.map(row => row.no)).toContain(kept.orderNo)
})

test('a tier that was given stands with who gave it; nobody but agents has such a page', async () => {
  await addAccount(it, 'agent2', 'agent')
  await it.as('manager').call(mapTier, { body: { uid: 'agent2', tierId: TIER.id, isActived: true } })
  expect((await look('agent2')).tiers).toMatchObject([{ tierName: 'Gold', byName: expect.any(String) }])
  await expect(look('staff')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await it.as('staff').codeOf(contract.getAgent, { params: { uid: 'agent' } })).toBe('FORBIDDEN')
  const asked = { params: { uid: 'staff', month: '2026-11' } }
  expect(await it.as('manager').codeOf(contract.getAgentStatement, asked)).toBe('WALLET_NOT_FOUND')
})
