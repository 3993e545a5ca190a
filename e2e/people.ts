import type { Page } from 'playwright-core'
import { adminUrl, storefrontUrl } from './browser.ts'

export const PASSWORD = 'demo-1234'

/** A staff member opens a page of the admin site and signs in on the way. */
export async function signInToAdmin(page: Page, email: string, path = '/management/history'): Promise<void> {
  await page.goto(`${adminUrl()}${path}`)
  await page.getByLabel('อีเมล').fill(email)
  await page.getByLabel('รหัสผ่าน').fill(PASSWORD)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
  await page.waitForURL(url => url.pathname === path.split('?')[0])
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

/** From the game list to the terms, choosing the first bank. */
export async function choosePackage(
  page: Page,
  choice: { game: string; playerId: string; packageName: string },
): Promise<void> {
  await page.goto(`${storefrontUrl()}/game`)
  await page
    .getByRole('link', { name: new RegExp(choice.game) })
    .first()
    .click()
  await page.waitForURL(/\/game\/\w+/)
  await page.getByLabel('Player ID', { exact: false }).first().fill(choice.playerId)
  await page.getByRole('radio', { name: new RegExp(`^${choice.packageName}`) }).click()
  await page.getByRole('radio', { name: /กสิกรไทย/ }).click()
}

/** Agrees to the terms, which signed-in people are asked for only once, and places the order. */
export async function agreeAndOrder(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'ดำเนินการต่อ' }).filter({ visible: true }).click()
  await page.waitForURL(/\/terms/)
  await page.getByText('เงื่อนไขสำคัญ').waitFor()
  const box = page.getByRole('checkbox', { name: /ยอมรับเงื่อนไข.*โอนเงินให้ตรงทุกสตางค์/ })
  if (await box.isVisible()) await box.check()
  await page.getByRole('button', { name: 'ยืนยัน รับยอดโอน' }).click()
  await page.waitForURL(/\/payment/)
}

/** Says on the payment page that the money was transferred, and that there is no slip to send. */
export async function reportWithoutSlip(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'โอนแล้ว แจ้งชำระเงิน' }).filter({ visible: true }).click()
  await page.getByRole('button', { name: 'แจ้งโดยไม่แนบสลิป' }).click()
}
