import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { transferTo } from './bank-counter.ts'
import { kbankFile, readFile, takeFile } from './bank-file.ts'
import { DESKTOP, OFFICE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { signInToAdmin, signInToShop, topUpByTransfer } from './people.ts'

const browser = useBrowser()
const ACCOUNT_NO = '0123456789'
const AMOUNT = '742.50'
const WALLET = '/management/wallet'
const REASON = 'เงินก้อนเดียวกับรายการก่อนหน้า'

const balanceOf = async (agent: Page): Promise<string> => {
  await agent.goto(`${storefrontUrl()}/wallet`)
  const label = agent.locator('dt', { hasText: 'ยอดคงเหลือ' })
  await label.waitFor()
  return label.locator('xpath=following-sibling::dd').first().innerText()
}

const satangOf = (balance: string) => Number(/([\d,]+)\.(\d\d)/.exec(balance)![0].replace(/[,.]/g, ''))

/** Asks for the money on the wallet, with a slip or without. */
async function askForTopUp(agent: Page, slip?: Buffer): Promise<void> {
  const dialog = await topUpByTransfer(agent)
  await dialog.getByRole('radio', { name: 'กสิกรไทย' }).click()
  await dialog.getByLabel('จำนวนเงิน (บาท)').fill(AMOUNT)
  if (slip) {
    const picture = { name: 'slip.jpg', mimeType: 'image/jpeg', buffer: slip }
    await dialog.locator('input[type=file]').setInputFiles(picture)
    await dialog.getByText(/แล้ว พบเลขอ้างอิงบนสลิป/).waitFor()
  }
  await dialog.getByRole('button', { name: 'ส่งคำขอเติมเงิน' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Opens the one top-up of this amount that waits. */
async function openWaiting(manager: Page): Promise<{ panel: Locator; no: string }> {
  await manager.goto(new URL(WALLET, manager.url()).href)
  await manager.getByText(AMOUNT).first().click()
  const panel = manager.getByRole('complementary', { name: /^รายละเอียด WT/ })
  await panel.getByText(AMOUNT).first().waitFor()
  return { panel, no: (await panel.getAttribute('aria-label'))!.split(' ')[1]! }
}

test('a slip whose line has already paid: who approves is told what has the money, and the agent why it was refused', async () => {
  const [agent, bank] = [await browser.open({ viewport: DESKTOP }), await browser.open({ viewport: DESKTOP })]
  await signInToShop(agent, 'agent@demo.shop')
  const before = satangOf(await balanceOf(agent))
  await askForTopUp(agent)
  const slip = await transferTo(bank, ACCOUNT_NO, AMOUNT)

  // Nobody approves by a file of their own.
  const importer = await browser.open({ viewport: OFFICE })
  await signInToAdmin(importer, 'manager2@demo.shop', '/management/bankstatement')
  const dialog = await readFile(importer, ACCOUNT_NO, await kbankFile(ACCOUNT_NO, [742_50]))
  await takeFile(dialog, { fresh: 1, matched: 1 })
  const manager = await browser.open({ viewport: OFFICE })
  await signInToAdmin(manager, 'manager@demo.shop', WALLET)
  const first = await openWaiting(manager)
  await first.panel.getByRole('link', { name: /^รายการธนาคารหมายเลข \d+$/ }).waitFor()
  await shoot(manager, 'a-one-transfer-line')
  await first.panel.getByRole('button', { name: `อนุมัติ ฿${AMOUNT}` }).click()
  await manager.getByText(/^อนุมัติ ฿742.50 ให้ .* แล้ว$/).waitFor()
  const credited = await balanceOf(agent)
  expect(satangOf(credited)).toBe(before + 742_50)

  await askForTopUp(agent, slip)
  const second = await openWaiting(manager)
  expect(second.no).not.toBe(first.no)
  const { panel } = second
  const verdict = panel.getByRole('region', { name: 'ตรวจสลิปกับธนาคาร' })
  await verdict.getByText('ทีมงานต้องตรวจเอง').waitFor()
  await verdict.getByText(new RegExp(first.no)).first().waitFor()
  const warning = panel.getByRole('listitem').filter({ hasText: 'เงินก้อนนี้อาจเป็นของ' })
  await warning.getByRole('link', { name: first.no }).waitFor()
  await warning.getByText(/ตามรายการธนาคารหมายเลข \d+/).waitFor()
  await shoot(manager, 'a-one-transfer-maybe')
  await verdict.scrollIntoViewIfNeeded()
  await shoot(manager, 'a-one-transfer-verdict')

  const approve = panel.getByRole('button', { name: `อนุมัติ ฿${AMOUNT}` })
  await approve.click()
  await panel.getByText('กรุณาระบุเหตุผล').waitFor()
  await shoot(manager, 'a-one-transfer-reason')
  await panel.getByLabel('หมายเหตุ / เหตุผล').fill(REASON)
  await approve.click()
  const asking = manager.getByRole('dialog', { name: 'เงินเข้าสองครั้งจริงใช่ไหม?' })
  await asking.getByText(new RegExp(`เป็นของ ${first.no} \\(รายการธนาคารหมายเลข \\d+\\) ไปแล้ว`)).waitFor()
  await shoot(manager, 'a-one-transfer-asked')
  await asking.getByRole('button', { name: 'ปิด' }).click()
  await asking.waitFor({ state: 'hidden' })
  expect(await balanceOf(agent)).toBe(credited)

  await panel.getByRole('button', { name: 'ไม่อนุมัติ' }).click()
  await manager.getByText(`ไม่อนุมัติ ${second.no} แล้ว`).waitFor()
  expect(await balanceOf(agent)).toBe(credited)
  await agent.getByText(new RegExp(REASON)).filter({ visible: true }).first().waitFor()
  await shoot(agent, 'd-one-transfer-refused')
})
