import { demoLine } from 'local/line-emulator/demo.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { orderNoOn } from './bank-counter.ts'
import { DESKTOP, OFFICE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { beInsideLine, inLineUrl, LINE_APP } from './line.ts'
import { agree, choosePackage, signInToAdmin, signInToShop } from './people.ts'
import { shopPorts } from './shop.ts'

const browser = useBrowser()
const gatewayUrl = () => `http://localhost:${shopPorts().gateway}`

/** Orders by a method of the gateway, and stands before the payment page. */
async function orderBy(buyer: Page, method: string, playerId: string): Promise<void> {
  await choosePackage(buyer, { game: 'Free Fire', playerId, packageName: '310 เพชร' })
  await buyer.getByRole('radio', { name: new RegExp(`^${method}`) }).click()
  await shoot(buyer, `m-choose-${playerId}`)
  await agree(buyer)
  await buyer.getByRole('button', { name: 'ยืนยัน ไปชำระเงิน' }).click()
  await buyer.waitForURL(/\/payment/)
}

test('a guest pays by PromptPay and sees that the money came, by itself', async () => {
  const [guest, bank] = [await browser.open(), await browser.open({ viewport: DESKTOP })]
  await orderBy(guest, 'พร้อมเพย์ QR', '5123457001')
  await guest.getByRole('img', { name: /QR/ }).waitFor()
  await guest.getByText('Omise').waitFor()
  await shoot(guest, 'm-promptpay')
  await guest.setViewportSize(DESKTOP)
  await shoot(guest, 'd-promptpay')
  await guest.reload()
  await guest.getByRole('img', { name: /QR/ }).waitFor()
  await bank.goto(gatewayUrl())
  // A reload asks for no second charge.
  expect(await bank.getByRole('button', { name: /^จ่าย KT/ }).count()).toBe(1)
  await shoot(bank, 'd-gateway')
  const began = performance.now()
  await bank.getByRole('button', { name: /^จ่าย KT/ }).click()
  await guest.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
  const seconds = (performance.now() - began) / 1000
  console.log(`told ${seconds.toFixed(1)} s after it was paid`)
  // Two on a quiet machine; without the webhook it would be thirty.
  expect(seconds).toBeLessThan(8)
  await shoot(guest, 'd-promptpay-paid')
  const orderNo = await orderNoOn(guest)

  const staff = await browser.open({ viewport: OFFICE })
  await signInToAdmin(staff, 'staff@demo.shop', `/management/details/${orderNo}`)
  await staff.getByText('พร้อมเพย์ QR').first().waitFor()
  await shoot(staff, 'a-promptpay')
})

test('inside LINE a customer pays in another app, comes back to the order, and it goes on', async () => {
  const customer = await browser.open(LINE_APP)
  await beInsideLine(customer)
  await customer.goto(await inLineUrl(demoLine.users.payer.userId, '/game'))
  await customer.waitForFunction(() => localStorage.getItem('userinfo') !== null)
  await orderBy(customer, 'TrueMoney Wallet', '5123457002')
  const orderNo = await orderNoOn(customer)
  const leave = customer.getByRole('link', { name: 'ไปจ่ายที่ TrueMoney Wallet' })
  await leave.waitFor()
  await shoot(customer, 'm-truemoney')
  await leave.click()
  await customer.waitForURL(url => url.port === `${shopPorts().gateway}`)
  await customer.getByRole('button', { name: `จ่าย ${orderNo}` }).click()
  await customer.waitForURL(url => url.origin === storefrontUrl())
  await customer.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
  expect(await orderNoOn(customer)).toBe(orderNo)
  await shoot(customer, 'm-truemoney-paid')
})

test('a refused payment loses nothing: the buyer is told, changes the way, and pays', async () => {
  const [guest, bank] = [await browser.open(), await browser.open({ viewport: DESKTOP })]
  await orderBy(guest, 'พร้อมเพย์ QR', '5123457003')
  await guest.getByRole('img', { name: /QR/ }).waitFor()
  await bank.goto(gatewayUrl())
  await bank
    .getByRole('button', { name: /^ปฏิเสธ KT/ })
    .first()
    .click()
  await guest.getByText('ชำระไม่สำเร็จ ยังไม่มีการตัดเงิน').waitFor()
  await shoot(guest, 'm-promptpay-refused')
  await guest.getByRole('button', { name: 'ลองอีกครั้ง' }).click()
  await guest.getByRole('img', { name: /QR/ }).waitFor()
  await bank.goto(gatewayUrl())
  await bank
    .getByRole('button', { name: /^จ่าย KT/ })
    .first()
    .click()
  await guest.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
})

test('an agent tops up 500 baht by PromptPay, and sees the balance by itself', async () => {
  const [agent, bank] = [await browser.open(), await browser.open({ viewport: DESKTOP })]
  await signInToShop(agent, 'agent@demo.shop')
  await agent.goto(`${storefrontUrl()}/wallet`)
  await agent.getByRole('button', { name: 'เติมเงิน', exact: true }).click()
  await agent.getByLabel('จำนวนเงิน (บาท)').fill('500')
  await agent.getByRole('radio', { name: /^พร้อมเพย์ QR/ }).click()
  await shoot(agent, 'm-top-up-choose')
  await agent.getByRole('button', { name: 'ไปชำระเงิน' }).click()
  await agent.waitForURL(/\/wallet\/topup\//)
  await agent.getByRole('img', { name: /QR/ }).waitFor()
  await shoot(agent, 'm-top-up-pay')
  // Left and found again, it asks for no second charge.
  await agent.getByRole('link', { name: 'ไว้จ่ายภายหลัง' }).click()
  await agent.getByRole('link', { name: /^จ่ายต่อ WT/ }).waitFor()
  await shoot(agent, 'm-top-up-unpaid')
  await agent.getByRole('link', { name: /^จ่ายต่อ WT/ }).click()
  await agent.getByRole('img', { name: /QR/ }).waitFor()
  await bank.goto(gatewayUrl())
  expect(await bank.getByRole('button', { name: /^จ่าย WT/ }).count()).toBe(1)
  await bank.getByRole('button', { name: /^จ่าย WT/ }).click()
  const began = Date.now()
  await agent.getByText('เงินเข้ากระเป๋าเงินแล้ว').waitFor()
  console.log(`told ${((Date.now() - began) / 1000).toFixed(1)} s after it was paid`)
  await agent.getByText('500', { exact: false }).first().waitFor()
  await shoot(agent, 'm-top-up-paid')
  await agent.getByRole('link', { name: 'ไปที่กระเป๋าเงิน' }).click()
  await agent.getByText('เติมเงิน · พร้อมเพย์ QR').first().waitFor()
  await shoot(agent, 'm-top-up-history')

  const staff = await browser.open({ viewport: OFFICE })
  await signInToAdmin(staff, 'manager@demo.shop', '/management/wallet?status=approve')
  await staff.getByText('ฝาก · พร้อมเพย์ QR').first().waitFor()
  await shoot(staff, 'a-top-ups')
  await staff
    .getByRole('link', { name: /^ดูรายละเอียด WT/ })
    .first()
    .click()
  await staff.getByText('Opn Payments').first().waitFor()
  expect(await staff.getByRole('button', { name: 'ดึงเงินคืน…' }).count()).toBe(0)
  await shoot(staff, 'a-top-up-gateway')
})
