import { expect, test } from 'vitest'
import { bankUrl, orderAndRead, orderNoOn, reportWith, transfer } from './bank-counter.ts'
import { DESKTOP, OFFICE, shoot, useBrowser } from './browser.ts'
import { signInToAdmin } from './people.ts'

const browser = useBrowser()

const choice = (playerId: string) => ({ game: 'Free Fire', playerId, packageName: '310 เพชร' })

test('a guest pays, sends the slip, and the page says paid within ten seconds by itself; staff see why', async () => {
  const [guest, bank] = [await browser.open(), await browser.open({ viewport: DESKTOP })]
  const amount = await orderAndRead(guest, choice('5123456001'))
  await bank.goto(bankUrl())
  await bank.evaluate(() => document.fonts.ready)
  await shoot(bank, 'd-bank')
  const slip = await transfer(bank, amount)
  await reportWith(guest, slip)
  const began = Date.now()
  await guest.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
  console.log(`paid ${((Date.now() - began) / 1000).toFixed(1)} s after the report`)
  await shoot(guest, 'm-slip-paid')
  const orderNo = await orderNoOn(guest)

  const staff = await browser.open({ viewport: OFFICE })
  await signInToAdmin(staff, 'staff@demo.shop', `/management/details/${orderNo}`)
  const verdict = staff.getByRole('region', { name: 'ตรวจสลิปกับธนาคาร' })
  await verdict.getByText('ธนาคารยืนยันสลิปแล้ว').waitFor()
  expect(await verdict.getByText('ผ่าน', { exact: true }).count()).toBe(6)
  await verdict.scrollIntoViewIfNeeded()
  await shoot(staff, 'a-slip-confirmed')
})

test('while the bank does not know the transfer yet, the page says that it is confirming', async () => {
  const [guest, bank] = [await browser.open(), await browser.open()]
  const slip = await transfer(bank, await orderAndRead(guest, choice('5123456002')), 'ธนาคารยังไม่รู้จักรายการ (ใหม่เกินไป)')
  await reportWith(guest, slip)
  await guest.getByRole('heading', { name: 'ธนาคารกำลังยืนยันยอด' }).waitFor()
  await shoot(guest, 'm-slip-confirming')
  await guest.getByRole('link', { name: 'ดูสถานะคำสั่งซื้อ' }).click()
  await guest.getByRole('heading', { name: 'ธนาคารกำลังยืนยันยอด' }).waitFor()
})

test('a transfer to another account pays nothing; staff see both accounts side by side', async () => {
  const [guest, bank] = [await browser.open(), await browser.open()]
  const slip = await transfer(bank, await orderAndRead(guest, choice('5123456003')), 'โอนไปบัญชีอื่น')
  await reportWith(guest, slip)
  await guest.getByText('ทีมงานกำลังตรวจยอดเงิน ไม่ต้องโอนซ้ำ').waitFor()
  const orderNo = await orderNoOn(guest)
  const staff = await browser.open({ viewport: OFFICE })
  await signInToAdmin(staff, 'staff@demo.shop', `/management/details/${orderNo}`)
  const verdict = staff.getByRole('region', { name: 'ตรวจสลิปกับธนาคาร' })
  await verdict.getByText('ทีมงานต้องตรวจเอง').waitFor()
  const receiver = verdict.getByRole('listitem').filter({ hasText: 'บัญชีผู้รับ' })
  await receiver.getByText('ไม่ตรง').waitFor()
  expect(await receiver.getByRole('definition').count()).toBe(2)
  await verdict.scrollIntoViewIfNeeded()
  await shoot(staff, 'a-slip-staff')
})

test('a slip that could not be read is asked for again, and the new one pays', async () => {
  const [guest, bank] = [await browser.open(), await browser.open()]
  const amount = await orderAndRead(guest, choice('5123456004'))
  const unreadable = await transfer(bank, amount, 'อ่าน QR ไม่ได้')
  const readable = await transfer(bank, amount)
  await reportWith(guest, unreadable)
  await guest.getByRole('heading', { name: 'อ่านรูปสลิปไม่ได้' }).waitFor()
  await guest.getByRole('link', { name: 'ดูสถานะคำสั่งซื้อ' }).click()
  await guest.waitForURL(/\/track\//)
  await guest.getByRole('button', { name: 'แนบรูปสลิปใหม่ก่อน' }).waitFor()
  await shoot(guest, 'm-slip-again')
  const picker = guest.locator('input[type=file]').first()
  await picker.setInputFiles({ name: 'slip.jpg', mimeType: 'image/jpeg', buffer: readable })
  await guest.getByText(/แล้ว พบเลขอ้างอิงบนสลิป/).waitFor()
  await guest.getByRole('button', { name: 'ส่งสลิปใหม่' }).click()
  await guest.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
})
