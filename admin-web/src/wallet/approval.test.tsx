import { listReceivingAccounts } from '@shop/shared/catalogue/endpoints.ts'
import { AppError } from '@shop/shared/errors.ts'
import { getSlip } from '@shop/shared/upload/endpoints.ts'
import {
  decideTopUp,
  getTopUpForStaff,
  listAllTransactions,
  listWalletStatuses,
  type TopUpForStaff,
} from '@shop/shared/wallet/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderSite, server, staff } from '../testing/site.tsx'
import type { TransactionRow } from './wallet-table.tsx'

const NOW = '2026-11-20T07:00:00.000Z'
const ID = '01a1f903-f2be-7b09-91c6-3c32c32ef1e7'
const manager = { ...staff, uid: 'u-manager', role: 'manager' as const }

const topUp: TopUpForStaff = {
  id: ID,
  no: 'WT2611-97054294',
  version: 3,
  status: 'waiting_approve',
  amountSatang: 250_000,
  createdDate: NOW,
  walletId: '01a1f903-0000-7b09-91c6-3c32c32ef1e7',
  uid: 'u-agent',
  agentName: 'สมชาย ท็อปอัพ',
  fullName: 'สมชาย ใจดี',
  tel: '+66812345678',
  email: 'agent@demo.shop',
  bankCode: '004',
  bankAccount: '1234567890',
  tierName: 'Gold',
  balanceSatang: 428_500,
  maxAmountSatang: 2_000_000,
  roomSatang: 1_571_500,
  slipId: null,
  slipVerdict: null,
  slipOthers: [],
  maybeUsedBy: [],
  slipReference: { sendingBank: '014', reference: '0163241407REF92A' },
  receivingAccountId: 1,
  payment: 'bank',
  charge: null,
  statementLine: null,
  enteredByName: 'สมชาย ท็อปอัพ',
  firstApprovedByName: null,
  decidedByName: null,
  decidedDate: null,
  reason: null,
  receivedTodaySatang: 0,
  needsTwoApprovers: false,
  approvalBarrier: null,
  canReject: true,
  isCorrected: false,
  canCorrect: false,
}

function openTopUp(some: Partial<TopUpForStaff>, me = manager as typeof staff) {
  server.use(
    fake(listAllTransactions, () => ({ rows: [], total: 0, nowDate: NOW })),
    fake(listWalletStatuses, () => [{ code: 'waiting_approve' as const, name: 'รออนุมัติ' }]),
    fake(listReceivingAccounts, () => []),
    fake(getTopUpForStaff, () => ({ ...topUp, ...some })),
  )
  renderSite({ path: `/management/wallet?tx=${ID}`, me })
}

const rowOf = ({ id, no, amountSatang, uid, walletId }: TopUpForStaff): TransactionRow => ({
  id,
  no,
  amountSatang,
  uid,
  walletId,
  hasStatementLine: false,
  actionType: 'เติมเงิน',
  transType: 'ฝาก',
  unit: 'บาท',
  status: 'waiting_approve',
  slipId: null,
  receivingAccountId: 1,
  payment: 'bank',
  orderNo: null,
  gameName: null,
  packageName: null,
  reason: null,
  createdDate: NOW,
  canEdit: false,
  canCancel: false,
  agentName: 'สมชาย ท็อปอัพ',
  tierName: 'Gold',
  isTopUp: true,
})

const approveButton = () => screen.findByRole<HTMLButtonElement>('button', { name: 'อนุมัติ ฿2,500.00' })
const rejectButton = () => screen.findByRole('button', { name: 'ไม่อนุมัติ' })

test('without a slip approving is off, and the reason stands beside the button', async () => {
  openTopUp({ approvalBarrier: 'TOP_UP_NEEDS_SLIP' })
  const button = await approveButton()
  expect(button.disabled).toBe(true)
  const note = document.getElementById(button.getAttribute('aria-describedby') ?? '')
  expect(note?.textContent).toBe('ต้องมีหลักฐานการชำระเงิน ถึงจะอนุมัติได้')
})

test.each([
  ['TOP_UP_OWN_ENTRY', 'ผู้บันทึกรายการอนุมัติรายการของตนเองไม่ได้'],
  ['TOP_UP_NEEDS_SECOND_APPROVER', 'ยอดนี้ต้องมีผู้อนุมัติสองคน กรุณาให้ผู้จัดการอีกคนอนุมัติ'],
  ['TOP_UP_ABOVE_ROOM', 'คุณสามารถเติมเงินได้สูงสุด 15,715 บาท'],
] as const)('%s is explained and approving is off', async (approvalBarrier, text) => {
  openTopUp({ approvalBarrier })
  expect((await approveButton()).disabled).toBe(true)
  await screen.findByText(text)
})

test('staff look: there is nothing to approve or reject with', async () => {
  openTopUp({ approvalBarrier: 'FORBIDDEN', canReject: false }, staff)
  await screen.findByText('ผู้จัดการขึ้นไปเป็นผู้อนุมัติรายการนี้')
  expect(screen.queryByRole('button', { name: /อนุมัติ/ })).toBeNull()
  expect(screen.getByRole('button', { name: 'เติมเงิน' })).toBeTruthy()
})

test('rejecting asks for a reason first, then sends it with the version that was looked at', async () => {
  const sent: unknown[] = []
  openTopUp({})
  server.use(
    fake(decideTopUp, body => {
      sent.push(body)
      return { id: ID, no: topUp.no, status: 'reject' as const }
    }),
  )
  fireEvent.click(await rejectButton())
  await screen.findByText('กรุณาระบุเหตุผล')
  expect(sent).toEqual([])
  fireEvent.change(screen.getByLabelText('หมายเหตุ / เหตุผล'), { target: { value: ' ยอดไม่ตรง ' } })
  fireEvent.click(await rejectButton())
  await screen.findByText('ไม่อนุมัติ WT2611-97054294 แล้ว')
  expect(sent).toEqual([{ id: ID, version: 3, status: 'reject', reason: 'ยอดไม่ตรง', receivingAccountId: null }])
})

test('a failed decision keeps the note and can be tried again', async () => {
  let calls = 0
  openTopUp({})
  server.use(
    fake(decideTopUp, () => {
      calls += 1
      if (calls === 1) throw new AppError('UNAVAILABLE')
      return { id: ID, no: topUp.no, status: 'approve' as const }
    }),
  )
  const note = await screen.findByLabelText<HTMLTextAreaElement>('หมายเหตุ / เหตุผล')
  fireEvent.change(note, { target: { value: 'ตรวจกับธนาคารแล้ว' } })
  fireEvent.click(await approveButton())
  await screen.findByText(/บันทึกไม่สำเร็จ กรุณาลองใหม่อีกครั้ง/)
  expect(note.value).toBe('ตรวจกับธนาคารแล้ว')
  fireEvent.click(await approveButton())
  await screen.findByText('อนุมัติ ฿2,500.00 ให้ สมชาย ท็อปอัพ แล้ว')
  expect(calls).toBe(2)
})

test('the checks name their evidence: reference, another bank, the room of the tier', async () => {
  openTopUp({ slipId: '01a1f903-aaaa-7b09-91c6-3c32c32ef1e7' })
  server.use(
    fake(getSlip, () => {
      throw new AppError('NOT_FOUND')
    }),
  )
  await screen.findByText('0163241407REF92A')
  expect(screen.getByText('ธนาคารที่โอนต่างจากบัญชีของตัวแทน')).toBeTruthy()
  expect(screen.getByText('ไทยพาณิชย์ / กสิกรไทย')).toBeTruthy()
  await waitFor(() => expect(screen.getByText('อยู่ในวงเงินของ Tier')).toBeTruthy())
})

test('the bank line that shows its money is led to, and nobody misses a slip beside it', async () => {
  const id = '01a1f903-0001-7b09-91c6-000000000001'
  const from = { fromBank: '014', fromAccount: 'x7713' }
  openTopUp({ statementLine: { id, no: 12, day: '2026-11-20', at: NOW, receivingAccountId: 1, ...from } })
  const link = await screen.findByRole('link', { name: 'รายการธนาคารหมายเลข 12' })
  expect(link.getAttribute('href')).toBe(`/management/bankstatement?line=${id}`)
  expect(screen.getByText('20/11/2026 14:00:00 · จากไทยพาณิชย์ · x7713')).toBeTruthy()
  expect(screen.queryByText('ไม่มีหลักฐานการชำระเงิน')).toBeNull()
})

test('a slip that was handed in for something else, too, is not called unused', async () => {
  openTopUp({ slipOthers: [{ kind: 'order', id: ID, no: 'KT2611-00000002', hasPaid: false }] })
  const link = await screen.findByRole('link', { name: 'KT2611-00000002' })
  expect(link.getAttribute('href')).toBe('/management/details/KT2611-00000002')
  expect(screen.queryByText('เลขอ้างอิงสลิปยังไม่เคยใช้')).toBeNull()
})

test('money that another top-up may have is approved only by who says why, and has seen which', async () => {
  const sent: unknown[] = []
  const other = {
    kind: 'topUp' as const,
    id: '01a1f903-bbbb-7b09-91c6-000000000001',
    no: 'WT2611-00000009',
    lineNo: 12,
  }
  openTopUp({ maybeUsedBy: [other] })
  server.use(
    fake(decideTopUp, body => {
      sent.push(body)
      return { id: ID, no: topUp.no, status: 'approve' as const }
    }),
  )
  await screen.findByRole('link', { name: 'WT2611-00000009' })
  fireEvent.click(await approveButton())
  await screen.findByText('กรุณาระบุเหตุผล')
  fireEvent.change(screen.getByLabelText('หมายเหตุ / เหตุผล'), { target: { value: 'เงินเข้าสองครั้ง' } })
  fireEvent.click(await approveButton())
  await screen.findByText('WT2611-00000009 (รายการธนาคารหมายเลข 12)')
  expect(sent).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: /^เงินคนละก้อน อนุมัติ/ }))
  await screen.findByText('อนุมัติ ฿2,500.00 ให้ สมชาย ท็อปอัพ แล้ว')
  expect(sent).toMatchObject([{ status: 'approve', usedByNo: 'WT2611-00000009', reason: 'เงินเข้าสองครั้ง' }])
})

test('the decided one makes room for the next, and A leads to its button from anywhere on the page', async () => {
  const next = { ...topUp, id: '01a1f903-f2be-7b09-91c6-000000000002', no: 'WT2611-00000002', amountSatang: 99_900 }
  openTopUp({})
  server.use(
    fake(listAllTransactions, () => ({ rows: [rowOf(topUp), rowOf(next)], total: 2, nowDate: NOW })),
    fake(getTopUpForStaff, (_, url) => (url.pathname.endsWith(next.id) ? next : topUp)),
    fake(decideTopUp, () => ({ id: ID, no: topUp.no, status: 'approve' as const })),
  )
  await screen.findByRole('link', { name: next.no })
  await approveButton()
  // A Thai keyboard layout has another letter on the same key.
  fireEvent.keyDown(document.body, { key: 'ฟ', code: 'KeyA' })
  expect(document.activeElement).toBe(await approveButton())
  fireEvent.click(await approveButton())
  await screen.findByRole('button', { name: 'อนุมัติ ฿999.00' })
  await waitFor(() => expect(document.activeElement?.textContent).toBe(next.no))
})

test('the list says how long each request waits, and marks the one that waits too long', async () => {
  const before = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000).toISOString()
  const long = { ...rowOf(topUp), createdDate: before(50) }
  const fresh = { ...rowOf(topUp), id: '01a1f903-f2be-7b09-91c6-000000000002', no: 'WT2', createdDate: before(3) }
  server.use(
    fake(listAllTransactions, () => ({ rows: [long, fresh], total: 2, nowDate: NOW })),
    fake(listWalletStatuses, () => []),
    fake(listReceivingAccounts, () => []),
  )
  renderSite({ path: '/management/wallet', me: manager })
  const tag = async (text: string) => (await screen.findByText(text)).className
  expect(await tag('รออนุมัติ 50 นาที')).toContain('is-bad')
  expect(await tag('รออนุมัติ 3 นาที')).not.toContain('is-bad')
})

test('a top-up through the gateway shows how it is paid, and asks nobody for a decision', async () => {
  const charge = {
    id: ID,
    method: 'promptpay' as const,
    state: 'waiting' as const,
    amountSatang: 251_000,
    surchargeSatang: 1_000,
    expiresAt: NOW,
    silentSince: null,
    gateway: 'opn' as const,
    reference: 'chrg_test_1',
    paidAt: null,
    feeSatang: null,
  }
  openTopUp({ status: 'waiting_payment', payment: 'promptpay', charge, canReject: false, needsTwoApprovers: true })
  await screen.findByText('Opn Payments')
  expect(screen.getByText('Opn Payments · chrg_test_1')).toBeTruthy()
  expect(screen.getByText('฿2,510.00')).toBeTruthy()
  expect(screen.queryByText('ไม่มีหลักฐานการชำระเงิน')).toBeNull()
  for (const name of [/^อนุมัติ/, 'ไม่อนุมัติ', /ยกเลิกรายการ/, /ดึงเงินคืน/])
    expect(screen.queryByRole('button', { name })).toBeNull()
})
