import { demoLine } from 'local/line-emulator/demo.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { payAtGateway } from './bank-counter.ts'
import { adminUrl, DESKTOP, lineEmulatorUrl, OFFICE, PHONE, shoot, useBrowser } from './browser.ts'
import { beInsideLine, inLineUrl, LINE_APP } from './line.ts'
import { agree, agreeAsSecond, askSecondPerson, choosePackage, signInToAdmin } from './people.ts'

const browser = useBrowser()

/** From the chosen package to the page after the order. */
async function confirm(buyer: Page, button: string): Promise<void> {
  await agree(buyer)
  await shoot(buyer, `m-credit-terms-${button.length}`)
  await buyer.getByRole('button', { name: button }).click()
}

/** The buyer pays for an order at the gateway, a manager refunds it, and the buyer takes the money as credit. */
async function takeRefundAsCredit(buyer: Page, bank: Page, manager: Page): Promise<string> {
  await choosePackage(buyer, { game: 'Free Fire', playerId: '5123458001', packageName: '100 ' })
  await buyer.getByRole('radio', { name: /^พร้อมเพย์ QR/ }).click()
  await confirm(buyer, 'ยืนยัน ไปชำระเงิน')
  const orderNo = await payAtGateway(buyer, bank)
  await buyer.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()

  await manager.goto(`${adminUrl()}/management/queue?order=${orderNo}`)
  const panel = manager.getByLabel(`รายละเอียดคำสั่งซื้อ ${orderNo}`)
  await panel.getByRole('button', { name: `ทำอย่างอื่นกับ ${orderNo}` }).click()
  await manager.getByRole('menuitem', { name: 'คืนเงิน…' }).click()
  await manager.getByRole('button', { name: 'ลูกค้าขอคืนเงิน' }).click()
  await manager.getByLabel('เหตุผล', { exact: true }).press('Enter')
  await panel.waitFor({ state: 'detached' })

  await buyer.goto(new URL(`/purchase/details/${orderNo}`, buyer.url()).href)
  await buyer.getByText('รับเป็นเครดิตร้าน ได้ทันที').waitFor()
  await shoot(buyer, 'm-credit-offer')
  await buyer.getByRole('button', { name: 'รับเป็นเครดิตร้าน' }).click()
  await buyer.getByRole('heading', { name: /เป็นเครดิตร้าน$/ }).waitFor()
  await shoot(buyer, 'm-credit-taken')
  return orderNo
}

test('a failed delivery is refunded to credit at once, which pays a part of the next order, the rest PromptPay', async () => {
  const buyer = await browser.open(LINE_APP)
  const [bank, manager] = [await browser.open({ viewport: DESKTOP }), await browser.open({ viewport: OFFICE })]
  await beInsideLine(buyer)
  await buyer.goto(await inLineUrl(demoLine.users.payer.userId, '/game'))
  await buyer.waitForFunction(() => localStorage.getItem('userinfo') !== null)
  await signInToAdmin(manager, 'manager2@demo.shop')
  const orderNo = await takeRefundAsCredit(buyer, bank, manager)

  // The way to pay is as it was chosen last.
  await buyer.goto(new URL('/game/freefire', buyer.url()).href)
  await buyer.getByLabel('Player ID', { exact: false }).first().fill('5123458001')
  await buyer.getByRole('radio', { name: /^310 เพชร/ }).click()
  await buyer.getByRole('checkbox', { name: /^ใช้เครดิตร้าน/ }).check()
  await buyer.getByText('ส่วนที่เหลือจ่ายด้วยวิธีด้านล่าง').waitFor()
  await shoot(buyer, 'm-credit-choice')
  await confirm(buyer, 'ยืนยัน ไปชำระเงิน')
  await buyer.getByRole('img', { name: /QR/ }).waitFor()
  await shoot(buyer, 'm-credit-rest')
  await payAtGateway(buyer, bank)
  await buyer.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()

  await buyer.goto(new URL('/game', buyer.url()).href)
  const uid = await buyer.evaluate(() => JSON.parse(localStorage.getItem('userinfo') ?? '{}').uid as string)
  await buyer.goto(new URL(`/user/${uid}?panel=credit`, buyer.url()).href)
  await buyer.getByText('ใช้กับคำสั่งซื้อ').waitFor()
  await shoot(buyer, 'm-credit-profile')
  await buyer.setViewportSize(DESKTOP)
  await shoot(buyer, 'd-credit-profile')
  expect(await buyer.getByText('รับเงินคืน').count()).toBeGreaterThan(0)
  const go = (path: string) => manager.goto(new URL(path, manager.url()).href)
  await go(`/management/refund?sent=true&text=${orderNo}`)
  await manager.getByText('ลูกค้าเลือกรับเอง').waitFor()
  await shoot(manager, 'a-credit-refund')
})

test('its owner sets the first PIN, gets the rest of the credit as money, and LINE tells of both steps', async () => {
  const owner = await browser.open({ ...LINE_APP, viewport: PHONE })
  const [bank, manager] = [await browser.open({ viewport: DESKTOP }), await browser.open({ viewport: OFFICE })]
  const second = await browser.open({ viewport: OFFICE })
  await beInsideLine(owner)
  await owner.goto(await inLineUrl(demoLine.users.friend.userId, '/game'))
  await owner.waitForFunction(() => localStorage.getItem('userinfo') !== null)
  const uid = await owner.evaluate(() => JSON.parse(localStorage.getItem('userinfo') ?? '{}').uid as string)
  await signInToAdmin(manager, 'manager2@demo.shop')
  await takeRefundAsCredit(owner, bank, manager)
  const credit = new URL(`/user/${uid}?panel=credit`, owner.url()).href
  await owner.goto(credit)
  await owner.getByText('รับเงินคืน').first().waitFor()
  // Without a PIN nothing is had as money, and the page leads to it.
  expect(await owner.getByRole('button', { name: 'ขอรับทั้งหมดเป็นเงินโอน' }).count()).toBe(0)
  await owner.getByRole('link', { name: 'ตั้ง PIN' }).click()
  const prove = owner.getByRole('button', { name: 'ยืนยันตัวตน' })
  const field = owner.getByLabel('PIN ใหม่', { exact: true })
  await prove.or(field).first().waitFor()
  if (await prove.isVisible()) {
    await prove.click()
    await owner.getByRole('button', { name: 'ยืนยันด้วย LINE' }).click()
  }
  await field.fill('4821')
  await owner.getByLabel('ยืนยัน PIN ใหม่', { exact: true }).fill('4821')
  await shoot(owner, 'm-credit-first-pin')
  await owner.getByRole('button', { name: 'ตั้ง PIN' }).click()
  await owner.getByText('ตั้ง PIN สำเร็จ').waitFor()

  await owner.goto(credit)
  await owner.getByRole('button', { name: 'ขอรับทั้งหมดเป็นเงินโอน' }).click()
  await owner.getByLabel('รับเงินทาง').selectOption('กสิกรไทย')
  await owner.getByLabel('เลขที่บัญชี').fill('4051236789')
  await owner.getByLabel('ชื่อบัญชี').fill('ใจดี มีสุข')
  await owner.getByLabel('PIN', { exact: true }).fill('1111')
  await owner.getByRole('button', { name: 'ขอรับเป็นเงินโอน' }).click()
  await owner.getByText(/^PIN ไม่ถูกต้อง/).waitFor()
  await owner.getByLabel('PIN', { exact: true }).fill('4821')
  await owner.getByRole('button', { name: 'ขอรับเป็นเงินโอน' }).click()
  await owner.getByRole('heading', { name: 'รับเป็นเงินโอน' }).waitFor()
  await owner.getByText('กสิกรไทย x6789').waitFor()
  await shoot(owner, 'm-credit-withdrawal')
  await owner.setViewportSize(DESKTOP)
  await shoot(owner, 'd-credit-withdrawal')

  const line = await browser.open({ viewport: { width: 1440, height: 1000 } })
  await line.goto(`${lineEmulatorUrl()}/?user=${demoLine.users.friend.userId}`)
  const chat = line.getByRole('region', { name: /^แชตของ/ })
  await chat.getByText('มีการขอรับเครดิตร้านเป็นเงินโอน').first().waitFor()
  await shoot(line, 'd-credit-told')

  await manager.goto(`${adminUrl()}/management/refund`)
  const row = manager.getByRole('row').filter({ hasText: 'ขอรับเครดิตร้านเป็นเงินโอน' })
  await row.getByText('4051236789').waitFor()
  expect(await row.getByRole('button', { name: /บัญชีรับเงินของ/ }).count()).toBe(0)
  await shoot(manager, 'a-credit-withdrawal')
  // A gateway does not tell who paid, so nobody knows whether the account is the owner's.
  await row.getByText('ไม่ทราบบัญชีที่โอนมา').waitFor()
  await askSecondPerson(manager, row, /^ขอยืนยัน บัญชีรับเงิน/, 'ขอยืนยัน')
  await agreeAsSecond(second, 'manager@demo.shop', /กสิกรไทย x6789 ใจดี มีสุข/)
  await manager.reload()
  await row.getByRole('button', { name: /^บันทึกว่า โอนคืนแล้ว/ }).click()
  const dialog = manager.getByRole('dialog')
  await dialog.getByLabel('โอนออกจากบัญชี').click()
  await manager.locator('.ant-select-item-option').first().click()
  await dialog.getByLabel('เลขอ้างอิงการโอน').fill('TR-2027')
  await shoot(manager, 'a-credit-withdrawal-send')
  await dialog.getByRole('button', { name: /^โอนคืนแล้ว ฿/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await chat.getByText('ร้านโอนเงินจากเครดิตร้านของคุณแล้ว').first().waitFor()
})
