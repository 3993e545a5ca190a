// The first paid order in Chromium: what is built is shown under the policy of firebase.json, and nothing is replaced.
import { randomInt } from 'node:crypto'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../chromium.ts'
import { drawSlip } from '../demo-slip.ts'
import { demoLine } from '../line-emulator/demo.ts'
import { type Cloud, names } from './cloud.ts'

export interface Walker {
  /** A page in a browser of its own: another person. */
  open(options?: { inLine?: boolean }): Promise<Page>
  /** What browsers complained about: broken scripts, refused loads, failed calls. */
  complaints: string[]
  /** Pictures of all pages as they are now, for people to look at. */
  shoot(path: string): Promise<void>
  stop(): Promise<void>
}

const LINE_APP =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari Line/15.20.0 LIFF'
const PHONE = { width: 360, height: 740 }
const OFFICE = { width: 1440, height: 900 }

export async function openWalker({ internet }: Pick<Cloud, 'internet'>): Promise<Walker> {
  const browser: Browser = await chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...internet.chromiumFlags(),
    ],
  })
  const complaints: string[] = []
  const pages: Page[] = []
  return {
    complaints,
    async shoot(path) {
      for (const [index, page] of pages.entries())
        await page.screenshot({ path: `${path}-${index}.png` }).catch(() => undefined)
    },
    stop: () => browser.close(),
    async open({ inLine } = {}) {
      const context = await browser.newContext({
        viewport: inLine ? PHONE : OFFICE,
        locale: 'th-TH',
        timezoneId: 'Asia/Bangkok',
        ...(inLine && { userAgent: LINE_APP }),
      })
      // The native side that the SDK finds inside LINE.
      if (inLine) await context.addInitScript('window._liff = { features: [], postMessage() {} }')
      const page = await context.newPage()
      pages.push(page)
      // Without the query, which holds the tokens of whoever came from LINE.
      const complain = (text: string) => complaints.push(`${page.url().replace(/[?#].*$/, '')}: ${text}`)
      page.on('pageerror', error => complain(error.message))
      page.on('console', message => {
        if (message.type() === 'error') complain(`${message.text()} ${message.location().url}`)
      })
      return page
    },
  }
}

const dialogOf = (page: Page) => page.getByRole('dialog').first()

async function save(page: Page, done: string): Promise<void> {
  await dialogOf(page).getByRole('button', { name: 'บันทึก', exact: true }).click()
  await page.getByText(done).first().waitFor()
}

export async function signIn(admin: Page, email: string, password: string): Promise<void> {
  await admin.goto(`https://${names.admin}/management/appconfig?section=payment`)
  await admin.getByLabel('อีเมล').fill(email)
  await admin.getByLabel('รหัสผ่าน').fill(password)
  await admin.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
  await admin.waitForURL(url => url.pathname === '/management/appconfig')
}

const ACCOUNT = { bankCode: '004', accountNo: '1234567890', name: 'บจก. คราม เติมเกม', promptPayId: null }

/** Adds what a shop must have to sell: an account, a game, a package and its price. */
export async function fillShop(admin: Page): Promise<void> {
  await admin.getByRole('button', { name: 'เพิ่มบัญชีรับโอน' }).click()
  const account = dialogOf(admin)
  await account.getByLabel('ธนาคาร').fill('กสิกร')
  await admin.keyboard.press('Enter')
  await account.getByLabel(/^เลขที่บัญชี/).fill(ACCOUNT.accountNo)
  await account.getByLabel(/^ชื่อบัญชี \(The/).fill(ACCOUNT.name)
  await save(admin, `บันทึก ${ACCOUNT.name} สำเร็จ`)

  await admin.goto(`https://${names.admin}/management/game`)
  await admin.getByRole('button', { name: 'เพิ่มเกม' }).click()
  const game = dialogOf(admin)
  await game.getByLabel('รหัสเกม').fill('neon-quest')
  await game.getByLabel('ชื่อเกม', { exact: true }).fill('Neon Quest')
  // Any picture does.
  const logo = { name: 'logo.jpg', mimeType: 'image/jpeg', buffer: await drawSlip('004', '015300000000XYZ00777') }
  await game.getByLabel('โลโก้').setInputFiles(logo)
  await game.getByText('logo.jpg file uploaded successfully').waitFor()
  await save(admin, 'บันทึก Neon Quest สำเร็จ')

  // A new game leads on to its packages.
  const first = admin.getByRole('dialog', { name: 'เพิ่มแพ็กเกจ Neon Quest' })
  await first.getByLabel('ชื่อแพ็กเกจ').fill('100 Gems')
  await first.getByLabel('ราคา โอนเงินธนาคาร').fill('39')
  await save(admin, 'บันทึก 100 Gems สำเร็จ')
}

/** Opens the game from a LIFF link, as LINE does for somebody it knows. */
export async function openInLine(customer: Page): Promise<void> {
  const { liffId, users } = demoLine
  const isSeen = async () => {
    await customer.goto(`https://liff.line.me/${liffId}/game/neon-quest?emulated_user=${users.friend.userId}`)
    await customer.waitForURL(`https://${names.storefront}/game/neon-quest**`)
    await customer.getByRole('radio', { name: /^100 Gems/ }).waitFor()
  }
  // Signing in begins the pages anew, and a person is slower than it.
  const isKnown = customer.waitForResponse(reply => /\/user\/(me|sync)$/.test(reply.url()) && reply.ok())
  await Promise.all([isKnown, isSeen()])
}

/** Orders and returns the amount to pay, in satang. */
export async function order(customer: Page): Promise<number> {
  await customer.getByLabel('Player ID', { exact: false }).first().fill('5123456789')
  await customer.getByRole('radio', { name: /^100 Gems/ }).click()
  await customer.getByRole('radio', { name: /กสิกรไทย/ }).click()
  await customer.getByRole('button', { name: 'ดำเนินการต่อ' }).filter({ visible: true }).click()
  await customer.waitForURL(/\/terms/)
  await customer.getByText('เงื่อนไขสำคัญ').waitFor()
  const terms = customer.getByRole('checkbox', { name: /ยอมรับเงื่อนไข/ })
  if (await terms.isVisible()) await terms.check()
  await customer.getByRole('button', { name: 'ยืนยัน รับยอดโอน' }).click()
  await customer.waitForURL(/\/payment/)
  const words = await customer
    .getByText(/^\d+ บาท \d+ สตางค์$/)
    .first()
    .textContent()
  const [, baht, satang] = /^(\d+) บาท (\d+) สตางค์$/.exec(words ?? '')!
  return Number(baht) * 100 + Number(satang)
}

/** Pays at the bank, sends the slip, and waits until the page says that the money is there. Returns the order's number. */
export async function pay(customer: Page, amountSatang: number, { slips }: Cloud): Promise<string> {
  // As a bank writes it: no two transfers share one.
  const reference = `015328${randomInt(100_000, 999_999)}ABC00042`
  const payer = { accountNo: '9876543210', name: 'นาย ลูกค้า ใจดี' }
  slips.add({ sendingBank: '014', reference, amountSatang, at: new Date(), receiver: ACCOUNT, payer })
  const slip = { name: 'slip.jpg', mimeType: 'image/jpeg', buffer: await drawSlip('014', reference) }
  await customer.locator('input[type=file]').first().setInputFiles(slip)
  await customer
    .getByText(/แล้ว พบเลขอ้างอิงบนสลิป/)
    .filter({ visible: true })
    .waitFor()
  await customer.getByRole('button', { name: 'โอนแล้ว แจ้งชำระเงิน' }).filter({ visible: true }).click()
  await customer.waitForURL(/\/thankyou/)
  await customer.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
  return (await customer
    .getByText(/^KT\d{4}-\d{8}$/)
    .first()
    .textContent())!
}

/** Says that it is paid, without a slip. Returns the order's number. */
export async function reportPaid(customer: Page): Promise<string> {
  await customer.getByRole('button', { name: 'โอนแล้ว แจ้งชำระเงิน' }).filter({ visible: true }).click()
  await customer.getByRole('button', { name: 'แจ้งโดยไม่แนบสลิป' }).click()
  await customer.waitForURL(/\/thankyou/)
  return (await customer
    .getByText(/^KT\d{4}-\d{8}$/)
    .first()
    .textContent())!
}

/** Staff saw the money on the bank account. */
export async function takeMoney(staff: Page, orderNo: string): Promise<void> {
  await staff.goto(`https://${names.admin}/management/details/${orderNo}`)
  await staff.getByRole('button', { name: 'ได้รับเงินแล้ว…' }).click()
  await dialogOf(staff).getByLabel('เหตุผล', { exact: true }).fill('ตรวจยอดในบัญชีแล้ว')
  await dialogOf(staff).getByRole('button', { name: 'ได้รับเงินแล้ว', exact: true }).click()
}

export async function deliver(staff: Page, orderNo: string): Promise<void> {
  await staff.goto(`https://${names.admin}/management/details/${orderNo}`)
  await staff.getByRole('button', { name: 'รับเรื่อง' }).click()
  await staff.getByLabel('เลขอ้างอิงการเติม').fill('MB-1234')
  await staff.getByRole('button', { name: 'เติมสำเร็จ' }).click()
}

/** The customer's page follows by itself. */
export async function seeDelivered(customer: Page): Promise<void> {
  await customer.getByRole('link', { name: 'ดูสถานะคำสั่งซื้อ' }).click()
  await customer.getByRole('heading', { name: /สำเร็จ/ }).waitFor()
}
