import {
  closeCharge,
  closeJob,
  getHealth,
  getUnfinished,
  retryJob,
  type Unfinished,
} from '@shop/shared/health/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server } from '../testing/site.tsx'
import { manager, NOW } from '../testing/statement.ts'

const EARLIER = '2026-11-20T05:30:00.000Z'
const id = (n: number) => `01900000-0000-7000-8000-00000000000${n}`

const left: Unfinished = {
  charges: [
    {
      id: id(1),
      target: { kind: 'order', id: id(2), no: 'KT2611-00482100' },
      method: 'promptpay',
      state: 'waiting',
      amountSatang: 149_00,
      surchargeSatang: 0,
      expiresAt: EARLIER,
      silentSince: EARLIER,
      gateway: 'opn',
      reference: 'chrg_1',
      paidAt: null,
      feeSatang: null,
      since: EARLIER,
      contradiction: null,
    },
  ],
  jobs: [
    {
      id: id(3),
      label: 'สั่งเติมกับผู้จำหน่าย',
      target: { kind: 'order', id: id(4), no: 'KT2611-00482101' },
      createdAt: EARLIER,
      deadAt: EARLIER,
      lastError: '{"name":"TypeError"}',
    },
  ],
  counts: { charges: 1, jobs: 1 },
  nowDate: NOW,
}

function open() {
  const state = { left }
  server.use(fake(getHealth, () => ({ services: [], checks: [], nowDate: NOW })))
  renderSite({ path: '/management/health', me: manager })
  server.use(fake(getUnfinished, () => state.left))
  return state
}

test('a charge without an answer stands with its order, age and amount, and is closed with what somebody knows', async () => {
  const state = open()
  const list = await screen.findByRole('region', { name: 'การชำระที่ยังไม่รู้ผล' })
  within(list).getByText('ผู้ให้บริการยังไม่ตอบ ระบบถามต่อเอง')
  expect(within(list).getByRole('link', { name: 'KT2611-00482100' }).getAttribute('href')).toBe(
    '/management/details/KT2611-00482100',
  )
  let said: unknown
  server.use(
    fake(closeCharge, (body, url) => {
      said = [body, url.pathname]
      state.left = { ...left, charges: [], counts: { charges: 0, jobs: 1 } }
      return { id: id(1) }
    }),
  )
  fireEvent.click(within(list).getByRole('button', { name: 'ปิดเรื่อง KT2611-00482100' }))
  const dialog = await screen.findByRole('dialog', { name: 'รู้ผลของการชำระนี้แล้ว?' })
  fireEvent.change(within(dialog).getByLabelText('รู้ผลหรือทำอะไรไปแล้ว'), { target: { value: 'ไม่มีเงินเข้า' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'ปิดเรื่อง' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'การชำระที่ยังไม่รู้ผล' })).toBeNull())
  expect(said).toEqual([{ reason: 'ไม่มีเงินเข้า' }, `/romons.health/api/charge/${id(1)}/close`])
})

test('a job that was given up is started again; a refusal is told and the job stays', async () => {
  const state = open()
  const list = await screen.findByRole('region', { name: 'งานของระบบที่เลิกทำ' })
  const again = within(list).getByRole('button', { name: 'ลองอีกครั้ง สั่งเติมกับผู้จำหน่าย KT2611-00482101' })
  server.use(fake(retryJob, refuse('INTERNAL'), { once: true }))
  fireEvent.click(again)
  await screen.findByText('ทำรายการไม่สำเร็จ กรุณาลองอีกครั้ง')
  within(list).getByText('{"name":"TypeError"}')
  await waitFor(() => expect(again.className).not.toContain('loading'))
  server.use(
    fake(retryJob, () => {
      state.left = { ...left, jobs: [], counts: { charges: 1, jobs: 0 } }
      return { id: id(3) }
    }),
  )
  fireEvent.click(again)
  await waitFor(() => expect(screen.queryByRole('region', { name: 'งานของระบบที่เลิกทำ' })).toBeNull())
})

test('what a person has typed survives a save that failed', async () => {
  open()
  server.use(fake(closeJob, refuse('INTERNAL'), { once: true }))
  fireEvent.click(await screen.findByRole('button', { name: /^ปิดเรื่อง สั่งเติม/ }))
  const dialog = await screen.findByRole('dialog', { name: 'จัดการงานนี้แล้ว?' })
  fireEvent.change(within(dialog).getByLabelText('รู้ผลหรือทำอะไรไปแล้ว'), { target: { value: 'เติมเองแล้ว' } })
  fireEvent.click(within(dialog).getByRole('button', { name: 'ปิดเรื่อง' }))
  await within(dialog).findByText('ทำรายการไม่สำเร็จ กรุณาลองอีกครั้ง')
  expect(within(dialog).getByLabelText<HTMLTextAreaElement>('รู้ผลหรือทำอะไรไปแล้ว').value).toBe('เติมเองแล้ว')
})
