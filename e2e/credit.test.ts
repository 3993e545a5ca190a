import { demoLine } from 'local/line-emulator/demo.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { orderNoOn } from './bank-counter.ts'
import { DESKTOP, OFFICE, shoot, useBrowser } from './browser.ts'
import { beInsideLine, inLineUrl, LINE_APP } from './line.ts'
import { choosePackage, signInToAdmin } from './people.ts'
import { shopPorts } from './shop.ts'

const browser = useBrowser()

/** From the chosen package to the page after the order. */
async function confirm(buyer: Page, button: string): Promise<void> {
  await buyer.getByRole('button', { name: 'ดำเนินการต่อ' }).filter({ visible: true }).click()
  await buyer.waitForURL(/\/terms/)
  await buyer.getByText('เงื่อนไขสำคัญ').waitFor()
  const box = buyer.getByRole('checkbox', { name: /ยอมรับเงื่อนไข/ })
  if (await box.isVisible()) await box.check()
  await shoot(buyer, `m-credit-terms-${button.length}`)
  await buyer.getByRole('button', { name: button }).click()
}

/** Pays the charge that was asked for last, at the gateway's own page. */
async function payAtGateway(bank: Page): Promise<void> {
  await bank.goto(`http://localhost:${shopPorts().gateway}`)
  await bank
    .getByRole('button', { name: /^จ่าย KT/ })
    .first()
    .click()
}

test('a failed delivery is refunded to credit at once, which pays a part of the next order, the rest PromptPay', async () => {
  const buyer = await browser.open(LINE_APP)
  const [bank, manager] = [await browser.open({ viewport: DESKTOP }), await browser.open({ viewport: OFFICE })]
  await beInsideLine(buyer)
  await buyer.goto(await inLineUrl(demoLine.users.payer.userId, '/game'))
  await buyer.waitForFunction(() => localStorage.getItem('userinfo') !== null)
  await choosePackage(buyer, { game: 'Free Fire', playerId: '5123458001', packageName: '100 ' })
  await buyer.getByRole('radio', { name: /^พร้อมเพย์ QR/ }).click()
  await confirm(buyer, 'ยืนยัน ไปชำระเงิน')
  await buyer.getByRole('img', { name: /QR/ }).waitFor()
  await payAtGateway(bank)
  await buyer.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor({ timeout: 15_000 })
  const orderNo = await orderNoOn(buyer)

  await signInToAdmin(manager, 'manager2@demo.shop', `/management/queue?order=${orderNo}`)
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
  await buyer.getByRole('heading', { name: 'คืนเงินแล้ว' }).waitFor()
  await shoot(buyer, 'm-credit-taken')

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
  await payAtGateway(bank)
  await buyer.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor({ timeout: 15_000 })

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
