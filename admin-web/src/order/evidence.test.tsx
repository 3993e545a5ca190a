import { listPlayerFields, redoOrder } from '@shop/shared/order/correction-endpoints.ts'
import { getOrderForStaff, type StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { getSlipService } from '@shop/shared/slipcheck/endpoints.ts'
import { fake, refuse } from '@shop/web/testing.tsx'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ORDER_NO, order } from '../testing/order.ts'
import { renderSite, server, staff } from '../testing/site.tsx'
import { lineOf, manager } from '../testing/statement.ts'

const { id: LINE } = lineOf(1)

function openOrder(some: Partial<StaffOrderView>, me = manager as typeof staff) {
  server.use(
    fake(getSlipService, () => ({
      provider: null,
      isShadow: false,
      usedThisMonth: 0,
      monthlyQuota: 100,
      isQuotaLow: false,
      stopped: null,
      nowDate: order.nowDate,
    })),
    fake(getOrderForStaff, () => ({ ...order, ...some })),
  )
  renderSite({ path: `/management/details/${ORDER_NO}`, me })
}

test('an order that is not there has no paper to download', async () => {
  server.use(fake(getOrderForStaff, refuse('ORDER_NOT_FOUND')))
  renderSite({ path: `/management/details/${ORDER_NO}`, me: manager as typeof staff })
  await screen.findByText('ไม่พบคำสั่งซื้อนี้')
  expect(screen.queryByRole('button', { name: 'ส่งออก PDF' })).toBeNull()
})

const line = { id: LINE, amountSatang: order.amountSatang, day: '2026-11-20', at: null, detail: 'โอนเงิน' }

test('a bank line that was found is led to, for those who match lines; to others it is told', async () => {
  openOrder({ statementLine: line })
  const link = await screen.findByRole('link', { name: 'พบรายการธนาคารแล้ว' })
  expect(link.getAttribute('href')).toBe(`/management/bankstatement?line=${LINE}`)
})

test('staff who match no lines read the same as words', async () => {
  openOrder({ statementLine: line }, staff)
  await screen.findByText(/พบรายการธนาคารแล้ว/)
  expect(screen.queryByRole('link', { name: 'พบรายการธนาคารแล้ว' })).toBeNull()
})

test('without a line there is nothing to follow', async () => {
  openOrder({})
  await screen.findByText('หลักฐานการเงิน')
  expect(screen.queryByText(/พบรายการธนาคารแล้ว/)).toBeNull()
})

test('the proof of a payment is named by its kind', async () => {
  const of: [Partial<StaffOrderView>, string][] = [
    [{ statementLine: line }, 'เงินเข้าบัญชีแล้ว'],
    [
      { slipVerdict: { state: 'confirmed', reason: null, hasApproved: true, ask: null } },
      'สลิปผ่านการตรวจ · ยังไม่เห็นในบัญชี',
    ],
    [{ hold: { heldByName: 'มานี', file: null, whyNot: null } }, 'พนักงานบันทึกว่าได้รับเงิน · ยังไม่เห็นในบัญชี'],
    [{ payment: 'wallet' }, 'ตัดจาก Wallet แล้ว'],
  ]
  for (const [some, text] of of) {
    openOrder(some)
    await screen.findByText(new RegExp(`^${text}`))
    cleanup()
  }
})

test('every field of a player is copied by itself', async () => {
  openOrder({
    fields: [
      { name: 'field1', label: 'Player ID', value: '123456789' },
      { name: 'field2', label: 'Zone ID', value: '2001' },
    ],
  })
  await screen.findByRole('button', { name: 'คัดลอก Player ID' })
  screen.getByRole('button', { name: 'คัดลอก Zone ID' })
})

test('what is seldom done stands behind the menu, unless it is all that can be done', async () => {
  openOrder({ commands: ['refund', 'fail', 'claim'] })
  await screen.findByRole('button', { name: 'เติมไม่ได้…' })
  expect(screen.queryByRole('button', { name: 'คืนเงิน…' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: `ทำอย่างอื่นกับ ${ORDER_NO}` }))
  await screen.findByRole('menuitem', { name: 'คืนเงิน…' })
  cleanup()
  openOrder({ status: 'failed', commands: ['refund'] })
  await screen.findByRole('button', { name: 'คืนเงิน…' })
})

test('what else the slip was handed in for is warned of, and what it paid is told apart', async () => {
  const id = '01a1f903-0007-7b09-91c6-00000000000'
  openOrder({
    slipOthers: [
      { kind: 'topUp', id: `${id}1`, no: 'WT2611-00000001', hasPaid: true },
      { kind: 'order', id: `${id}2`, no: 'KT2611-00000002', hasPaid: false },
    ],
  })
  const paid = await screen.findByRole('link', { name: 'WT2611-00000001' })
  expect(paid.getAttribute('href')).toBe(`/management/wallet?status=all&tx=${id}1`)
  expect(paid.closest('li')!.textContent).toContain('จ่ายแล้ว จ่ายซ้ำไม่ได้')
  const open = screen.getByRole('link', { name: 'KT2611-00000002' })
  expect(open.getAttribute('href')).toBe('/management/details/KT2611-00000002')
  expect(open.closest('li')!.textContent).toContain('จ่ายได้รายการเดียว')
})

test('a top-up that failed is made again for whom its buyer proposes; staff take no other', async () => {
  const sent: unknown[] = []
  server.use(
    fake(listPlayerFields, () => [
      { name: 'field1' as const, label: 'Player ID', format: { kind: 'digits' as const, min: 5, max: 12 } },
    ]),
    fake(redoOrder, body => {
      sent.push(body)
      return { orderNo: ORDER_NO, status: 'paid' as const }
    }),
  )
  const proposedFields = [{ name: 'field1' as const, label: 'Player ID', value: '5999999999' }]
  openOrder({ status: 'failed', commands: [], canRedo: true, proposedFields }, staff)
  const redo = within(await screen.findByRole('region', { name: 'เติมใหม่' }))
  await redo.findByText('5999999999', { exact: false })
  const other = redo.getByRole<HTMLInputElement>('radio', { name: 'ผู้เล่นอื่น' })
  expect(other.disabled).toBe(true)
  redo.getByText('ผู้เล่นที่ลูกค้าไม่ได้แจ้ง ต้องให้ผู้จัดการดำเนินการ')
  fireEvent.click(await redo.findByRole('button', { name: 'เติมใหม่ ส่งกลับเข้าคิว' }))
  await waitFor(() => expect(sent).toEqual([{ orderNo: ORDER_NO, playerId: '5999999999' }]))
})

test('a manager types another player with a reason; what the game does not take is not sent', async () => {
  const sent: unknown[] = []
  server.use(
    fake(listPlayerFields, () => [
      { name: 'field1' as const, label: 'Player ID', format: { kind: 'digits' as const, min: 5, max: 12 } },
    ]),
    fake(redoOrder, body => {
      sent.push(body)
      return { orderNo: ORDER_NO, status: 'paid' as const }
    }),
  )
  openOrder({ status: 'failed', commands: [], canRedo: true }, manager)
  const redo = within(await screen.findByRole('region', { name: 'เติมใหม่' }))
  fireEvent.click(redo.getByRole('radio', { name: 'ผู้เล่นอื่น' }))
  fireEvent.change(await redo.findByLabelText('Player ID'), { target: { value: '12' } })
  fireEvent.click(redo.getByRole('button', { name: 'เติมใหม่ ส่งกลับเข้าคิว' }))
  await redo.findByText('กรุณากรอกตัวเลข 5–12 หลัก')
  await redo.findByText('กรุณาระบุเหตุผล')
  expect(sent).toEqual([])
  fireEvent.change(redo.getByLabelText('Player ID'), { target: { value: '5999999999' } })
  fireEvent.change(redo.getByLabelText(/เหตุผล/), { target: { value: 'ลูกค้าโทรแจ้ง' } })
  fireEvent.click(redo.getByRole('button', { name: 'เติมใหม่ ส่งกลับเข้าคิว' }))
  await waitFor(() => expect(sent).toEqual([{ orderNo: ORDER_NO, playerId: '5999999999', reason: 'ลูกค้าโทรแจ้ง' }]))
})

test('an order that nobody may make again offers it to nobody', async () => {
  openOrder({ status: 'failed', commands: [], canRedo: false })
  await screen.findByText('หลักฐานการเงิน')
  expect(screen.queryByRole('region', { name: 'เติมใหม่' })).toBeNull()
})

test('what the gateway collected stands with what it kept and what the buyer paid for the method', async () => {
  const charge = {
    method: 'truemoney' as const,
    amountSatang: 15_300,
    surchargeSatang: 400,
    feeSatang: 270,
    isOwed: false,
    paidAt: '2026-11-20T06:40:00.000Z',
  }
  const late = { ...charge, feeSatang: null, surchargeSatang: 0, isOwed: true, paidAt: '2026-11-20T06:50:00.000Z' }
  openOrder({ payment: 'truemoney', charges: [charge, late] })
  const paid = (await screen.findByText(/รับชำระผ่าน TrueMoney/)).closest('li')!
  expect(paid.textContent).toContain('153.00')
  expect(paid.textContent).toContain('ผู้ให้บริการหัก 2.70 · ลูกค้าจ่ายค่าธรรมเนียม 4.00')
  const owed = screen.getByText(/เงินเข้าเมื่อไม่ได้รอชำระ ต้องคืน/).closest('li')!
  expect(owed.textContent).toContain('ยังไม่ทราบค่าธรรมเนียม')
})

test('an order of several says so where its goods are named', async () => {
  openOrder({ quantity: 3 })
  await screen.findByRole('heading', { name: new RegExp(`${order.package.name} × 3$`) })
})

test('of a failed order staff read that its buyer wants the money, and where to', async () => {
  const asked = {
    amountSatang: 14937,
    payeeAt: null,
    payer: null,
    payeeFit: null,
    asCredit: false,
    sentAt: null,
    slipId: null,
  }
  const refunds = [{ ...asked, payee: { bankCode: '004', end: '6789' } }]
  openOrder({ status: 'failed', refundAskedAt: '2026-11-20T07:00:00.000Z', refunds })
  await screen.findByText('ลูกค้าขอเงินคืนเมื่อ 20 พ.ย. · 14:00 น.')
  expect(screen.getByText('ให้โอนไปที่ กสิกรไทย x6789')).toBeTruthy()
})
