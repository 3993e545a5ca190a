import { drawSlip } from 'local/demo-slip.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { adminUrl, OFFICE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { agreeAndOrder, choosePackage, signInToAdmin } from './people.ts'

const browser = useBrowser()

const dialogOf = (page: Page): Locator => page.getByRole('dialog').first()

async function save(page: Page, done: string): Promise<void> {
  await dialogOf(page).getByRole('button', { name: 'บันทึก', exact: true }).click()
  await page.getByText(done).first().waitFor()
}

/** Adds a game, after trying a code that another one has; it leads on to the game's packages. */
async function addGame(manager: Page, { code, name }: { code: string; name: string }): Promise<void> {
  await manager.getByRole('button', { name: 'เพิ่มเกม' }).click()
  const form = dialogOf(manager)
  await form.getByLabel('รหัสเกม').fill('pubg')
  await form.getByLabel('ชื่อเกม', { exact: true }).fill(name)
  // Any picture does.
  const logo = { name: 'logo.jpg', mimeType: 'image/jpeg', buffer: await drawSlip('004', '015300000000XYZ00777') }
  await form.getByLabel('โลโก้').setInputFiles(logo)
  await form.getByText('logo.jpg file uploaded successfully').waitFor()
  await form.getByRole('button', { name: 'บันทึก', exact: true }).click()
  const taken = form.getByText('รหัสเกม pubg ซ้ำ')
  await taken.waitFor()
  await form.getByLabel('รหัสเกม').fill(code)
  await taken.waitFor({ state: 'hidden' })
  await save(manager, `บันทึก ${name} สำเร็จ`)
  await manager.getByRole('dialog', { name: `เพิ่มแพ็กเกจ ${name}` }).waitFor()
  await manager.getByText('ยังไม่อยู่บนหน้าร้าน: ยังไม่มีแพ็กเกจ', { exact: false }).waitFor()
}

const PRICE = 'ราคา โอนเงินธนาคาร'

async function openPrices(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^ราคาขายของ 100 Gems โอนเงินธนาคาร/ }).press('Enter')
  const price = dialogOf(page).getByLabel(PRICE, { exact: true })
  await price.waitFor()
  return price
}

/** Adds two packages in the form that a new game leads on to. */
async function addPackages(manager: Page): Promise<void> {
  const form = dialogOf(manager)
  await form.getByLabel('ชื่อแพ็กเกจ').fill('100 Gems')
  await form.getByLabel(PRICE).fill('39.50')
  const more = form.getByRole('button', { name: 'บันทึกและเพิ่มอีก' })
  await more.click()
  await form.getByText('กรุณาใส่ข้อมูลราคา โอนเงินธนาคาร เป็นจำนวนเต็ม').waitFor()
  await form.getByLabel(PRICE).fill('39')
  await more.click()
  await form.getByText('เพิ่มแล้ว 100 Gems').waitFor()
  await form.getByLabel('ชื่อแพ็กเกจ').fill('500 Gems')
  await form.getByLabel(PRICE).fill('180')
  await form.getByLabel('ราคา Wallet').fill('170')
  await save(manager, 'บันทึก 500 Gems สำเร็จ')
}

test('what a manager adds is in the open shop; two at one price see each other; the audit log takes a change back', async () => {
  const customer = await browser.open()
  const first = await browser.open({ viewport: OFFICE })
  const second = await browser.open({ viewport: OFFICE })
  await customer.goto(`${storefrontUrl()}/game`)
  await customer.getByRole('link', { name: /Free Fire/ }).waitFor()
  let opened = 0
  customer.on('load', () => opened++)

  await Promise.all([
    signInToAdmin(first, 'manager@demo.shop', '/management/game'),
    signInToAdmin(second, 'admin@demo.shop', '/management/game'),
  ])
  await addGame(first, { code: 'neon-quest', name: 'Neon Quest' })
  await addPackages(first)

  const link = customer.getByRole('link', { name: /Neon Quest/ })
  await link.waitFor()
  await expect
    .poll(() => link.locator('img').evaluate((logo: HTMLImageElement) => [logo.naturalWidth, logo.naturalHeight]))
    .toEqual([228, 228])
  expect(opened).toBe(0)
  await link.click()
  const shown = (baht: number) => customer.getByRole('radio', { name: new RegExp(`^100 Gems.*${baht}`) })
  await shown(39).waitFor()

  await second.goto(first.url())
  const stale = await openPrices(second)
  await (await openPrices(first)).fill('41')
  await save(first, 'บันทึกราคา 100 Gems แล้ว')
  await shown(41).waitFor()
  await stale.fill('45')
  await dialogOf(second).getByRole('button', { name: 'บันทึก', exact: true }).click()
  await second.locator('tr').filter({ hasText: '45 บาท' }).filter({ hasText: '41 บาท' }).waitFor()
  await second.getByText(/วิภา ผู้จัดการ/).waitFor()
  const mine = second.getByRole('button', { name: /ของฉันทับ$/ })
  await mine.hover()
  await shoot(second, 'a-price-conflict')
  await mine.click()
  await second.getByText('บันทึกราคา 100 Gems แล้ว').waitFor()
  await shown(45).waitFor()
  // The keyboard goes on from where the prices were opened.
  await expect.poll(() => second.evaluate(() => document.activeElement?.textContent)).toBe('45')

  await second.goto(`${adminUrl()}/management/audit?subject=price%3A`)
  const undo = async (row: number) => {
    await second
      .getByRole('button', { name: /^ย้อนกลับ บันทึกราคา/ })
      .nth(row)
      .click()
    await dialogOf(second).getByRole('button', { name: 'ย้อนกลับ', exact: true }).click()
  }
  await undo(1)
  await second.getByText(/^ย้อนกลับไม่ได้ .*ราคา 100 Gems \(บันทึกราคา โดย สมชาย แอดมิน/).waitFor()
  await second.getByRole('button', { name: 'ตกลง' }).click()
  await dialogOf(second).waitFor({ state: 'hidden' })
  await undo(0)
  await second.getByText(/^ย้อนกลับ บันทึกราคา .*100 Gems สำเร็จ$/).waitFor()
  await shown(41).waitFor()
  expect(opened).toBe(0)
  expect(customer.url()).toContain('/game/neon-quest')
})

test("an owner's new game to its first sale: packages, prices, a tier's price, and a guest orders it", async () => {
  const owner = await browser.open({ viewport: OFFICE })
  await signInToAdmin(owner, 'manager@demo.shop', '/management/game')
  await addGame(owner, { code: 'moon-quest', name: 'Moon Quest' })
  await shoot(owner, 'a-first-package')
  await addPackages(owner)
  await owner.getByText('ขายอยู่').first().waitFor()
  await shoot(owner, 'a-new-game')

  await owner.getByRole('link', { name: 'ส่วนลดตัวแทนของเกมนี้' }).click()
  const discount = owner.getByRole('textbox', { name: 'ส่วนลด Gold ของ Moon Quest 500 Gems' })
  await discount.fill('12')
  await shoot(owner, 'a-new-game-tier')
  await owner.getByRole('button', { name: 'บันทึก', exact: true }).click()
  await owner.getByText('บันทึกข้อมูลสำเร็จ').waitFor()
  await owner.getByRole('link', { name: 'แพ็กเกจของ Moon Quest' }).click()
  await owner.getByRole('heading', { name: 'Moon Quest' }).waitFor()

  const guest = await browser.open()
  await choosePackage(guest, { game: 'Moon Quest', playerId: '5123456789', packageName: '500 Gems' })
  await shoot(guest, 'm-new-game')
  await agreeAndOrder(guest)
  await guest
    .getByText(/^180 บาท \d+ สตางค์$/)
    .first()
    .waitFor()
})

test('a link with the code that a game had leads to the game under its new one', async () => {
  const owner = await browser.open({ viewport: OFFICE })
  await signInToAdmin(owner, 'manager@demo.shop', '/management/game')
  await owner.getByRole('button', { name: 'แก้ไข Free Fire', exact: true }).click()
  await dialogOf(owner).getByLabel('รหัสเกม', { exact: true }).fill('ff-renamed')
  await dialogOf(owner).getByText('ลิงก์และ QR เดิม').waitFor()
  await save(owner, 'บันทึก Free Fire สำเร็จ')
  const guest = await browser.open()
  await guest.goto(`${storefrontUrl()}/game/freefire`)
  await guest.waitForURL(/\/game\/ff-renamed/)
  await guest.getByRole('heading', { name: 'Free Fire' }).waitFor()
  // Other journeys go by the code that it had.
  await owner.getByRole('button', { name: 'เลิกทำ' }).click()
  await owner.getByText('เลิกทำสำเร็จ กลับเป็นค่าเดิมแล้ว').waitFor()
})
