import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { payAtGateway, transfer } from './bank-counter.ts'
import { DESKTOP, storefrontUrl, useBrowser } from './browser.ts'
import { agree, signInToShop } from './people.ts'

// How often a buyer taps, as decision 0049 tells it; typing, the bank's app and its picture are not counted.

const browser = useBrowser()

async function countTaps(page: Page): Promise<() => number> {
  let taps = 0
  await page.exposeFunction('tapped', () => {
    taps++
  })
  await page.addInitScript('addEventListener("pointerdown", () => tapped(), true)')
  return () => taps
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).filter({ visible: true }).click()
const choose = (page: Page, name: RegExp) => page.getByRole('radio', { name }).click()
const accept = (page: Page, name: RegExp) => page.getByRole('checkbox', { name }).check()

async function openGame(page: Page, name: RegExp): Promise<void> {
  await page.goto(`${storefrontUrl()}/game`)
  await page.locator('a[href^="/game/"]').filter({ hasText: name }).first().click()
}

test('a guest pays by PromptPay in 5 taps', async () => {
  const guest = await browser.open()
  const taps = await countTaps(guest)
  await openGame(guest, /Free Fire/)
  await guest.getByLabel('Player ID').first().fill('5123470001')
  await choose(guest, /^310 เพชร/)
  await press(guest, 'ดำเนินการต่อ')
  await accept(guest, /^ยอมรับเงื่อนไข/)
  await press(guest, 'ยืนยัน ไปชำระเงิน')
  await payAtGateway(guest, await browser.open({ viewport: DESKTOP }))
  await guest.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
  expect(taps()).toBe(5)
})

test('a guest pays by a transfer with its slip in 7 taps, and by another one the next time in 4', async () => {
  const [guest, bank] = [await browser.open(), await browser.open({ viewport: DESKTOP })]
  const taps = await countTaps(guest)
  await openGame(guest, /Free Fire/)
  await guest.getByLabel('Player ID').first().fill('5123470002')
  await choose(guest, /^310 เพชร/)
  await choose(guest, /^โอนเงินธนาคาร/)
  await press(guest, 'ดำเนินการต่อ')
  await accept(guest, /^ยอมรับเงื่อนไข/)
  await press(guest, 'ยืนยัน รับยอดโอน')
  const words = guest.getByText(/^\d+ บาท \d+ สตางค์$/).first()
  const [, baht, satang] = /^(\d+) บาท (\d+) สตางค์$/.exec((await words.textContent())!)!
  const slip = { name: 'slip.jpg', mimeType: 'image/jpeg', buffer: await transfer(bank, `${baht}.${satang}`) }
  await guest.locator('input[type=file]').first().setInputFiles(slip)
  await guest
    .getByText(/แล้ว พบเลขอ้างอิงบนสลิป/)
    .filter({ visible: true })
    .waitFor()
  await press(guest, 'โอนแล้ว แจ้งชำระเงิน')
  await guest.waitForURL(/\/thankyou/)
  expect(taps()).toBe(7)

  // The way of the last time is chosen, and the terms in force are accepted.
  await openGame(guest, /RoV/)
  await guest.getByLabel('OpenID').fill('9F2C11A0B7')
  await guest.getByLabel('ชื่อในเกม').fill('สายฟ้าฟาด')
  await choose(guest, /^230 คูปอง/)
  await press(guest, 'ดำเนินการต่อ')
  await guest.getByText(/^ยังไม่ได้ตรวจชื่อ/).waitFor()
  await press(guest, 'ยืนยัน รับยอดโอน')
  await guest.getByText('ยอดที่ต้องโอน').first().waitFor()
  expect(taps()).toBe(7 + 4)
})

test('a guest buys a code and sees it in 7 taps', async () => {
  const guest = await browser.open()
  const taps = await countTaps(guest)
  await openGame(guest, /Steam/)
  await choose(guest, /^100 บาท/)
  await press(guest, 'ดำเนินการต่อ')
  await accept(guest, /อ่านและเข้าใจ/)
  await accept(guest, /^ยอมรับเงื่อนไข/)
  await press(guest, 'ยืนยัน ไปชำระเงิน')
  await payAtGateway(guest, await browser.open({ viewport: DESKTOP }))
  const card = guest.getByRole('region', { name: 'รหัสของคุณ' })
  await card.getByRole('button', { name: 'แสดงรหัส' }).first().click()
  await card.getByText('ดูครั้งแรกเมื่อ').waitFor()
  expect(taps()).toBe(7)
})

test('who bought before and is known buys the same again in 3 taps, on whatever device', async () => {
  for (const isFirst of [true, false]) {
    const customer = await browser.open()
    await signInToShop(customer, 'customer@demo.shop')
    await customer.goto(`${storefrontUrl()}/purchase/history`)
    const taps = await countTaps(customer)
    await customer.reload()
    await customer
      // The demo shop's past has players of PUBG whom its stand-in does not know.
      .getByRole('button', { name: /^เติมอีก (?!.*PUBG)/ })
      .filter({ visible: true })
      .first()
      .click()
    if (isFirst) await agree(customer)
    else await press(customer, 'ดำเนินการต่อ')
    await customer
      .getByRole('button', { name: /^ยืนยัน (ไปชำระเงิน|รับยอดโอน)/ })
      .filter({ visible: true })
      .click()
    await customer.waitForURL(/\/payment/)
    if (!isFirst) expect(taps()).toBe(3)
    await customer.goto(`${storefrontUrl()}/payment`)
    await press(customer, 'ยกเลิกคำสั่งซื้อ')
    await customer.getByRole('dialog').getByRole('button', { name: 'ยกเลิกคำสั่งซื้อ', exact: true }).click()
    await customer.getByText(/สำเร็จ/).first().waitFor()
  }
})
