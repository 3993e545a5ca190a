import { searchOrders } from '@shop/shared/order/finding-endpoints.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { kbankFile, readFile, takeFile } from './bank-file.ts'
import { OFFICE, shoot, useBrowser } from './browser.ts'
import { agreeAndOrder, choosePackage, reportWithoutSlip, signInToAdmin } from './people.ts'

const browser = useBrowser()

interface Waiting {
  orderNo: string
  amountSatang: number
  /** Digits of the account the guest is told to pay into. */
  accountNo: string
}

/** A guest orders and stands before the order's own page, which follows by itself. */
async function order(guest: Page, playerId: string): Promise<Waiting> {
  await choosePackage(guest, { game: 'Free Fire', playerId, packageName: '310 เพชร' })
  await agreeAndOrder(guest)
  const words = guest.getByText(/^\d+ บาท \d+ สตางค์$/).first()
  const [, baht, satang] = /^(\d+) บาท (\d+) สตางค์$/.exec((await words.textContent())!)!
  const account = guest.getByText(/^[\d-]{10,13}$/).first()
  const accountNo = (await account.textContent())!.replace(/\D/g, '')
  await reportWithoutSlip(guest)
  await guest.waitForURL(/\/thankyou/)
  const orderNo = guest.getByText(/^KT\d{4}-\d{8}$/).first()
  const waiting = {
    orderNo: (await orderNo.textContent())!,
    amountSatang: Number(baht) * 100 + Number(satang),
    accountNo,
  }
  await guest.getByRole('link', { name: 'ดูสถานะคำสั่งซื้อ' }).click()
  await guest.waitForURL(/\/track\//)
  return waiting
}

const baht = (amountSatang: number) => (amountSatang / 100).toFixed(2)

/** How many satang may lack of an amount so that what comes is no other order's amount, which it would pay. */
async function findShortfall(manager: Page, amountSatang: number): Promise<number> {
  const box = manager.getByLabel('ค้นหาคำสั่งซื้อ: เลขที่ Player ID ชื่อ เบอร์โทร เลขอ้างอิงในสลิป หรือยอด')
  for (const satang of [40, 30, 50, 20, 60, 10, 70]) {
    const amount = baht(amountSatang - satang)
    const answer = manager.waitForResponse(response => response.url().endsWith(`${searchOrders.path}?text=${amount}`))
    await box.fill(amount)
    const { groups } = searchOrders.reply.parse(await (await answer).json())
    await box.fill('')
    if (groups.length === 0) return satang
  }
  throw new Error(`Orders have all amounts below ${baht(amountSatang)}.`)
}

test("a bank's file pays the order it fits; a short one is matched by hand with a reason, and that is undone", async () => {
  const [first, second] = [await browser.open(), await browser.open()]
  const paid = await order(first, '5123457001')
  const short = await order(second, '5123457002')
  expect(short.accountNo).toBe(paid.accountNo)
  await first.evaluate(() => {
    ;(globalThis as { neverReloaded?: boolean }).neverReloaded = true
  })

  const manager = await browser.open({ viewport: OFFICE })
  await signInToAdmin(manager, 'manager@demo.shop', '/management/bankstatement')
  const lackSatang = await findShortfall(manager, short.amountSatang)
  const shortSatang = short.amountSatang - lackSatang
  const reason = `ลูกค้าโอนขาด ${lackSatang} สตางค์ ร้านรับไว้`
  const file = await kbankFile(paid.accountNo, [paid.amountSatang, shortSatang])
  const dialog = await readFile(manager, paid.accountNo, file)
  await shoot(manager, 'a-statement-preview')
  await takeFile(dialog, { fresh: 2, matched: 1 })
  await first.getByRole('heading', { name: /ได้รับเงินแล้ว/ }).waitFor()
  expect(await first.evaluate(() => (globalThis as { neverReloaded?: boolean }).neverReloaded)).toBe(true)

  const search = manager.getByLabel('รายละเอียดหรือยอด')
  await search.fill(baht(shortSatang))
  await search.press('Enter')
  const line = manager.getByRole('link', { name: `฿${baht(shortSatang)}` })
  await line.click()
  const panel = manager.getByRole('complementary', { name: 'รายการที่เลือก' })
  const suggestion = panel.getByRole('listitem', { name: short.orderNo })
  await suggestion
    .getByText(`ขาด ฿${baht(lackSatang)}`)
    .first()
    .waitFor()
  await shoot(manager, 'a-statement-short')
  await suggestion.getByRole('button', { name: /จับคู่รายการนี้|เลือก/ }).click()
  const asking = manager.getByRole('dialog', { name: 'จับคู่รายการนี้?' })
  await asking.getByRole('button', { name: 'จับคู่รายการนี้' }).click()
  await asking.getByText('กรุณาระบุเหตุผล').waitFor()
  await asking.getByLabel('เหตุผล', { exact: true }).fill(reason)
  await asking.getByRole('button', { name: 'จับคู่รายการนี้' }).click()
  await second.getByRole('heading', { name: /ได้รับเงินแล้ว/ }).waitFor()

  // The decided line has left those that wait, and stands among all of them.
  await panel.waitFor({ state: 'hidden' })
  await manager.getByRole('checkbox', { name: 'ยังไม่มีคำสั่งซื้อ' }).click()
  await line.first().click()
  await panel.getByText(reason).first().waitFor()
  await panel.getByRole('button', { name: 'ยกเลิกการจับคู่' }).click()
  const undoing = manager.getByRole('dialog', { name: 'ยกเลิกการจับคู่?' })
  await undoing.getByLabel('เหตุผล', { exact: true }).fill('จับคู่ผิดรายการ')
  await undoing.getByRole('button', { name: 'ยกเลิกการจับคู่' }).click()
  await suggestion.waitFor()
  await line.first().waitFor()
  await shoot(manager, 'a-statement-undone')
  await second.getByRole('heading', { name: /ได้รับเงินแล้ว/ }).waitFor({ state: 'hidden' })
})
