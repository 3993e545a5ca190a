import { demoLine } from 'local/line-emulator/demo.ts'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { payAtGateway } from './bank-counter.ts'
import { DESKTOP, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { beInsideLine, inLineUrl, LINE_APP, tellEmulator } from './line.ts'
import { agree, choosePackage, PASSWORD, signInToShop } from './people.ts'
import { shopPorts } from './shop.ts'

const browser = useBrowser()
const { friend, stranger, known } = demoLine.users

afterEach(() => tellEmulator('reset'))

/** The account page of whoever is signed in. */
async function openAccount(page: Page): Promise<void> {
  // Leaving in the middle of the silent sign-in would spend LINE's token for nothing.
  await page.waitForFunction(() => localStorage.getItem('userinfo') !== null)
  await page.goto(`${storefrontUrl()}/game`)
  await page.locator('nav a[href^="/user/"]').filter({ visible: true }).first().click()
  await page.waitForURL(/\/user\//)
}

/** Runs before the page's own code: the device's clock as far ahead as the test asks for. */
function putClockForward(): void {
  const aheadMs = Number(sessionStorage.getItem('testClockHours') ?? 0) * 3_600_000
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...parts: [] | [number | string]) {
      super(...((parts.length === 0 ? [RealDate.now() + aheadMs] : parts) as [number]))
    }
    static override now = () => RealDate.now() + aheadMs
  } as DateConstructor
}

describe('inside LINE', () => {
  test('the first visit by a deep link signs in by itself and stays at the game', async () => {
    const page = await browser.open(LINE_APP)
    await beInsideLine(page)
    await page.goto(await inLineUrl(friend.userId, '/game/rov?package=3'))
    await page.waitForURL(/\/game\/rov\?package=3$/)
    await page.getByRole('heading', { name: 'RoV' }).waitFor()
    expect(page.url()).not.toMatch(/access_token|id_token|liff\.state|code=/)
    await openAccount(page)
    await page.getByText(friend.displayName).first().waitFor()
    await shoot(page, 'm-line-account')
  })

  test('two hours later a reload signs in again without a question', async () => {
    const page = await browser.open(LINE_APP)
    await beInsideLine(page)
    await page.addInitScript(putClockForward)
    await page.goto(await inLineUrl(friend.userId, '/game'))
    await page.getByRole('heading', { name: 'เลือกเกม' }).waitFor()
    await openAccount(page)
    await tellEmulator('clock', { offsetSeconds: 2 * 3600 })
    await page.evaluate(() => sessionStorage.setItem('testClockHours', '2'))
    await page.reload()
    await page.getByText(friend.displayName).first().waitFor()
    await page.goto(`${storefrontUrl()}/purchase/history`)
    await page.getByRole('heading', { name: 'คำสั่งซื้อ' }).waitFor()
  })
})

test('inside LINE: who refuses consent is told so, may try again, and may look around meanwhile', async () => {
  await tellEmulator('login/auto', { userId: stranger.userId, decision: 'deny' })
  const page = await browser.open(LINE_APP)
  await beInsideLine(page)
  await page.goto(`${storefrontUrl()}/game/rov`)
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/ยังไม่ได้อนุญาต/).waitFor()
  await dialog.getByRole('button', { name: 'ดูร้านก่อน' }).waitFor()
  await tellEmulator('login/auto', { userId: stranger.userId, decision: 'allow' })
  await dialog.getByRole('button', { name: 'ลองอีกครั้ง' }).click()
  await page.getByRole('heading', { name: 'RoV' }).waitFor()
  await openAccount(page)
  await page.getByText(stranger.displayName).first().waitFor()
})

describe('LINE on the plain web', () => {
  test('signs in through LINE and comes back to what was being bought', async () => {
    await tellEmulator('login/auto', { userId: stranger.userId, decision: 'allow' })
    const page = await browser.open()
    await page.goto(`${storefrontUrl()}/login`)
    await page.getByRole('button', { name: 'เข้าสู่ระบบด้วย LINE' }).click()
    await page.waitForURL(`${storefrontUrl()}/game`)
    await openAccount(page)
    await page.getByText(stranger.displayName).first().waitFor()
  })

  test("with another account's address it opens nothing; its owner comes in, links, and LINE leads there from then on", async () => {
    await tellEmulator('login/auto', { userId: known.userId, decision: 'allow' })
    const page = await browser.open()
    const byLine = async (who: Page) => {
      await who.goto(`${storefrontUrl()}/login`)
      await who.getByRole('button', { name: 'เข้าสู่ระบบด้วย LINE' }).click()
    }
    await byLine(page)
    await page.getByText(/เข้าสู่ระบบด้วยวิธีเดิมก่อน/).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('userinfo'))).toBeNull()
    await page.getByLabel('อีเมล').fill(known.email)
    await page.getByLabel('รหัสผ่าน', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
    await page.getByRole('button', { name: 'เชื่อมต่อกับ LINE' }).click()
    await page.getByText('เชื่อมต่อ LINE แล้ว ครั้งต่อไปเข้าได้ทั้งสองทาง').waitFor()
    await page.getByRole('button', { name: 'ดำเนินการต่อ' }).click()
    await page.waitForURL(`${storefrontUrl()}/game`)
    const later = await browser.open()
    await byLine(later)
    await openAccount(later)
    await later.getByText(known.email).first().waitFor()
  })
})

describe('Google and Facebook', () => {
  test('Google signs in', async () => {
    const page = await browser.open()
    page.on('dialog', dialog => dialog.accept('fresh-google@demo.shop'))
    await page.goto(`${storefrontUrl()}/login`)
    await page.getByRole('button', { name: 'เข้าสู่ระบบด้วย Google' }).click()
    await page.waitForURL(`${storefrontUrl()}/game`)
    await openAccount(page)
    await page.getByText('fresh-google@demo.shop').first().waitFor()
  })
})

describe('registration', () => {
  const good: Record<string, string> = { อีเมล: 'somsri@demo.shop', รหัสผ่าน: 'secret-99' }
  const fill = async (page: Page, values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
  }
  const submit = (page: Page) => page.getByRole('button', { name: 'สมัครสมาชิก', exact: true }).click()

  test('makes an account that buys at once and can sign in again; the address is taken from then on', async () => {
    const page = await browser.open()
    await page.goto(`${storefrontUrl()}/registration`)
    await fill(page, good)
    await submit(page)
    await page.waitForURL(`${storefrontUrl()}/game`)
    await choosePackage(page, { game: 'Free Fire', playerId: '5123480001', packageName: '310 เพชร' })
    await page.getByRole('radio', { name: /^พร้อมเพย์ QR/ }).click()
    await agree(page)
    await page.getByRole('button', { name: 'ยืนยัน ไปชำระเงิน' }).click()
    const orderNo = await payAtGateway(page, await browser.open({ viewport: DESKTOP }))
    await page.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
    await page.getByRole('link', { name: 'ดูสถานะคำสั่งซื้อ' }).click()
    await page.waitForURL(`**/purchase/details/${orderNo}`)
    const again = await browser.open()
    await signInToShop(again, good.อีเมล!, good.รหัสผ่าน)
    await openAccount(again)
    await again.getByText(good.อีเมล!).first().waitFor()
    const twin = await browser.open()
    await twin.goto(`${storefrontUrl()}/registration`)
    await fill(twin, good)
    await submit(twin)
    await twin
      .getByText(/อีเมลถูกใช้ไปกับบัญชีอื่นแล้ว/)
      .first()
      .waitFor()
  })
})

describe('mails of the identity provider', () => {
  /** The newest link the Auth emulator would have mailed to an address. */
  async function readMailedLink(email: string, kind: 'PASSWORD_RESET' | 'VERIFY_EMAIL'): Promise<string> {
    const auth = `http://localhost:${shopPorts().authEmulator}`
    const reply = await fetch(`${auth}/emulator/v1/projects/demo-shop/oobCodes`)
    const { oobCodes } = (await reply.json()) as { oobCodes: { email: string; requestType: string; oobLink: string }[] }
    const mail = oobCodes.findLast(each => each.email === email && each.requestType === kind)
    if (!mail) throw new Error(`no mail of ${kind} for ${email}`)
    return mail.oobLink
  }

  test('a forgotten password is replaced through the mailed link', async () => {
    const page = await browser.open()
    await page.goto(`${storefrontUrl()}/login`)
    await page.getByRole('button', { name: 'เข้าสู่ระบบด้วยอีเมล' }).click()
    await page.getByLabel('อีเมล').fill('pending@demo.shop')
    await page.getByRole('button', { name: 'ลืมรหัสผ่าน' }).click()
    await page.getByText(/ลิงก์ตั้งรหัสผ่านใหม่ส่งไปแล้ว/).waitFor()
    const link = await readMailedLink('pending@demo.shop', 'PASSWORD_RESET')
    expect((await fetch(`${link}&newPassword=brand-new-pass-1`)).ok).toBe(true)
    await signInToShop(page, 'pending@demo.shop', 'brand-new-pass-1')
  })

  test('an address is verified through the mailed link', async () => {
    const page = await browser.open()
    page.on('dialog', dialog => dialog.accept('unproven@demo.shop'))
    await page.goto(`${storefrontUrl()}/login`)
    await page.getByRole('button', { name: 'เข้าสู่ระบบด้วย Facebook' }).click()
    await page.waitForURL(`${storefrontUrl()}/game`)
    await openAccount(page)
    await page.getByRole('button', { name: 'ยืนยันอีเมล' }).click()
    await page.getByText(/ส่งอีเมลยืนยันไปที่ unproven@demo.shop แล้ว/).waitFor()
    expect((await fetch(await readMailedLink('unproven@demo.shop', 'VERIFY_EMAIL'))).ok).toBe(true)
    await page.reload()
    await page.getByLabel('ยืนยันแล้ว').waitFor()
  })
})

describe('accounts', () => {
  test('a wrong password keeps the address; a guarded page leads to sign-in and back', async () => {
    const page = await browser.open()
    await page.goto(`${storefrontUrl()}/user/demo-customer`)
    await page.getByText('กรุณาเข้าสู่ระบบเพื่อดูหน้านี้').first().waitFor()
    await page.waitForURL(/\/login/)
    await page.getByRole('button', { name: 'เข้าสู่ระบบด้วยอีเมล' }).click()
    await page.getByLabel('อีเมล').fill('customer@demo.shop')
    await page.getByLabel('รหัสผ่าน', { exact: true }).fill('wrong-password')
    await page.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
    await page.getByText('อีเมลหรือรหัสผ่านไม่ถูกต้อง').first().waitFor()
    expect(await page.getByLabel('อีเมล').inputValue()).toBe('customer@demo.shop')
    await page.getByLabel('รหัสผ่าน', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
    await page.waitForURL(/\/user\/demo-customer/)
  })

  test('a new agent must change password and PIN before anything else', async () => {
    const page = await browser.open()
    await signInToShop(page, 'newagent@demo.shop')
    await page.getByText('กรุณาเปลี่ยนรหัสผ่านก่อนเข้าใช้งาน').waitFor()
    await shoot(page, 'm-forced-password')
    await page.goto(`${storefrontUrl()}/wallet`)
    await page.getByText('กรุณาเปลี่ยนรหัสผ่านก่อนเข้าใช้งาน').waitFor()
    await page.getByLabel('รหัสผ่านปัจจุบัน').fill(PASSWORD)
    await page.getByLabel('รหัสผ่านใหม่', { exact: true }).fill('my-own-secret-1')
    await page.getByLabel('ยืนยันรหัสผ่านใหม่').fill('my-own-secret-1')
    await page.getByRole('button', { name: 'เปลี่ยนรหัสผ่าน' }).click()
    await page.getByText('กรุณาเปลี่ยน PIN ก่อนเข้าใช้งาน').waitFor()
    const changePin = async (oldPin: string, pin: string) => {
      await page.getByLabel('PIN เดิม').fill(oldPin)
      await page.getByLabel('PIN ใหม่', { exact: true }).fill(pin)
      await page.getByLabel('ยืนยัน PIN ใหม่').fill(pin)
      await page.getByRole('button', { name: 'เปลี่ยน PIN' }).click()
    }
    await changePin('9999', '4321')
    await page.getByText('PIN เดิมไม่ถูกต้อง').waitFor()
    await changePin('1234', '4321')
    await page.waitForURL(url => !url.pathname.startsWith('/user/'))
  })
})
