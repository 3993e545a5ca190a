import { type ListedAgent, listAgents, listTiers, mapTier, searchUsersForTier } from '@shop/shared/agent/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'

const tier = {
  id: 1,
  name: 'Gold',
  description: '',
  agentCount: 0,
  isActived: true,
  maxItemPerOrder: 10,
  maxAmountSatang: 100_00,
  minTopUpSatang: 0,
  maxAmountPerOrderSatang: 100_00,
}
const agent: ListedAgent = {
  uid: 'u-agent',
  name: 'ร้านเกมบ้านสวน',
  firstName: 'สมชาย',
  lastName: 'ใจดี',
  role: 'agent',
  email: 'suan@demo.shop',
  emailVerified: false,
  tel: '0812345678',
  walletId: null,
  balanceSatang: 0,
  tier: { id: 1, name: 'Gold' },
  bankCode: null,
  bankAccount: null,
  isActived: true,
  canEdit: true,
  spentSatang: 0,
  lastOrderAt: null,
}
const nobody = { surname: '', email: 'a@demo.shop', emailVerified: false, role: 'customer', tierId: null } as const
const people = [
  { ...nobody, uid: 'u1', name: 'Unproven' },
  { ...nobody, uid: 'u2', name: 'Proven', emailVerified: true },
  { ...nobody, uid: 'u3', name: 'Known', role: 'agent' as const },
  { ...nobody, uid: 'line:u4', name: 'FromLine' },
]

async function openDialog(button: string) {
  server.use(
    fake(listAgents, () => ({ rows: [agent], total: 1 })),
    fake(listTiers, () => [tier]),
    fake(searchUsersForTier, () => people),
  )
  renderSite({ path: '/management/agent', me: { ...staff, role: 'manager' } })
  await screen.findAllByText(agent.name)
  fireEvent.click(screen.getAllByRole('button', { name: button })[0]!)
  return within(await screen.findByRole('dialog'))
}

test('customers whose address nobody has proven are marked and can not be chosen; the others can', async () => {
  const dialog = await openDialog('กำหนด Tier')
  fireEvent.mouseDown(dialog.getByLabelText('Agent'))
  const shown = await Promise.all(people.map(({ name }) => screen.findByTitle(new RegExp(`^${name}`))))
  expect(shown.map(({ title }) => title.includes('อีเมลยังไม่ยืนยัน'))).toEqual([true, false, true, false])
  const isOff = (option: HTMLElement) => option.classList.contains('ant-select-item-option-disabled')
  expect(shown.map(isOff)).toEqual([true, false, false, false])
})

test('a tier that the server refuses for the address says so', async () => {
  server.use(fake(mapTier, refuse('EMAIL_UNPROVEN')))
  const dialog = await openDialog(`กำหนด Tier ${agent.name}`)
  fireEvent.click(dialog.getByRole('button', { name: 'บันทึก' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('อีเมลของบัญชีนี้ยังไม่ได้ยืนยัน')
})

test('the list of agents says whose address is unproven', async () => {
  await openDialog('กำหนด Tier')
  screen.getByText('ยังไม่ยืนยัน')
})
