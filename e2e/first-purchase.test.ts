import { expect, test } from 'vitest'
import { OFFICE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { agreeAndOrder, choosePackage, reportWithoutSlip, signInToAdmin } from './people.ts'
import { translate } from './translator.ts'

const browser = useBrowser()

test("a guest buys, staff mark it paid and deliver, and the guest's page follows without a reload, all translated", async () => {
  const guest = await browser.open()
  await translate(guest)
  await guest.goto(storefrontUrl())
  await guest.getByRole('heading', { name: 'เลือกเกม' }).waitFor()
  await guest.locator('html.translated-ltr').waitFor()
  await guest.getByRole('link', { name: /Free Fire/ }).waitFor()
  await shoot(guest, 'm-games')
  await choosePackage(guest, { game: 'Free Fire', playerId: '5123456789', packageName: '310 เพชร' })
  await shoot(guest, 'm-purchase')
  await agreeAndOrder(guest)

  await guest.getByText('ยอดที่ต้องโอน').first().waitFor()
  await guest.getByRole('img', { name: /QR/ }).waitFor()
  await shoot(guest, 'm-payment')
  const amount = (await guest
    .getByText(/^\d+ บาท \d+ สตางค์$/)
    .first()
    .textContent())!
  expect(amount).toMatch(/^99 บาท (0[1-9]|[1-9]\d) สตางค์$/)
  await guest.reload()
  await guest.getByText(amount).first().waitFor()

  await reportWithoutSlip(guest)
  await guest.waitForURL(/\/thankyou/)
  const orderNo = (await guest
    .getByText(/^KT\d{4}-\d{8}$/)
    .first()
    .textContent())!
  await shoot(guest, 'm-thankyou')
  await guest.getByRole('link', { name: 'ดูสถานะคำสั่งซื้อ' }).click()
  await guest.waitForURL(/\/track\//)
  await guest.evaluate(() => {
    ;(globalThis as { neverReloaded?: boolean }).neverReloaded = true
  })

  const staff = await browser.open({ viewport: OFFICE })
  await translate(staff)
  await signInToAdmin(staff, 'staff@demo.shop', `/management/details/${orderNo}`)
  await staff.getByRole('button', { name: 'ได้รับเงินแล้ว…' }).click()
  await staff.getByRole('dialog').getByLabel('เหตุผล', { exact: true }).fill('ตรวจยอดในบัญชีแล้ว')
  await staff.getByRole('dialog').getByRole('button', { name: 'ได้รับเงินแล้ว', exact: true }).click()
  await guest.getByRole('heading', { name: /ได้รับเงินแล้ว/ }).waitFor()

  await staff.getByRole('button', { name: 'รับเรื่อง' }).click()
  await guest.getByRole('heading', { name: /กำลังเติม/ }).waitFor()
  await staff.getByLabel('เลขอ้างอิงการเติม').fill('MB-1234')
  await shoot(staff, 'a-details')
  await staff.getByRole('button', { name: 'เติมสำเร็จ' }).click()
  await guest.getByRole('heading', { name: /สำเร็จ/ }).waitFor()
  await shoot(guest, 'm-order-done')
  const stayed = await guest.evaluate(() => (globalThis as { neverReloaded?: boolean }).neverReloaded)
  expect(stayed).toBe(true)
})

test('the draft survives a reload and the way back; an unpaid order leads back to its payment', async () => {
  const guest = await browser.open()
  await choosePackage(guest, { game: 'Free Fire', playerId: '5198765432', packageName: '100 เพชร' })
  await guest.reload()
  expect(await guest.getByLabel('Player ID').first().inputValue()).toBe('5198765432')
  await agreeAndOrder(guest)
  await guest.goto(`${storefrontUrl()}/game`)
  await guest.getByRole('link', { name: /ชำระต่อ/ }).click()
  await guest.waitForURL(/\/payment/)
  await guest.goto(`${storefrontUrl()}/game/rov`)
  const dialog = guest.getByRole('dialog')
  await dialog.getByText('คุณต้องทำการชำระเงินก่อนทำรายการใหม่').waitFor()
  await dialog.getByRole('button', { name: /^ยกเลิกคำสั่งซื้อ KT/ }).click()
  await dialog.getByText(/หากโอนเงินแล้ว อย่ายกเลิก/).waitFor()
  await dialog.getByRole('button', { name: 'ยกเลิกคำสั่งซื้อ', exact: true }).click()
  await guest.getByText(/ยกเลิกรายการ KT\d{4}-\d{8} สำเร็จ/).waitFor()
})

test('a player id is checked with its game: found, unknown, and a provider that never answers', async () => {
  const guest = await browser.open()
  await guest.goto(`${storefrontUrl()}/game/pubg`)
  const field = guest.getByLabel('Player ID').first()
  await field.fill('12345')
  await guest.getByRole('button', { name: 'ตรวจสอบ', exact: true }).click()
  await guest.getByText('ไม่พบชื่อผู้เล่นนี้').first().waitFor()
  await field.fill('5000000000')
  await guest.getByRole('button', { name: 'ตรวจสอบ', exact: true }).click()
  await guest.getByRole('button', { name: 'ลองอีกครั้ง' }).waitFor()
  await field.fill('5123456789')
  await guest.getByRole('button', { name: 'ตรวจสอบ', exact: true }).click()
  await guest.getByText('Namkhao_TH').first().waitFor()
})

test('an unknown page says so', async () => {
  const guest = await browser.open()
  await guest.goto(`${storefrontUrl()}/nothing/here`)
  await guest.getByRole('heading', { name: 'ไม่พบหน้านี้' }).waitFor()
})
