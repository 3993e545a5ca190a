import { openCatalogue } from 'functions/src/catalogue/catalogue-source.ts'
import { readConfig } from 'functions/src/config/config.ts'
import { SERVICE } from 'functions/src/config/outside.ts'
import { readSuppliers } from 'functions/src/cost/following.ts'
import { openDatabase } from 'functions/src/database/database.ts'
import { SEAGM_KEYS } from 'local/supplier/seagm.ts'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { payAtGateway } from './bank-counter.ts'
import { DESKTOP, OFFICE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { agree, signInToAdmin } from './people.ts'
import { shopPorts } from './shop.ts'

const browser = useBrowser()

/** A guest orders codes by PromptPay, and pays as in a bank's app. */
async function buyCode(guest: Page, bank: Page, packageName: string): Promise<string> {
  await guest.goto(`${storefrontUrl()}/game/steam`)
  await guest.getByRole('radio', { name: new RegExp(`^${packageName}`) }).click()
  await guest.getByRole('radio', { name: /^พร้อมเพย์ QR/ }).click()
  await shoot(guest, 'm-code-purchase')
  await agree(guest)
  await guest.getByText(/^รหัสที่ได้หมดอายุเร็วสุด/).waitFor()
  // Without it the order is not made: what is wrong can't be taken back.
  await guest
    .getByRole('checkbox', { name: /ใช้ได้กับบัญชี Steam|อ่าน/ })
    .first()
    .check()
  await shoot(guest, 'm-code-terms')
  await guest.getByRole('button', { name: 'ยืนยัน ไปชำระเงิน' }).click()
  await guest.waitForURL(/\/payment/)
  return payAtGateway(guest, bank)
}

test('a guest buys a Steam code, has it within seconds, and nobody sees it before they ask', async () => {
  const [guest, bank] = [await browser.open(), await browser.open({ viewport: DESKTOP })]
  const orderNo = await buyCode(guest, bank, '100 บาท')
  await guest
    .getByRole('heading', { name: /สำเร็จ|รหัสพร้อมแล้ว/ })
    .first()
    .waitFor()
  const card = guest.getByRole('region', { name: 'รหัสของคุณ' })
  await card.waitFor()
  await card.scrollIntoViewIfNeeded()
  await shoot(guest, 'm-code-covered')
  expect(await card.textContent()).not.toMatch(/[A-Z2-9]{5}-[A-Z2-9]{5}/)
  await card.getByRole('button', { name: 'แสดงรหัส' }).first().click()
  await card.getByText('ดูครั้งแรกเมื่อ').waitFor()
  const code = /[A-Z2-9]{5}/.exec((await card.textContent())!)![0]
  await card.getByText('วิธีใช้รหัส').waitFor()
  await card.scrollIntoViewIfNeeded()
  await shoot(guest, 'm-code-shown')
  await guest.setViewportSize(DESKTOP)
  await shoot(guest, 'd-code-shown')
  // What was shown is forgotten with the page.
  await guest.reload()
  await card.waitFor()
  expect(await card.textContent()).not.toContain(code)

  const staff = await browser.open({ viewport: OFFICE })
  await signInToAdmin(staff, 'staff@demo.shop', `/management/details/${orderNo}`)
  const told = staff.getByRole('region', { name: 'รหัสของคำสั่งซื้อ' })
  await told.getByText(/ดูแล้วเมื่อ/).waitFor()
  expect(await staff.locator('body').textContent()).not.toContain(code)
  await told.scrollIntoViewIfNeeded()
  await shoot(staff, 'a-code-order')
})

/** A file as a seller of codes sends it, and a person saves it again: of its lines many are no code, twice, or empty. */
function fileOf(pieces: number): string {
  const code = (nth: number) => `JRNY${String(nth).padStart(6, '0')}-${String(nth * 7919).padStart(9, '0')}`
  const fullWidth = (text: string) =>
    text.replace(/[!-~]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 0xff01 - 0x21))
  const good = Array.from({ length: pieces }, (_, nth) => `${code(nth)},,SN${nth},31/12/2570`)
  return [
    'Order 77 of November',
    'รหัส,PIN,ซีเรียล,วันหมดอายุ',
    ...good,
    ',,,',
    '',
    // The same code as others, for whoever looks at it.
    `${code(1)},,SN1,31/12/2570`,
    `${fullWidth(code(2))},,SN2,31/12/2570`,
    `\u200b${code(3)}\u00ad,,SN3,31/12/2570`,
    '"=HYPERLINK(""https://codes.example"")",,SN,31/12/2570',
    '#REF!,,SN,31/12/2570',
    '!,,SN,31/12/2570',
    `${code(99_999)},,SN,31/02/2570`,
    'Total 10000 codes',
  ].join('\n')
}

test('a manager imports a file of 10,000 codes between rows that are none, after seeing what is in it', async () => {
  const manager = await browser.open({ viewport: OFFICE })
  await signInToAdmin(manager, 'manager@demo.shop', '/management/codes')
  await manager.getByRole('button', { name: 'นำเข้ารหัส 1,000 บาท' }).click()
  const dialog = manager.getByRole('dialog')
  // A page of the seller's that says "sign in", saved as a file of codes, is none.
  const page = { name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from('<!doctype html><title>Sign in</title>') }
  await dialog.locator('input[type=file]').setInputFiles(page)
  await dialog.getByText('อ่านไฟล์ไม่สำเร็จ').waitFor()
  const file = { name: 'steam-november.csv', mimeType: 'text/csv', buffer: Buffer.from(fileOf(10_000)) }
  const began = performance.now()
  await dialog.locator('input[type=file]').setInputFiles(file)
  const take = dialog.getByRole('button', { name: 'นำเข้า 10,000 รหัส' })
  await take.waitFor()
  console.log(`10,000 codes were looked at in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  expect(await dialog.textContent()).not.toContain('JRNY000001')
  await dialog.getByText('ซ้ำในไฟล์ 3 บรรทัด').waitFor()
  await dialog.getByText('ใช้ไม่ได้ 6 บรรทัด').waitFor()
  for (const list of await dialog.getByText('ดูบรรทัด').all()) await list.click()
  for (const told of [
    'บรรทัด 1: อยู่เหนือหัวตาราง',
    'บรรทัด 10008: รหัส เป็นสูตรหรือค่าผิดพลาดของ Excel กรุณาใช้ไฟล์ต้นฉบับ',
    'บรรทัด 10009: รหัส เป็นสูตรหรือค่าผิดพลาดของ Excel กรุณาใช้ไฟล์ต้นฉบับ',
    'บรรทัด 10010: รหัสสั้นกว่า 6 ตัวอักษร',
    'บรรทัด 10011: วันหมดอายุอ่านไม่ได้ ใช้ 31/12/2570 หรือ 2027-12-31',
    'บรรทัด 10012: ไม่เหมือนรหัสอื่นในไฟล์ ถ้าเป็นรหัสจริงให้นำเข้าเป็นไฟล์แยก',
    'บรรทัด 10006 ซ้ำกับบรรทัด 5',
  ])
    await dialog.getByText(told).waitFor()
  await shoot(manager, 'a-codes-preview')
  await dialog.getByLabel('ทุนต่อหนึ่งรหัส (บาท)').fill('968.50')
  await take.click()
  await manager.getByText('นำเข้า 10,000 รหัสแล้ว').waitFor()
  await manager
    .getByRole('row', { name: /1,000 บาท/ })
    .getByText('10,003')
    .first()
    .waitFor()
  await shoot(manager, 'a-codes')
  // The same file again brings nothing.
  await manager.getByRole('button', { name: 'นำเข้ารหัส 1,000 บาท' }).click()
  await dialog.locator('input[type=file]').setInputFiles(file)
  await dialog.getByRole('button', { name: 'ไม่มีรหัสใหม่' }).waitFor()
})

const db = openDatabase(`postgresql://postgres@127.0.0.1:${shopPorts().postgres}/shop`)
afterAll(() => db.close())

/** What the job does a quarter of an hour later. */
async function readSuppliersLater(): Promise<void> {
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgresql://x',
    SUPPLIER: 'seagm',
    SEAGM_BASE_URL: `http://127.0.0.1:${shopPorts().supplier}`,
    SEAGM_UID: SEAGM_KEYS.uid,
    SEAGM_SECRET_KEY: SEAGM_KEYS.secretKey,
  })
  const suppliers = SERVICE.suppliers.make(config, () => new Date())
  const later = () => new Date(Date.now() + 15 * 60_000)
  await readSuppliers({
    db,
    suppliers,
    catalogue: openCatalogue(db, { checkMs: 0 }),
    now: later,
    findUnheard: async () => [],
  })
}

test('an owner sets cost + 6 %, at least 5 baht, whole baht for a game, and a cost that changes goes through to the shop', async () => {
  const [owner, supplier] = [await browser.open({ viewport: OFFICE }), await browser.open({ viewport: DESKTOP })]
  await signInToAdmin(owner, 'admin@demo.shop', '/management/game')
  const [game] = await db.query<{ id: number }>({ text: `SELECT id FROM game WHERE code = 'codm'` })
  await owner.goto(owner.url().replace(/\/management.*/, `/management/package/${game!.id}/rules`))
  await owner.getByRole('checkbox', { name: 'ให้ต้นทุนตามราคาผู้จำหน่ายลำดับแรก' }).check()
  // The demo's manager has a rule for this price already.
  const bank = owner.getByRole('group', { name: /โอนเงิน/ })
  await bank.getByRole('switch', { checked: true }).waitFor()
  await bank.getByLabel(/^บวกจากต้นทุน/).fill('6')
  await bank.getByLabel(/^กำไรขั้นต่ำ/).fill('5')
  await owner.getByRole('button', { name: 'ดูตัวอย่าง' }).click()
  await owner.getByRole('table').first().waitFor()
  await owner.getByText('80 CP').first().waitFor()
  await shoot(owner, 'a-price-rules')
  await owner.getByRole('button', { name: /^บันทึกและปรับราคา/ }).click()
  await owner
    .getByText(/สำเร็จ|บันทึก.*แล้ว/)
    .first()
    .waitFor()

  await supplier.goto(`http://localhost:${shopPorts().supplier}`)
  await supplier.getByLabel('สินค้า').selectOption('2001')
  await supplier.getByLabel('ราคาใหม่ (บาท)').fill('25.10')
  await supplier.getByRole('button', { name: 'เปลี่ยนราคา' }).click()
  await supplier.locator('option[value="2001"]', { hasText: '25.10' }).waitFor({ state: 'attached' })
  await readSuppliersLater()

  await owner.goto(owner.url().replace(/\/management.*/, '/management/cost'))
  const row = owner.getByRole('row', { name: /80 CP/ }).first()
  await row.waitFor()
  await shoot(owner, 'a-costs')
  // 25.10 and 6 % are 26.61, at least 30.10; whole baht.
  const [sold] = await db.query<{ baht: number }>({
    text: `SELECT r.price_satang / 100 AS baht FROM package p JOIN package_price r ON r.package_id = p.id AND r.payment = 'bank'
      WHERE p.cost_satang = 2510 AND p.game_id = $1`,
    values: [game!.id],
  })
  expect(sold?.baht).toBe(31)
})
