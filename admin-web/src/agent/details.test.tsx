import { getPinState } from '@shop/shared/account/pin-endpoints.ts'
import { listAgents, listTiers } from '@shop/shared/agent/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { getAgentApi } from '@shop/shared/reseller/key-endpoints.ts'
import {
  type AgentDetails,
  exportAgentStatement,
  getAgent,
  getAgentStatement,
} from '@shop/shared/wallet/agent-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { agent as agentWithoutTier } from '../testing/agent.ts'
import { noApi } from '../testing/agent-api.ts'
import { renderSite, server, staff } from '../testing/site.tsx'

const NOW = '2026-11-20T07:00:00.000Z'
const manager = { ...staff, uid: 'u-manager', role: 'manager' as const }
const agent: AgentDetails['agent'] = {
  ...agentWithoutTier,
  tier: { id: 1, name: 'Gold' },
  walletId: '01a1f903-0003-7b09-91c6-000000000001',
  balanceSatang: 428_500,
}
const details: AgentDetails = {
  agent,
  createdAt: NOW,
  wallet: {
    maxAmountSatang: 2_000_000,
    minTopUpSatang: 50_000,
    maxAmountPerOrderSatang: 500_000,
    maxItemPerOrder: 10,
    roomSatang: 1_571_500,
    waiting: 2,
    waitingSatang: 330_000,
    monthTopUpSatang: 1_000_000,
    monthOrders: 58,
    monthSpentSatang: 871_500,
  },
  lastOrder: {
    orderNo: 'KT2611-00004801',
    title: 'Mobile Legends · 568 เพชร',
    status: 'success',
    amountSatang: 26_900,
    createdAt: NOW,
  },
  tiers: [{ at: NOW, byName: 'วิภา ผู้จัดการ', tierName: 'Gold' }],
  pinResets: [],
  nowDate: NOW,
}
const statementOf = (month: string) => ({
  month,
  openingSatang: 300_000,
  inSatang: 1_000_000,
  outSatang: 871_500,
  closingSatang: 428_500,
  rows: [
    {
      at: NOW,
      no: 'WT2611-00000009',
      actionType: 'เติมเงิน' as const,
      transType: 'ฝาก' as const,
      detail: '',
      amountSatang: 1_000_000,
      balanceSatang: 1_300_000,
    },
    {
      at: NOW,
      no: 'KT2611-00004801',
      actionType: 'เติมเกม' as const,
      transType: 'ถอน' as const,
      detail: 'Mobile Legends 568 เพชร',
      amountSatang: -26_900,
      balanceSatang: 1_273_100,
    },
  ],
})

function serve(some: Partial<AgentDetails> = {}) {
  const months: string[] = []
  server.use(
    fake(getAgent, () => ({ ...details, ...some })),
    fake(listTiers, () => []),
    fake(getAgentApi, () => noApi),
    fake(listAgents, () => ({ rows: [{ ...agent, spentSatang: 871_500, lastOrderAt: NOW }], total: 1 })),
    fake(getPinState, () => ({ wrongTries: 0, wrongToday: 0, lock: null })),
    fake(getAgentStatement, (_, url) => {
      const month = url.pathname.split('/').at(-1)!
      months.push(month)
      return statementOf(month)
    }),
  )
  return months
}

test('a row of the list opens the agent’s page: balance, limits, month, last order, tier', async () => {
  serve()
  renderSite({ path: '/management/agent', me: manager })
  fireEvent.click(await screen.findByText('8,715.00'))
  const balance = within(await screen.findByRole('region', { name: 'ยอดคงเหลือ' }))
  balance.getByText('฿4,285.00')
  within(screen.getByRole('region', { name: 'ซื้อเดือนนี้' })).getByText('฿8,715.00')
  const waiting = within(screen.getByRole('region', { name: 'รออนุมัติเติมเงิน' })).getByRole('link', { name: '2 รายการ' })
  expect(new URL(waiting.getAttribute('href')!, 'http://x').searchParams.get('agentName')).toBe(agent.name)
  screen.getByText('วิภา ผู้จัดการ', { exact: false })
  const last = screen.getByRole('link', { name: 'Mobile Legends · 568 เพชร' })
  expect(last.getAttribute('href')).toBe('/management/details/KT2611-00004801')
  await screen.findByText('PIN ใช้งานได้')
})

test('the statement stands latest first between its balances, leads to what it is about, and can be had as CSV', async () => {
  const months = serve()
  renderSite({ path: '/management/agent/u-agent', me: manager })
  const statement = within(await screen.findByRole('region', { name: 'ใบแจ้งยอด' }))
  const links = (await statement.findAllByRole('link')).map(link => link.getAttribute('href'))
  expect(links).toEqual([
    '/management/details/KT2611-00004801',
    '/management/wallet?status=all&transactionNo=WT2611-00000009',
  ])
  statement.getByText('+10,000.00')
  expect(months[0]).toMatch(/^20\d\d-\d\d$/)
  const asked: string[] = []
  server.use(
    fake(exportAgentStatement, (_, url) => {
      asked.push(url.pathname)
      return new Blob()
    }),
  )
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined })
  fireEvent.click(statement.getByRole('button', { name: /ดาวน์โหลด CSV/ }))
  await waitFor(() => expect(asked).toHaveLength(1))
})

test('an agent without a tier has no wallet to show, and an unknown one no page', async () => {
  serve({ agent: { ...agent, tier: null, walletId: null }, wallet: null, tiers: [], lastOrder: null })
  renderSite({ path: '/management/agent/u-agent', me: manager })
  await screen.findByText(/ยังไม่มีกระเป๋าเงิน/)
  expect(screen.queryByRole('region', { name: 'Tier และวงเงิน' })).toBeNull()
  server.use(
    fake(getAgent, () => {
      throw new AppError('NOT_FOUND')
    }),
  )
  renderSite({ path: '/management/agent/u-none', me: manager })
  await screen.findByText('ไม่พบหน้าที่คุณต้องการ')
})
