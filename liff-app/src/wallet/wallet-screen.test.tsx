import { getMe } from '@shop/shared/account/endpoints.ts'
import {
  cancelTopUp,
  getWallet,
  listOwnTransactions,
  type OwnTransaction,
  type WalletView,
} from '@shop/shared/wallet/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse, http } from 'msw'
import { expect, test, vi } from 'vitest'
import { write } from '../storage.ts'
import { InShop, refuse } from '../testing.tsx'
import { agent, movement, startWalletServer, wallet } from './testing.ts'
import WalletScreen from './wallet-screen.tsx'

vi.mock('../firebase.ts', () => ({
  onUser: (hear: (uid: string) => void) => hear('u1'),
  getToken: async () => 'token',
  signOut: async () => undefined,
}))
const server = startWalletServer()

const waiting = movement('WT2611-00000001', { status: 'waiting_approve', canEdit: true, canCancel: true })
const spent = movement('KT2611-00000002', {
  actionType: 'เติมเกม',
  transType: 'ถอน',
  amountSatang: 322_00,
  orderNo: 'KT2611-00000002',
  gameName: 'RoV',
  packageName: '740 คูปอง',
})

function answerHistory(...rows: OwnTransaction[]): URL[] {
  const asked: URL[] = []
  server.use(
    http.get(`*${listOwnTransactions.path}`, ({ request }) => {
      asked.push(new URL(request.url))
      return HttpResponse.json({ rows, total: rows.length, nowDate: wallet.nowDate })
    }),
  )
  return asked
}
const show = () => render(<WalletScreen />, { wrapper: InShop })

test('only a waiting row offers to edit and cancel; money that left is negative', async () => {
  answerHistory(waiting, spent)
  show()
  const [first, second] = await screen.findAllByRole('listitem')
  expect(
    within(first!)
      .getAllByRole('button')
      .map(each => each.textContent),
  ).toEqual(['แก้ไข', 'ยกเลิก'])
  expect(within(second!).queryAllByRole('button')).toEqual([])
  expect(within(second!).getByText('−322.00')).toBeTruthy()
  expect(within(second!).getByRole('link').getAttribute('href')).toBe('/purchase/details/KT2611-00000002')
})

test('cancelling asks by number, a failure stays in the dialog, then it works', async () => {
  answerHistory(waiting)
  const answers = [() => HttpResponse.error(), () => HttpResponse.json({ ...waiting, status: 'cancel' })]
  let asked = 0
  server.use(http.patch(`*${cancelTopUp.path}`, () => answers[asked++]!()))
  show()
  await userEvent.click(await screen.findByRole('button', { name: 'ยกเลิก WT2611-00000001' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'ยกเลิกรายการ' }))
  expect(dialog.getByText('คุณต้องการยกเลิกรายการ WT2611-00000001 หรือไม่?')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'ยกเลิก' }))
  expect(await dialog.findByText('ยกเลิกไม่สำเร็จ กรุณาลองอีกครั้ง')).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'ยกเลิก' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByText('ยกเลิกรายการ WT2611-00000001 สำเร็จ')).toBeTruthy()
})

test('a waiting top-up tells when it was asked for, and that the bank has confirmed its slip', async () => {
  answerHistory({ ...waiting, isSlipConfirmed: true }, movement('WT2611-00000003', { isSlipConfirmed: true }))
  show()
  const [first, second] = await screen.findAllByRole('listitem')
  within(first!).getByText('ธนาคารยืนยันสลิปแล้ว รอผู้จัดการอนุมัติ')
  within(first!).getByText(/^แจ้งเมื่อ/)
  expect(within(second!).queryByText(/ยืนยันสลิป/)).toBeNull()
})

test('an unfinished top-up through the gateway is found again, and can be cancelled', async () => {
  const unpaid = movement('WT2611-00000004', { status: 'waiting_payment', payment: 'promptpay', canCancel: true })
  answerHistory(unpaid, movement('WT2611-00000005', { payment: 'promptpay' }))
  show()
  const [first, second] = await screen.findAllByRole('listitem')
  expect(within(first!).getByText('เติมเงิน · พร้อมเพย์ QR')).toBeTruthy()
  const link = within(first!).getByRole('link', { name: 'จ่ายต่อ WT2611-00000004' })
  expect(link.getAttribute('href')).toBe(`/wallet/topup/${unpaid.id}`)
  await userEvent.click(within(first!).getByRole('button', { name: 'ยกเลิก WT2611-00000004' }))
  expect(await screen.findByText(/ยอดจะเข้ากระเป๋าเงินเอง/)).toBeTruthy()
  expect(within(second!).queryByRole('link')).toBeNull()
})

test('filters are asked of the server', async () => {
  const asked = answerHistory(waiting)
  show()
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'สถานะ' }), 'ไม่อนุมัติ')
  await waitFor(() => expect(asked.at(-1)!.searchParams.getAll('status')).toEqual(['reject']))
  expect(asked.at(-1)!.searchParams.get('page')).toBe('1')
})

test.each([
  ['agent', 1],
  ['staff', 0],
] as const)('of those with a wallet, %s is led to the page of machines %i times', async (role, times) => {
  answerHistory()
  const who = { ...agent, role }
  write('user', who)
  server.use(fake(getMe, () => who))
  show()
  await screen.findByRole('button', { name: 'เติมเงิน' })
  const links = screen.queryAllByRole('link', { name: /API สำหรับตัวแทน/ })
  expect(links.map(link => link.getAttribute('href'))).toEqual(Array(times).fill('/agent/api'))
})

test('without a wallet the page says whom to ask', async () => {
  server.use(http.get(`*${getWallet.path}`, () => refuse('WALLET_NOT_FOUND')))
  show()
  expect(await screen.findByText('ยังไม่มีกระเป๋าเงิน')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'เติมเงิน' })).toBeNull()
})

const at = '2026-11-20T06:50:00.000Z'
const showPin = (pin: WalletView['pin']) => {
  answerHistory()
  server.use(fake(getWallet, () => ({ ...wallet, pin })))
  return show()
}
const notice = () => screen.queryByText(/^(PIN ถูกล็อกเมื่อ|วันนี้มีผู้กรอก PIN ผิด)/)?.closest('[role=status]') ?? null

test.each([
  ['2026-11-20T07:05:00.000Z', 'ใช้ได้อีกครั้งตั้งแต่ 14:05 น.'],
  ['2026-11-20T17:00:00.000Z', 'ใช้ได้อีกครั้งตั้งแต่ 21 พ.ย. · 00:00 น.'],
  [null, 'กรุณาติดต่อร้านเพื่อตั้ง PIN ใหม่'],
])('while the PIN is locked (%s) its owner is told since and until when, and what to do', async (until, told) => {
  showPin({ wrongTries: 0, wrongToday: 5, lock: { at, until, isHolding: true } })
  await screen.findByText('PIN ถูกล็อกเมื่อ 20 พ.ย. · 13:50 น. เพราะกรอกผิดหลายครั้ง')
  expect(notice()!.textContent).toContain(told)
  expect(
    within(notice() as HTMLElement)
      .getByRole('link', { name: 'เปลี่ยนรหัสผ่าน' })
      .getAttribute('href'),
  ).toBe('/user/u1?panel=password')
  expect(screen.queryByRole('button', { name: 'รับทราบ' })).toBeNull()
})

test('a lock that is over is told until it is put away, on this device for good; the next one anew', async () => {
  const over = (began: string) => ({ at: began, until: '2026-11-20T06:59:00.000Z', isHolding: false })
  const first = showPin({ wrongTries: 0, wrongToday: 5, lock: over(at) })
  await userEvent.click(await screen.findByRole('button', { name: 'รับทราบ' }))
  expect(notice()).toBeNull()
  first.unmount()
  const again = showPin({ wrongTries: 0, wrongToday: 5, lock: over(at) })
  await screen.findByRole('button', { name: 'เติมเงิน' })
  expect(notice()).toBeNull()
  again.unmount()
  showPin({ wrongTries: 0, wrongToday: 9, lock: over('2026-11-20T06:55:00.000Z') })
  await screen.findByRole('button', { name: 'รับทราบ' })
})

test('many wrong tries in a day are told without a lock, a few are not', async () => {
  const few = showPin({ wrongTries: 4, wrongToday: 4, lock: null })
  await screen.findByRole('button', { name: 'เติมเงิน' })
  expect(notice()).toBeNull()
  few.unmount()
  showPin({ wrongTries: 0, wrongToday: 8, lock: null })
  await screen.findByText('วันนี้มีผู้กรอก PIN ผิด 8 ครั้ง')
})
