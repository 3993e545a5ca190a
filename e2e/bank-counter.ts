import type { Locator, Page } from 'playwright-core'
import { agreeAndOrder, choosePackage } from './people.ts'
import { shopPorts } from './shop.ts'

/** Pays at the gateway's own page what a buyer's page asks for by its QR. Returns the order's number. */
export async function payAtGateway(buyer: Page, bank: Page): Promise<string> {
  await buyer.getByRole('img', { name: /QR/ }).waitFor()
  const orderNo = await orderNoOn(buyer)
  await bank.goto(`http://localhost:${shopPorts().gateway}`)
  await bank.getByRole('button', { name: `จ่าย ${orderNo}` }).click()
  return orderNo
}

export const bankUrl = () => `http://localhost:${shopPorts().slipProvider}`

/** Presses a button of the bank's page that hands a slip out as a picture. */
async function takeSlip(bank: Page, button: Locator): Promise<Buffer> {
  const [download] = await Promise.all([bank.waitForEvent('download'), button.click()])
  const chunks: Buffer[] = []
  for await (const chunk of (await download.createReadStream())!) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Makes the transfer that an order waits for at the bank's page, and returns its slip as a picture. */
export async function transfer(bank: Page, amount: string, fault?: string): Promise<Buffer> {
  await bank.goto(bankUrl())
  const row = bank.getByRole('listitem').filter({ hasText: `${amount} บาท` })
  if (fault) await row.getByRole('combobox').selectOption({ label: fault })
  return takeSlip(bank, row.getByRole('button', { name: /โอนให้ KT/ }))
}

/** Makes a transfer that no order waits for; the account is one of the shop's. */
export async function transferTo(bank: Page, accountNo: string, amount: string): Promise<Buffer> {
  await bank.goto(bankUrl())
  const accounts = bank.getByLabel('บัญชีผู้รับ')
  const account = await accounts.locator('option', { hasText: accountNo }).getAttribute('value')
  await accounts.selectOption(account)
  await bank.getByLabel('ยอดเงิน (บาท)').fill(amount)
  return takeSlip(bank, bank.getByRole('button', { name: 'โอนเงินและรับสลิป', exact: true }).last())
}

/** A guest orders and stands before the payment page. Returns the amount as "99.37". */
export async function orderAndRead(guest: Page, choice: Parameters<typeof choosePackage>[1]): Promise<string> {
  await choosePackage(guest, choice)
  await agreeAndOrder(guest)
  const words = (await guest
    .getByText(/^\d+ บาท \d+ สตางค์$/)
    .first()
    .textContent())!
  const [, baht, satang] = /^(\d+) บาท (\d+) สตางค์$/.exec(words)!
  return `${baht}.${satang}`
}

export async function reportWith(guest: Page, slip: Buffer): Promise<void> {
  const picker = guest.locator('input[type=file]').first()
  await picker.setInputFiles({ name: 'slip.jpg', mimeType: 'image/jpeg', buffer: slip })
  await guest
    .getByText(/แล้ว พบเลขอ้างอิงบนสลิป/)
    .filter({ visible: true })
    .waitFor()
  await guest.getByRole('button', { name: 'โอนแล้ว แจ้งชำระเงิน' }).filter({ visible: true }).click()
  await guest.waitForURL(/\/thankyou/)
}

export const orderNoOn = async (guest: Page): Promise<string> =>
  (await guest
    .getByText(/^KT\d{4}-\d{8}$/)
    .first()
    .textContent())!
