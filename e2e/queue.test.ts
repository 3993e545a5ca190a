import { type Database, openDatabase } from 'functions/src/database/database.ts'
import { addPaidOrders } from 'functions/src/testing/queue.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LAPTOP, OFFICE, PHONE, shoot, useBrowser } from './browser.ts'
import { press, reach } from './by-keyboard.ts'
import { findCut, findFaults } from './faults.ts'
import { signInToAdmin } from './people.ts'
import { shopPorts } from './shop.ts'

const browser = useBrowser()
const QUEUE = '/management/queue'

let db: Database
beforeAll(() => {
  db = openDatabase(`postgresql://postgres@127.0.0.1:${shopPorts().postgres}/shop`, { connections: 2 })
})
afterAll(() => db.close())

const addOrders = (count: number) => addPaidOrders(db, { count, paidAt: new Date() })

async function openQueue(email: string, viewport = OFFICE): Promise<Page> {
  const page = await browser.open({ viewport })
  await signInToAdmin(page, email, QUEUE)
  await page.locator('a[data-order]').first().waitFor()
  return page
}

const claimButton = (page: Page, orderNo: string) =>
  page.getByRole('button', { name: `รับเรื่อง ${orderNo}`, exact: true })
const panel = (page: Page, orderNo: string) => page.getByLabel(`รายละเอียดคำสั่งซื้อ ${orderNo}`)
const statusOf = async (orderNo: string) => {
  const [row] = await db.query<{ status: string; reference: string | null }>({
    text: 'SELECT status, delivery_reference AS reference FROM orders WHERE order_no = $1',
    values: [orderNo],
  })
  return row!
}

test('from the ping to done in three steps, by keyboard alone; then the next one is open', async () => {
  const [first, second] = await addOrders(2)
  const staff = await openQueue('staff@demo.shop')
  await staff.getByLabel('เลขที่ / Player ID').fill('player ')
  await staff.keyboard.press('Enter')
  await staff.locator(`a[data-order="${first}"]`).focus()
  await staff.evaluate(() => navigator.clipboard.writeText('MB-88213-5566'))

  await staff.keyboard.press('Enter')
  await panel(staff, first!).getByText('รับเรื่องโดยคุณ').waitFor()
  await shoot(staff, 'a-queue')
  expect(await findFaults(staff)).toEqual([])
  await staff.keyboard.press('Control+v')
  await staff.keyboard.press('Enter')

  await panel(staff, second!).waitFor()
  expect(await statusOf(first!)).toEqual({ status: 'success', reference: 'MB-88213-5566' })
  await panel(staff, second!).getByRole('button', { name: 'คัดลอก Player ID' }).waitFor()
  await staff.keyboard.press('c')
  await panel(staff, second!).getByText('คัดลอกแล้ว').waitFor()
  expect(await staff.evaluate(() => navigator.clipboard.readText())).toMatch(/^player /)
  await staff.keyboard.press('?')
  await staff.getByRole('dialog', { name: 'ปุ่มลัดของหน้านี้' }).waitFor()
})

test('on a phone the same in one column', async () => {
  const [orderNo] = await addOrders(1)
  const staff = await openQueue('staff@demo.shop', PHONE)
  await claimButton(staff, orderNo!).click()
  await panel(staff, orderNo!).getByLabel('เลขอ้างอิงการเติม').fill('MB-1')
  const width = await staff.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(PHONE.width)
  await shoot(staff, 'm-queue')
  expect(await findFaults(staff)).toEqual([])
  await staff.getByRole('button', { name: 'เติมสำเร็จ แจ้งลูกค้า' }).click()
  await panel(staff, orderNo!).waitFor({ state: 'detached' })
  expect((await statusOf(orderNo!)).status).toBe('success')
})

test("two at once: one has the order, the other is told who; left lying, it is nobody's again by itself", async () => {
  const [orderNo] = await addOrders(1)
  const [manee, wipha] = await Promise.all([openQueue('staff@demo.shop'), openQueue('manager@demo.shop')])
  await Promise.all([manee, wipha].map(page => claimButton(page, orderNo!).waitFor()))
  await Promise.all([manee, wipha].map(page => claimButton(page, orderNo!).click()))
  const lost = (page: Page) => page.getByText(new RegExp(`(มานี|วิภา).* รับเรื่อง ${orderNo} ไปแล้ว`))
  const won = (page: Page) => panel(page, orderNo!).getByText('รับเรื่องโดยคุณ')
  const outcome = (page: Page) =>
    Promise.race([
      lost(page)
        .waitFor()
        .then(() => 'lost'),
      won(page)
        .waitFor()
        .then(() => 'won'),
    ])
  const outcomes = await Promise.all([outcome(manee), outcome(wipha)])
  expect(outcomes.toSorted()).toEqual(['lost', 'won'])

  const [winner, loser] = outcomes[0] === 'won' ? [manee, wipha] : [wipha, manee]
  await loser.mouse.move(5, 5)
  await loser.getByRole('rowheader', { name: /^คนอื่นรับแล้ว/ }).waitFor()
  await shoot(loser, 'a-queue-lost')
  await winner.close()
  await db.query({ text: 'UPDATE orders SET claim_until = now() WHERE order_no = $1', values: [orderNo] })
  await claimButton(loser, orderNo!).waitFor()
})

/** Orders of a game that asks for a player and a zone. */
async function addTwoFieldOrders(count: number): Promise<string[]> {
  const orderNos = await addOrders(count)
  const fields = [
    { name: 'field1', label: 'Player ID', value: '5510134184' },
    { name: 'field2', label: 'Zone ID', value: '7469' },
  ]
  await db.query({
    text: `UPDATE orders SET player_id = '5510134184', snapshot = jsonb_set(snapshot::jsonb, '{fields}', $2::jsonb) WHERE order_no = ANY($1)`,
    values: [orderNos, JSON.stringify(fields)],
  })
  return orderNos
}

test('an hour of a staff member at a small laptop, without a mouse, and nothing is cut', async () => {
  const [delivered, failed, given] = (await addTwoFieldOrders(3)) as [string, string, string]
  const staff = await openQueue('staff@demo.shop', LAPTOP)
  const isWhole = async (name: string) => {
    await shoot(staff, `a-hour-${name}`)
    expect(await findCut(staff), name).toEqual([])
  }
  const copied = () => staff.evaluate(() => navigator.clipboard.readText())
  await isWhole('queue')
  await reach(staff, /^เลขที่ \/ Player ID$/)
  await staff.keyboard.type('5510134184')
  await press(staff, 'Enter')
  await staff.locator('a[data-order]').nth(3).waitFor({ state: 'detached' })

  await press(staff, 'Escape', 'Enter')
  await panel(staff, delivered).getByText('รับเรื่องโดยคุณ').waitFor()
  await press(staff, 'c')
  await panel(staff, delivered).getByRole('button', { name: 'คัดลอกแล้ว Player ID' }).waitFor()
  expect(await copied()).toBe('5510134184')
  await press(staff, 'x')
  await panel(staff, delivered).getByRole('button', { name: 'คัดลอกแล้ว Zone ID' }).waitFor()
  expect(await copied()).toBe('7469')
  await isWhole('claimed')
  await press(staff, 'r')
  await staff.keyboard.type('MB-88213-7777')
  await press(staff, 'Enter')

  await panel(staff, failed).waitFor()
  expect(await statusOf(delivered)).toEqual({ status: 'success', reference: 'MB-88213-7777' })
  await press(staff, 'Enter')
  await panel(staff, failed).getByText('รับเรื่องโดยคุณ').waitFor()
  await press(staff, 'f')
  await staff.getByRole('dialog').waitFor()
  await reach(staff, /^Player ID ไม่ถูกต้อง$/, 'Shift+Tab')
  await press(staff, 'Enter', 'Enter')

  await panel(staff, given).waitFor()
  expect((await statusOf(failed)).status).toBe('failed')
  await press(staff, 'Enter')
  await panel(staff, given).getByText('รับเรื่องโดยคุณ').waitFor()
  await press(staff, 'b')
  await staff.getByText(`คืนเข้าคิวแล้ว ${given}`).waitFor()
  expect((await statusOf(given)).status).toBe('paid')

  await press(staff, '/')
  await reach(staff, /^ประวัติคำสั่งซื้อ/)
  await press(staff, 'Enter')
  await staff.waitForURL(/\/management\/history/)
  await staff.getByRole('heading', { name: 'ประวัติคำสั่งซื้อ' }).waitFor()
  // The menu leads to the list that somebody waits in; all orders are one of the others.
  await reach(staff, /^(ทั้งหมด|รอชำระเงิน|แจ้งโอนแล้ว.*)$/)
  await reach(staff, /^ทั้งหมด$/, 'ArrowLeft')
  await staff.locator('.ant-table-row').first().waitFor()
  await isWhole('history')
  await reach(staff, /^เลขที่ Player ID หรือชื่อ$/)
  await staff.keyboard.type(delivered)
  await press(staff, 'Enter')
  await staff.getByRole('link', { name: delivered }).waitFor()
  await reach(staff, new RegExp(`^${delivered}$`))
  await press(staff, 'Enter')
  await panel(staff, delivered).getByText('อ้างอิง MB-88213-7777').waitFor()
  await isWhole('history-open')
  await reach(staff, new RegExp(`^รายละเอียด ${delivered}$`))
  await press(staff, 'Enter')
  await staff.getByRole('heading', { name: `คำสั่งซื้อ ${delivered}` }).waitFor()
  await isWhole('details')
})
