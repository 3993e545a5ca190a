import { getPinState } from '@shop/shared/account/pin-endpoints.ts'
import { listTiers } from '@shop/shared/agent/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { type AgentApi, endAgentKey, getAgentApi, type ToldEndpoint } from '@shop/shared/reseller/key-endpoints.ts'
import { getAgent } from '@shop/shared/wallet/agent-endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { agent } from '../testing/agent.ts'
import { liveKey, noApi, testKey } from '../testing/agent-api.ts'
import { manager } from '../testing/catalogue.ts'
import { renderSite, server } from '../testing/site.tsx'

const NOW = '2026-11-20T07:00:00.000Z'
const told: ToldEndpoint = {
  id: '01a1f903-0003-7b09-91c6-000000000001',
  mode: 'live',
  url: 'https://shop.example.com/hook',
  isOn: true,
  isFailing: false,
  failingSince: null,
  lastError: null,
  waiting: 0,
}

function open(api: Partial<AgentApi>, canEdit = true) {
  const details = { createdAt: NOW, wallet: null, lastOrder: null, tiers: [], pinResets: [], nowDate: NOW }
  server.use(
    fake(getAgent, () => ({ ...details, agent: { ...agent, canEdit } })),
    fake(listTiers, () => []),
    fake(getPinState, () => ({ wrongTries: 0, wrongToday: 0, lock: null })),
    fake(getAgentApi, () => ({ ...noApi, ...api })),
  )
  renderSite({ path: '/management/agent/u-agent', me: manager })
}
const section = async () => within(await screen.findByRole('region', { name: 'API' }))
const rowOf = async (name: string) => within((await (await section()).findByText(name)).closest('tr')!)

test('an agent without keys has a line in place of the section', async () => {
  open({})
  await screen.findByText('ตัวแทนนี้ไม่มีคีย์ API')
  expect(screen.queryByRole('region', { name: 'API' })).toBeNull()
})

test('a key says what it may do, from where and up to what, and what was done with it', async () => {
  open({ keys: [liveKey, testKey] })
  const live = await rowOf('เครื่องหน้าร้าน')
  for (const text of [
    'ใช้จริง',
    'rk_live_AbCdEfGhIjKlMnOp',
    'อ่านสินค้า ราคา คำสั่งซื้อ และกระเป๋าเงิน · สั่งซื้อและยกเลิก (ใช้เงินในกระเป๋า)',
    'ไม่เกิน 5,000 บาทต่อวัน · ใช้ได้จาก 203.0.113.0/24',
    '1,200 ครั้ง',
    'ไม่สำเร็จ 12 (1.0%)',
    '30,000.50 บาท',
    '32 คำสั่งซื้อ',
    '40,000 ครั้ง',
    '900,000.00 บาท',
    '20/11/2026 14:00:00',
    '203.0.113.9',
    'ใช้งานได้',
  ])
    live.getByText(text)
  expect(live.getByText('ไม่สำเร็จ 4,000 (10.0%)').className).toContain('is-warn')
  const play = await rowOf('ลองระบบ')
  for (const text of ['ทดสอบ', 'ไม่จำกัดยอดต่อวัน · ใช้ได้จากทุก IP', 'ยังไม่เคย']) play.getByText(text)
  const list = await section()
  list.getByText('ยังไม่ได้ตั้งปลายทาง เครื่องของตัวแทนถามสถานะเอง')
})

test('play money is told as such', async () => {
  open({ keys: [{ ...testKey, today: { calls: 1, errors: 0, orders: 1, spentSatang: 10_000 } }] })
  ;(await rowOf('ลองระบบ')).getByText('1 คำสั่งซื้อ เงินทดลอง')
})

test('an ended key says why and since when, and can not be ended again', async () => {
  open({ keys: [{ ...liveKey, endedAt: NOW, endedFor: 'owner' }] })
  const row = await rowOf('เครื่องหน้าร้าน')
  row.getByText('ยกเลิกแล้ว')
  row.getByText('เจ้าของยกเลิก')
  expect(row.queryByRole('button')).toBeNull()
})

test('who stands below an agent’s rank ends no key', async () => {
  open({ keys: [liveKey] }, false)
  await rowOf('เครื่องหน้าร้าน')
  expect(screen.queryByRole('button', { name: /ยกเลิกคีย์/ })).toBeNull()
})

test.each<[Partial<ToldEndpoint>, string, string]>([
  [{}, 'ส่งได้', ''],
  [{ waiting: 1200 }, 'ส่งได้', 'รอส่ง 1,200'],
  [
    { isFailing: true, failingSince: NOW, lastError: 'HTTP 500', waiting: 3 },
    'ส่งไม่ถึง',
    'ส่งไม่ถึงตั้งแต่ 20/11/2026 14:00 · HTTP 500 · รอส่ง 3',
  ],
  [{ isOn: false, isFailing: true, lastError: 'HTTP 410' }, 'ปิดแล้ว เพราะส่งไม่ถึง', 'HTTP 410'],
  [{ isOn: false }, 'ตัวแทนปิดไว้', ''],
])('a webhook says how it does: %j', async (change, state, facts) => {
  open({ keys: [liveKey], webhooks: [{ ...told, ...change }] })
  const list = within(await (await section()).findByRole('list', { name: 'ปลายทางแจ้งเหตุการณ์' }))
  const item = list.getByRole('listitem')
  expect(item.textContent?.replace(/\s+/g, ' ')).toBe(
    ['https://shop.example.com/hook', 'ใช้จริง', `${state}${facts}`].join(' '),
  )
})

test('a section that could not be loaded says so in its place, and tries again', async () => {
  open({ keys: [liveKey] })
  server.use(fake(getAgentApi, refuse('UNAVAILABLE'), { once: true }))
  fireEvent.click(await (await section()).findByRole('button', { name: 'ลองอีกครั้ง' }))
  await rowOf('เครื่องหน้าร้าน')
  screen.getByRole('region', { name: 'คำสั่งซื้อล่าสุด' })
})

test('ending a key asks why; a failed save keeps the reason, and the next one shows the ended key', async () => {
  open({ keys: [liveKey] })
  fireEvent.click((await rowOf('เครื่องหน้าร้าน')).getByRole('button', { name: 'ยกเลิกคีย์ เครื่องหน้าร้าน' }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText(/จะหยุดสั่งซื้อทันที/)
  const send = () => fireEvent.click(dialog.getByRole('button', { name: 'ยกเลิกคีย์' }))
  send()
  await dialog.findByText('กรุณาระบุเหตุผล')
  const sent: unknown[] = []
  const ended = { ...liveKey, endedAt: NOW, endedFor: 'staff' as const }
  server.use(
    fake(endAgentKey, (body, url) => {
      sent.push([url.pathname, body])
      if (sent.length === 1) throw new AppError('UNAVAILABLE')
      server.use(fake(getAgentApi, () => ({ ...noApi, keys: [ended] })))
      return ended
    }),
  )
  const reason = dialog.getByLabelText<HTMLTextAreaElement>('เหตุผล')
  fireEvent.change(reason, { target: { value: ' คีย์รั่วในแชท ' } })
  send()
  await dialog.findByText('บันทึกไม่สำเร็จ')
  expect(reason.value).toBe(' คีย์รั่วในแชท ')
  send()
  await screen.findByText('ยกเลิกคีย์ เครื่องหน้าร้าน แล้ว')
  const path = `/romons.reseller/api/agents/u-agent/keys/${liveKey.id}/end`
  expect(sent).toEqual(Array(2).fill([path, { reason: 'คีย์รั่วในแชท' }]))
  await (await section()).findByText('ร้านยกเลิก')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
