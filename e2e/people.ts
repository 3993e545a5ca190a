import type { Locator, Page } from 'playwright-core'
import { adminUrl, shoot, storefrontUrl } from './browser.ts'

export const PASSWORD = 'demo-1234'

/** A staff member opens a page of the admin site and signs in on the way. */
export async function signInToAdmin(page: Page, email: string, path = '/management/history'): Promise<void> {
  await page.goto(`${adminUrl()}${path}`)
  await page.getByLabel('อีเมล').fill(email)
  await page.getByLabel('รหัสผ่าน').fill(PASSWORD)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
  await page.waitForURL(url => url.pathname === path.split('?')[0])
}

/** A manager asks for a second person in a row of the admin site. */
export async function askSecondPerson(page: Page, row: Locator, button: RegExp, okText: string): Promise<void> {
  await row.getByRole('button', { name: button }).click()
  await page.getByRole('dialog').getByRole('button', { name: okText }).click()
  const sent = page.getByRole('dialog', { name: 'ส่งให้คนที่สองยืนยันแล้ว' })
  await sent.getByRole('button', { name: 'ปิด' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** Another member of the staff signs in and agrees to what is asked, by a text of its row. */
export async function agreeAsSecond(page: Page, email: string, asked: RegExp): Promise<void> {
  await signInToAdmin(page, email, '/management/secondword')
  const row = page.getByRole('row').filter({ hasText: asked })
  await row.waitFor()
  await shoot(page, `a-second-word-${email.split('@')[0]}`)
  await row.getByRole('button', { name: /^ยืนยัน / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'ยืนยัน', exact: true }).click()
  await page.getByText('ยืนยันแล้ว รายการทำเสร็จแล้ว').waitFor()
}

/** A customer or agent signs in to the storefront with email and password. */
export async function signInToShop(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${storefrontUrl()}/login`)
  await page.getByRole('button', { name: 'เข้าสู่ระบบด้วยอีเมล' }).click()
  await page.getByLabel('อีเมล').fill(email)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
  await page.waitForURL(url => url.pathname !== '/login')
}

/** From the game list to the terms, choosing a transfer to the first bank. */
export async function choosePackage(
  page: Page,
  choice: { game: string; playerId: string; packageName: string },
): Promise<void> {
  await page.goto(`${storefrontUrl()}/game`)
  // An order of the same game that is under way stands above the games.
  await page.locator('a[href^="/game/"]').filter({ hasText: choice.game }).first().click()
  await page.waitForURL(/\/game\/\w+/)
  await page.getByLabel('Player ID', { exact: false }).first().fill(choice.playerId)
  await page.getByRole('radio', { name: new RegExp(`^${choice.packageName}`) }).click()
  await page.getByRole('radio', { name: /^โอนเงินธนาคาร/ }).click()
  await page.getByRole('radio', { name: /กสิกรไทย/ }).click()
}

/** From the purchase page on to that of the terms, which are agreed to where they are asked for. */
export async function agree(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'ดำเนินการต่อ' }).filter({ visible: true }).click()
  await page.waitForURL(/\/terms/)
  await page.getByText('เงื่อนไขสำคัญ').waitFor()
  const box = page.getByRole('checkbox', { name: /^ยอมรับเงื่อนไข/ })
  if (await box.isVisible()) await box.check()
}

/** Agrees to the terms and orders by a transfer. */
export async function agreeAndOrder(page: Page): Promise<void> {
  await agree(page)
  await page.getByRole('button', { name: 'ยืนยัน รับยอดโอน' }).click()
  await page.waitForURL(/\/payment/)
}

/** Says on the payment page that the money was transferred, and that there is no slip to send. */
export async function reportWithoutSlip(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'โอนแล้ว แจ้งชำระเงิน' }).filter({ visible: true }).click()
  await page.getByRole('button', { name: 'แจ้งโดยไม่แนบสลิป' }).click()
}

/** Opens the form for a top-up on the wallet's page, to be paid by a transfer that people approve. */
export async function topUpByTransfer(agent: Page): Promise<Locator> {
  await agent.getByRole('button', { name: 'เติมเงิน', exact: true }).click()
  const dialog = agent.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^โอนเงินและแนบสลิป/ }).click()
  return dialog
}
