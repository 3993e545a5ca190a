import { openDatabase } from 'functions/src/database/database.ts'
import { checkLedger } from 'functions/src/wallet/ledger-check.ts'
import { drawSlip } from 'local/demo-slip.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { adminUrl, DESKTOP, OFFICE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { agree, signInToAdmin, signInToShop, topUpByTransfer } from './people.ts'
import { shopPorts } from './shop.ts'

const browser = useBrowser()
const PIN = '1234'
const drawOwnSlip = () => drawSlip('004', '015300000000XYZ00001')

/** The first amount in a text, as a number of satang. */
function satangOf(text: string): number {
  const [, baht, satang] = /([\d,]+)\.(\d\d)/.exec(text) ?? []
  if (!baht || !satang) throw new Error(`there is no amount in: ${text}`)
  return Number(baht.replaceAll(',', '')) * 100 + Number(satang)
}

/** A figure of the wallet page. */
const readFigure = async (page: Page, name: string): Promise<number> =>
  satangOf(await page.locator('dt', { hasText: name }).locator('xpath=following-sibling::dd').first().innerText())

async function openWallet(page: Page): Promise<void> {
  await page.goto(`${storefrontUrl()}/wallet`)
  await page.locator('dt', { hasText: 'ยอดคงเหลือ' }).waitFor()
}

async function typePin(page: Page, pin: string): Promise<void> {
  await page.getByLabel('กรุณากรอก PIN เพื่อยืนยันการเติมเงิน').first().pressSequentially(pin)
}

test('an agent tops up with a slip, a manager approves, the agent buys with the PIN; all of it agrees with the ledger', async () => {
  const agent = await browser.open({ viewport: DESKTOP })
  await signInToShop(agent, 'agent@demo.shop')
  await openWallet(agent)
  const startSatang = await readFigure(agent, 'ยอดคงเหลือ')
  const waitingSatang = await readFigure(agent, 'รออนุมัติ')

  const dialog = await topUpByTransfer(agent)
  const amount = dialog.getByLabel('จำนวนเงิน (บาท)')
  const send = dialog.getByRole('button', { name: 'ส่งคำขอเติมเงิน' })
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'slip.jpg', mimeType: 'image/jpeg', buffer: await drawOwnSlip() })
  await amount.fill('90000')
  await dialog.getByText(/คุณสามารถเติมเงินได้สูงสุด [\d,.]+ บาท/).waitFor()
  await amount.fill('100')
  await send.click({ force: true })
  await dialog.getByText('คุณสามารถเติมเงินได้ต่ำสุด 500 บาท').waitFor()
  expect(await dialog.getByRole('img', { name: /QR พร้อมเพย์/ }).count()).toBe(0)
  await amount.fill('1500.50')
  await dialog.getByRole('img', { name: 'QR พร้อมเพย์ ยอด 1,500.50 บาท' }).waitFor()
  await shoot(agent, 'd-top-up')
  await send.click()
  await dialog.waitFor({ state: 'hidden' })
  await agent.getByText('ส่งคำขอ ฿1,500.50 แล้ว รออนุมัติ').waitFor()
  await expect.poll(() => readFigure(agent, 'รออนุมัติ')).toBe(waitingSatang + 150_050)
  expect(await readFigure(agent, 'ยอดคงเหลือ')).toBe(startSatang)

  const manager = await browser.open({ viewport: OFFICE })
  await signInToAdmin(manager, 'manager@demo.shop', '/management/wallet')
  await manager.getByText('1,500.50').first().click()
  await manager.getByRole('img', { name: /สลิป/ }).first().waitFor()
  await shoot(manager, 'a-approval')
  await manager.getByRole('button', { name: 'อนุมัติ ฿1,500.50' }).click()
  await manager.getByText(/^อนุมัติ ฿1,500.50 ให้ .* แล้ว$/).waitFor()

  await openWallet(agent)
  expect(await readFigure(agent, 'ยอดคงเหลือ')).toBe(startSatang + 150_050)
  expect(await readFigure(agent, 'เติมเดือนนี้')).toBeGreaterThanOrEqual(150_050)
  await shoot(agent, 'd-wallet')

  await agent.goto(`${storefrontUrl()}/game/freefire`)
  await agent.getByLabel('Player ID').first().fill('5199999999')
  await agent.getByRole('radio', { name: /^310 เพชร/ }).click()
  await agree(agent)
  await agent.getByRole('button', { name: 'ยืนยันการสั่งซื้อ' }).filter({ visible: true }).click()
  await agent.getByRole('dialog').getByText('ยืนยันการเติมเงิน').first().waitFor()
  await typePin(agent, '0000')
  await agent
    .getByText(/PIN ไม่ถูกต้อง เหลืออีก 4 ครั้ง/)
    .first()
    .waitFor()
  await typePin(agent, PIN)
  await agent.waitForURL(/\/thankyou/)
  await agent.getByRole('heading', { name: 'สั่งซื้อสำเร็จ' }).waitFor()

  // Wallet price 96 baht, gold discount 10 baht.
  await openWallet(agent)
  expect(await readFigure(agent, 'ยอดคงเหลือ')).toBe(startSatang + 150_050 - 8_600)
  await agent.getByText('−86.00').first().waitFor()
  await agent.getByRole('button', { name: 'ใบแจ้งยอด' }).click()
  const statement = agent.getByRole('dialog', { name: 'ใบแจ้งยอด' })
  // The agent has bought the same before; the statement's last line is this one.
  await statement.getByText('−86.00').last().waitFor()
  await shoot(agent, 'd-statement')

  // The owner looks at the reseller: the same month, on the same page as balance, limits and the last order.
  await manager.goto(`${adminUrl()}/management/agent`)
  await manager.getByRole('link', { name: 'ร้านปิติเกม' }).click()
  const month = manager.getByRole('region', { name: 'ใบแจ้งยอด' })
  await month.getByText('−86.00').last().waitFor()
  await month.getByText('+1,500.50').waitFor()
  const balance = manager.getByRole('region', { name: 'ยอดคงเหลือ' })
  expect(satangOf(await balance.innerText())).toBe(startSatang + 141_450)
  await manager
    .getByRole('region', { name: 'คำสั่งซื้อล่าสุด' })
    .getByRole('link', { name: /310 เพชร/ })
    .waitFor()
  await shoot(manager, 'a-agent')

  const db = openDatabase(`postgresql://postgres@127.0.0.1:${shopPorts().postgres}/shop`)
  try {
    const [row] = await db.query<{ balance: number; entries: number }>({
      text: `SELECT w.balance_satang AS balance, sum(e.amount_satang)::bigint AS entries FROM wallet w
        JOIN ledger_entry e ON e.account = 'wallet:' || w.id WHERE w.uid = 'demo-agent' GROUP BY w.id`,
    })
    expect(row).toEqual({ balance: startSatang + 141_450, entries: startSatang + 141_450 })
    const { breaches } = await checkLedger(db)
    expect(breaches).toEqual([])
  } finally {
    await db.close()
  }
})

test('the same bank transfer tops up only once', async () => {
  const agent = await browser.open({ viewport: DESKTOP })
  await signInToShop(agent, 'agent2@demo.shop')
  await openWallet(agent)
  const dialog = await topUpByTransfer(agent)
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'slip.jpg', mimeType: 'image/jpeg', buffer: await drawOwnSlip() })
  await dialog.getByText('สลิปนี้ใช้กับรายการอื่นแล้ว กรุณาแนบสลิปของรายการนี้ หรือติดต่อร้าน').first().waitFor()
})

test('wrong PINs lock a wallet: its owner reads it wherever the wallet is, and a manager gives a new PIN', async () => {
  const agent = await browser.open()
  await signInToShop(agent, 'agent2@demo.shop')
  await agent.goto(`${storefrontUrl()}/game/freefire`)
  await agent.getByLabel('Player ID').first().fill('5199999998')
  await agent.getByRole('radio', { name: /^310 เพชร/ }).click()
  await agree(agent)
  const buy = agent.getByRole('button', { name: 'ยืนยันการสั่งซื้อ' }).filter({ visible: true })
  await buy.click()
  for (const left of [4, 3, 2, 1]) {
    await typePin(agent, '0000')
    await agent.getByText(`PIN ไม่ถูกต้อง เหลืออีก ${left} ครั้ง`).first().waitFor()
  }
  await typePin(agent, '0000')
  const locked = agent.getByRole('dialog').getByText(/กรอก PIN ผิดหลายครั้ง ลองใหม่ได้ตั้งแต่/)
  await locked.waitFor()
  await shoot(agent, 'm-pin-locked')
  await agent.keyboard.press('Escape')
  await locked.waitFor({ state: 'hidden' })
  await buy.click()
  await locked.waitFor()
  await openWallet(agent)
  await agent.getByText(/^PIN ถูกล็อกเมื่อ/).waitFor()
  await shoot(agent, 'm-wallet-pin-locked')

  const manager = await browser.open({ viewport: OFFICE })
  await signInToAdmin(manager, 'manager@demo.shop', '/user/demo-agent2?panel=admin')
  await manager.getByText(/^PIN ถูกล็อกถึง/).waitFor()
  await shoot(manager, 'a-pin-locked')
  await manager.getByRole('button', { name: 'ตั้ง PIN ใหม่' }).click()
  await manager.getByRole('button', { name: 'ตั้ง PIN ใหม่' }).last().click()
  await manager.getByText('PIN ชั่วคราวของ').waitFor()
  await manager.getByText('PIN ใช้งานได้', { exact: true }).waitFor()
  await agent.goto(`${storefrontUrl()}/wallet`)
  await agent.getByText('กรุณาเปลี่ยน PIN ก่อนเข้าใช้งาน').waitFor()
})
