import { AppError } from '@shop/shared/errors.ts'
import type { OrderCodes } from '@shop/shared/order/codes.ts'
import { getOrder, type OrderView } from '@shop/shared/order/endpoints.ts'
import { giveCodeAddress, revealCodes, type ShownCode, sendCodeNumber } from '@shop/shared/voucher/reveal-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { delay } from 'msw'
import { Route, Routes } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import OrderScreen from '../orders/order-screen.tsx'
import { order } from '../orders/testing.ts'
import { createTestQueries, InShop, startShopServer } from '../testing.tsx'

const server = startShopServer()

const idOf = (nth: number) => `01a1f903-cccc-7b09-91c6-${String(nth).padStart(12, '0')}`
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({ id: idOf(nth), revealedAt: null, revealedOn: null }))
const SECRET = 'QX0O1lI9ZZ7788KK'
const shownOf = (id: string): ShownCode => ({
  id,
  code: id === idOf(0) ? SECRET : `OTHER${id.slice(-2)}`,
  pin: id === idOf(0) ? '5521' : null,
  serial: id === idOf(0) ? 'S-100' : null,
  expiresOn: '2027-01-31',
  region: 'TH',
  revealedAt: '2026-11-20T07:05:28.000Z',
  revealedOn: 'iPhone · LINE',
})

type Answer = (body: { ids: string[]; pin?: string; number?: string }) => void

/** Opens the page of an order with codes; `check` may refuse what is sent. */
async function open(codes: Partial<OrderCodes>, change: Partial<OrderView> = {}, check: Answer = () => undefined) {
  const sent: Parameters<Answer>[0][] = []
  const queries = createTestQueries()
  const shown: OrderView = {
    ...order,
    status: 'success',
    canReport: false,
    canCancel: false,
    package: { ...order.package, delivers: 'code' },
    codes: { opening: 'press', address: null, canGiveAddress: false, rows: rowsOf(1), ...codes },
    ...change,
  }
  server.use(
    fake(getOrder, () => shown),
    fake(revealCodes, async body => {
      // As every server does, it takes its time: only then a button or the pad is busy.
      await delay(30)
      const asked = body as Parameters<Answer>[0]
      sent.push(asked)
      check(asked)
      return { codes: asked.ids.map(shownOf), redeemHelp: 'เปิดร้านค้าในเกม' }
    }),
    fake(sendCodeNumber, () => ({ sentTo: 'na•••@example.com' })),
    fake(giveCodeAddress, () => ({ codes: shown.codes })),
  )
  render(
    <InShop at={`/purchase/details/${order.orderNo}`} queries={queries}>
      <Routes>
        <Route path="/purchase/details/:orderNo" element={<OrderScreen />} />
      </Routes>
    </InShop>,
  )
  const card = await screen.findByRole('region', { name: 'รหัสของคุณ' })
  return { card: within(card), sent, queries }
}

const spelled = (code: string) => [...code].join(' ')

test('a code is covered until its button is pressed; then it is there with all that belongs to it', async () => {
  const { card, sent } = await open({})
  expect(document.body.textContent).not.toContain(SECRET)
  expect(screen.getByRole('heading', { name: 'รหัสพร้อมแล้ว' })).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'แสดงรหัส รหัส' }))
  expect(await card.findByText(spelled(SECRET))).toBeTruthy()
  expect(sent).toEqual([{ orderNo: order.orderNo, ids: [idOf(0)] }])
  for (const text of [spelled('5521'), 'S-100', 'TH', 'เปิดร้านค้าในเกม']) expect(card.getByText(text)).toBeTruthy()
  expect(card.getByText(/ดูครั้งแรกเมื่อ 20\/11\/2026 14:05 บน iPhone · LINE/)).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'ซ่อน รหัส' }))
  expect(card.queryByText(spelled(SECRET))).toBeNull()
})

test('it is read in groups, its digits look different, and it is copied without gaps', async () => {
  const { card } = await open({})
  await userEvent.click(card.getByRole('button', { name: 'แสดงรหัส รหัส' }))
  await card.findByText(spelled(SECRET))
  const [zero, letter] = [...card.getAllByText('0'), ...card.getAllByText('O')]
  expect(zero!.className).not.toBe(letter!.className)
  await userEvent.click(card.getByRole('button', { name: 'คัดลอก รหัส' }))
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(SECRET))
})

test('where the clipboard is refused, as inside some apps, it is copied by a selection, or the reason holds no code', async () => {
  const { card } = await open({})
  await userEvent.click(card.getByRole('button', { name: 'แสดงรหัส รหัส' }))
  await card.findByText(spelled(SECRET))
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('NotAllowedError'))
  let copied = ''
  document.execCommand = () => {
    copied = document.querySelector('textarea')!.value
    return true
  }
  await userEvent.click(card.getByRole('button', { name: 'คัดลอก รหัส' }))
  await card.findByRole('button', { name: 'คัดลอกแล้ว' })
  expect(copied).toBe(SECRET)
  document.execCommand = () => false
  await userEvent.click(card.getByRole('button', { name: 'คัดลอก PIN ของ รหัส' }))
  expect((await screen.findByText(/คัดลอกไม่สำเร็จ/)).textContent).not.toContain('5521')
})

test('a code leaves memory with its page, and no cache or storage ever has it', async () => {
  const { card, queries } = await open({})
  await userEvent.click(card.getByRole('button', { name: 'แสดงรหัส รหัส' }))
  await card.findByText(spelled(SECRET))
  const kept = () =>
    JSON.stringify([
      queries
        .getQueryCache()
        .getAll()
        .map(({ state }) => state),
      queries
        .getMutationCache()
        .getAll()
        .map(({ state }) => state),
      { ...localStorage },
      { ...sessionStorage },
      location.href,
    ])
  expect(kept()).toContain(order.orderNo)
  expect(kept()).not.toContain(SECRET)
  window.dispatchEvent(new Event('pagehide'))
  await waitFor(() => expect(card.queryByText(spelled(SECRET))).toBeNull())
  cleanup()
  expect(document.body.textContent).not.toContain(SECRET)
  expect(kept()).not.toContain(SECRET)
})

test('part delivered: what came can be seen, and the rest is said to come', async () => {
  const { card } = await open({ rows: rowsOf(3) }, { status: 'processing', quantity: 5 })
  expect(card.getByText(/ได้แล้ว 3 จาก 5 กำลังเตรียมรหัส/)).toBeTruthy()
  await userEvent.click(card.getByRole('button', { name: 'แสดงรหัส รหัสที่ 2' }))
  expect(await card.findByText(spelled('OTHER01'))).toBeTruthy()
  expect(card.queryByText(spelled(SECRET))).toBeNull()
  await userEvent.click(card.getByRole('button', { name: 'แสดงทั้งหมด' }))
  expect(await card.findByText(spelled(SECRET))).toBeTruthy()
  expect(card.getByRole('button', { name: 'คัดลอก 3 รหัสที่เปิดอยู่' })).toBeTruthy()
})

test('while none has come there is nothing to press', async () => {
  const { card } = await open({ rows: [] }, { status: 'paid' })
  expect(card.getByText(/กำลังเตรียมรหัส/)).toBeTruthy()
  expect(card.queryByRole('button')).toBeNull()
})

test('many codes are drawn a few at first', async () => {
  const { card } = await open({ rows: rowsOf(150) }, { quantity: 150 })
  expect(card.getAllByRole('listitem')).toHaveLength(20)
  await userEvent.click(card.getByRole('button', { name: 'ดูอีก 130 รหัส' }))
  expect(card.getAllByRole('listitem')).toHaveLength(150)
})

test('an agent types the PIN of their wallet; a wrong one is said at the pad', async () => {
  const { card, sent } = await open({ opening: 'pin' }, {}, ({ pin }) => {
    if (pin !== '1234') throw new AppError('PIN_WRONG', { values: { n: 4 } })
  })
  await userEvent.click(card.getByRole('button', { name: 'แสดงรหัส รหัส' }))
  const pad = await screen.findByLabelText('กรุณากรอก PIN กระเป๋าเงินเพื่อดูรหัส', { selector: 'input' })
  await userEvent.type(pad, '0000')
  expect(await screen.findByText('PIN ไม่ถูกต้อง เหลืออีก 4 ครั้ง')).toBeTruthy()
  await userEvent.type(pad, '1234')
  expect(await card.findByText(spelled(SECRET))).toBeTruthy()
  expect(sent.map(({ pin }) => pin)).toEqual(['0000', '1234'])
})

test('on another device a guest asks for a number by mail and types it', async () => {
  const { card, sent } = await open({ opening: 'mail', address: 'na•••@example.com' }, {}, ({ number }) => {
    if (number !== '123456') throw new AppError('NUMBER_WRONG', { values: { n: 4 } })
  })
  expect(card.queryByRole('button', { name: /แสดงรหัส/ })).toBeNull()
  await userEvent.click(card.getByRole('button', { name: 'ส่งตัวเลขไปที่อีเมล' }))
  const field = await card.findByLabelText('ตัวเลขจากอีเมล')
  const press = () => userEvent.click(card.getByRole('button', { name: 'เปิดดูรหัส' }))
  await userEvent.type(field, '12')
  await press()
  expect(await card.findByText('กรอกตัวเลข 6 หลักจากอีเมล')).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.type(field, '000000')
  await press()
  expect(await card.findByText('ตัวเลขไม่ถูกต้อง เหลืออีก 4 ครั้ง')).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.type(field, '123456')
  await press()
  expect(await card.findByText(spelled(SECRET))).toBeTruthy()
  expect(sent.map(({ number }) => number)).toEqual(['000000', '123456'])
})

test.each([
  ['signIn', 'เข้าสู่ระบบด้วยบัญชีที่สั่งซื้อเพื่อดูรหัส'],
  ['elsewhere', /ลิงก์นี้ใช้ดูรหัสไม่ได้/],
] as const)('who can not see them here (%s) is told what to do', async (opening, text) => {
  const { card } = await open({ opening })
  expect(card.getByText(text)).toBeTruthy()
  expect(card.queryByRole('button', { name: /แสดงรหัส/ })).toBeNull()
})

test('a guest gives an address for other devices', async () => {
  const { card } = await open({ canGiveAddress: true })
  await userEvent.click(card.getByText('อยากเปิดดูบนเครื่องอื่นด้วย'))
  const press = () => userEvent.click(card.getByRole('button', { name: 'บันทึกอีเมล' }))
  await userEvent.type(card.getByLabelText('อีเมล'), 'namkhao')
  await press()
  expect(await card.findByText('กรุณากรอกอีเมลให้ถูกต้อง')).toBeTruthy()
  await userEvent.type(card.getByLabelText('อีเมล'), '@example.com')
  await press()
  expect(await card.findByText('บันทึกแล้ว')).toBeTruthy()
})
