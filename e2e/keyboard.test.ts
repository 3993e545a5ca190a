import { expect, test } from 'vitest'
import { DESKTOP, PHONE, storefrontUrl, useBrowser } from './browser.ts'
import { press, reach, stopOf } from './by-keyboard.ts'

const browser = useBrowser()
test.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('on %s a guest buys by bank transfer without a mouse', async (_, viewport) => {
  const guest = await browser.open({ viewport })
  await guest.goto(storefrontUrl())
  await guest.getByRole('link', { name: /Free Fire/ }).waitFor()
  await reach(guest, /Free Fire/)
  await press(guest, 'Enter')

  await guest.getByRole('radio', { name: /310 เพชร/ }).waitFor()
  await reach(guest, /Player ID/)
  await guest.keyboard.type('5123456789')
  // The button that asks for the name goes once the name is there.
  await guest.getByText('Tonkla7').first().waitFor()
  await reach(guest, /เพชร/)
  await press(guest, 'Space')
  await reach(guest, /^310 เพชร/, 'ArrowRight')
  expect(await guest.getByRole('radio', { name: /^310 เพชร/ }).getAttribute('aria-checked')).toBe('true')
  await reach(guest, /^พร้อมเพย์ QR/)
  await reach(guest, /^โอนเงินธนาคาร/, 'ArrowUp')
  await reach(guest, /กสิกรไทย|กรุงเทพ|ไทยพาณิชย์/)
  await press(guest, 'Space', 'ArrowDown', 'ArrowUp')
  await reach(guest, /^ดำเนินการต่อ$/)
  await press(guest, 'Enter')

  await guest.waitForURL(/\/terms/)
  await reach(guest, /^ยอมรับเงื่อนไขการให้บริการ/)
  await press(guest, 'Space')
  await reach(guest, /^ยืนยัน รับยอดโอน$/)
  await press(guest, 'Enter')

  await guest.waitForURL(/\/payment/)
  await guest
    .getByText(/^99 บาท \d\d สตางค์$/)
    .first()
    .waitFor()
  await reach(guest, /ยกเลิกคำสั่งซื้อ/)
  await press(guest, 'Enter')
  await guest.getByRole('dialog').waitFor()
  await press(guest, 'Escape')
  await guest.getByRole('dialog').waitFor({ state: 'hidden' })
  expect((await stopOf(guest)).name).toBe('ยกเลิกคำสั่งซื้อ')
  await reach(guest, /^โอนแล้ว แจ้งชำระเงิน$/, 'Shift+Tab')
})
