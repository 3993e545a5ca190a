import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { orderAndRead, orderNoOn, reportWith, transfer } from './bank-counter.ts'
import { DESKTOP, OFFICE, shoot, useBrowser } from './browser.ts'
import { signInToAdmin } from './people.ts'
import { shopPorts } from './shop.ts'

const browser = useBrowser()
const supplierUrl = () => `http://localhost:${shopPorts().supplier}`

/** A guest buys what is delivered by itself, and pays with a slip. Returns the order's number. */
async function buyAutomatic(guest: Page, bank: Page, playerId: string): Promise<string> {
  const amount = await orderAndRead(guest, { game: 'Call of Duty', playerId, packageName: '80 CP' })
  await reportWith(guest, await transfer(bank, amount))
  return orderNoOn(guest)
}

/** Makes the next purchase go wrong. */
async function breakNext(page: Page, fault: string): Promise<void> {
  await page.goto(supplierUrl())
  await page.getByLabel('สถานการณ์ของคำสั่งซื้อถัดไป').selectOption({ label: fault })
  await page.getByRole('button', { name: 'ใช้กับคำสั่งซื้อถัดไป' }).click()
  await page.getByText(`รอใช้: ${fault}`).waitFor()
}

test('a guest pays with a slip and gets the goods with nobody acting', async () => {
  const [guest, bank] = [await browser.open(), await browser.open({ viewport: DESKTOP })]
  const began = Date.now()
  const orderNo = await buyAutomatic(guest, bank, '5123457001')
  const reported = Date.now()
  await guest.getByRole('heading', { name: /สำเร็จ/ }).waitFor()
  const [total, wait] = [Date.now() - began, Date.now() - reported].map(ms => (ms / 1000).toFixed(1))
  console.log(`delivered ${wait} s after the report, ${total} s after the first page`)
  await shoot(guest, 'm-supplier-delivered')
  const staff = await browser.open({ viewport: OFFICE })
  await signInToAdmin(staff, 'staff@demo.shop', `/management/details/${orderNo}`)
  const card = staff.getByRole('region', { name: 'ผู้จำหน่าย' })
  await card.getByText('ส่งแล้ว', { exact: true }).waitFor()
  expect(await card.getByText('ต้นทุน').count()).toBe(0)
  await card.scrollIntoViewIfNeeded()
  await shoot(staff, 'd-supplier-delivered')
})

test('a refused purchase is in the staff list with its reason, and bought once more by a button', async () => {
  const [guest, bank] = [await browser.open(), await browser.open({ viewport: DESKTOP })]
  await breakNext(bank, 'ราคาขึ้น')
  const orderNo = await buyAutomatic(guest, bank, '5123457002')
  await guest.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
  const staff = await browser.open({ viewport: OFFICE })
  await signInToAdmin(staff, 'staff@demo.shop', '/management/history')
  await staff.goto(`${staff.url().split('?')[0]}?order=${orderNo}`)
  const card = staff.getByRole('region', { name: 'ผู้จำหน่าย' })
  await card.getByText('ราคาของผู้จำหน่ายสูงกว่าต้นทุนที่ตั้งไว้').waitFor()
  await card.scrollIntoViewIfNeeded()
  await shoot(staff, 'd-supplier-refused')
  await card.getByRole('button', { name: 'ลองอีกครั้ง' }).click()
  await guest.getByRole('heading', { name: /สำเร็จ/ }).waitFor()
})

test('while the outcome is open nobody goes on by hand without knowing what is at risk', async () => {
  const [guest, bank] = [await browser.open(), await browser.open({ viewport: DESKTOP })]
  await breakNext(bank, 'รับคำสั่งแล้วไม่ส่ง')
  const orderNo = await buyAutomatic(guest, bank, '5123457003')
  const staff = await browser.open({ viewport: OFFICE })
  await signInToAdmin(staff, 'staff@demo.shop', `/management/details/${orderNo}`)
  await staff.getByText('ผู้จำหน่ายรับแล้ว รอส่ง').waitFor()
  await staff.getByLabel('เลขอ้างอิงการเติม').fill('BY-HAND-1')
  await staff.getByRole('button', { name: 'เติมสำเร็จ' }).click()
  const dialog = staff.getByRole('dialog')
  await dialog.getByText(/ลูกค้าอาจได้รับของซ้ำ/).waitFor()
  await dialog.getByRole('button', { name: 'ทำต่อเอง' }).hover()
  await shoot(staff, 'd-supplier-risk')
  await dialog.getByLabel('เหตุผลที่ทำต่อเอง').fill('ผู้จำหน่ายแจ้งทางโทรศัพท์ว่าไม่ได้ส่ง')
  await dialog.getByRole('button', { name: 'ทำต่อเอง' }).click()
  await staff.getByText(`บันทึกการเติมแล้ว ${orderNo}`).waitFor()
})

test('a manager sees the margin of each price, and the supplier in the settings', async () => {
  const manager = await browser.open({ viewport: OFFICE })
  await signInToAdmin(manager, 'manager@demo.shop', '/management/appconfig?section=supplier')
  await manager.getByRole('button', { name: 'ทดสอบการเชื่อมต่อ SEAGM' }).click()
  await manager.getByText('SEAGM ตอบแล้ว').waitFor()
  await shoot(manager, 'd-supplier-settings')
  await manager.goto(manager.url().replace(/\/management.*/, '/management/game'))
  const game = manager.getByRole('row', { name: /Call of Duty/ })
  await game
    .getByRole('link', { name: /แพ็กเกจ|Call of Duty/ })
    .first()
    .click()
  const sold = manager.getByRole('row', { name: /80 CP/ })
  await sold.getByRole('button', { name: /ราคา/ }).first().click()
  const dialog = manager.getByRole('dialog')
  await dialog.getByLabel('ราคา Wallet', { exact: true }).fill('20')
  await dialog.getByText('ใช้ราคาผู้จำหน่าย').or(dialog.getByLabel('เติมอัตโนมัติ')).first().waitFor()
  await shoot(manager, 'd-supplier-margin')
  await dialog.getByRole('button', { name: 'บันทึก' }).click()
  await manager.getByRole('button', { name: 'บันทึกทั้งที่ขาดทุน' }).waitFor()
  await manager.getByRole('button', { name: 'บันทึกทั้งที่ขาดทุน' }).hover()
  await shoot(manager, 'd-supplier-loss')
})
