import { readFileSync } from 'node:fs'
import { type Database, openDatabase } from 'functions/src/database/database.ts'
import { addPaidOrders } from 'functions/src/testing/queue.ts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orderAndRead, orderNoOn } from './bank-counter.ts'
import { OFFICE, shoot, useBrowser } from './browser.ts'
import { findFaults } from './faults.ts'
import { signInToAdmin } from './people.ts'
import { shopPorts } from './shop.ts'

const browser = useBrowser()
const HISTORY = '/management/history'
const QUEUE = '/management/queue'

let db: Database
beforeAll(() => {
  db = openDatabase(`postgresql://postgres@127.0.0.1:${shopPorts().postgres}/shop`, { connections: 2 })
})
afterAll(async () => {
  // Nobody else's queue begins with them.
  await db.query({
    text: `UPDATE orders SET status = 'success', ended_at = now(), claim_until = NULL WHERE order_no = ANY($1) AND status IN ('paid', 'processing')`,
    values: [made],
  })
  await db.close()
})

const made: string[] = []
async function addPaidOrder(paidAt: Date): Promise<string> {
  const [orderNo] = await addPaidOrders(db, { count: 1, paidAt })
  made.push(orderNo!)
  return orderNo!
}

async function openAs(email: string, path: string): Promise<Page> {
  const page = await browser.open({ viewport: OFFICE, acceptDownloads: true })
  await signInToAdmin(page, email, path)
  return page
}

const panel = (page: Page, orderNo: string) => page.getByLabel(`รายละเอียดคำสั่งซื้อ ${orderNo}`)
const search = (page: Page, path: string) => page.goto(new URL(path, page.url()).href)
const DAY_MS = 86_400_000

/** A guest's order that staff know to be paid, and have taken, in one go. */
async function takeReported(guest: Page, staff: Page, playerId: string): Promise<string> {
  await orderAndRead(guest, { game: 'Free Fire', playerId, packageName: '100 ' })
  const orderNo = await orderNoOn(guest)
  await search(staff, `${HISTORY}?order=${orderNo}`)
  await panel(staff, orderNo).getByRole('button', { name: 'ได้รับเงินแล้ว…' }).click()
  await staff.getByRole('button', { name: 'เห็นเงินเข้าบัญชีแล้ว' }).click()
  await staff.getByLabel('เหตุผล', { exact: true }).press('Enter')
  await panel(staff, orderNo).getByText('รับเรื่องโดยคุณ').waitFor()
  return orderNo
}

async function endInQueue(
  staff: Page,
  orderNo: string,
  button: string,
  reason: string,
  isInMenu = false,
): Promise<void> {
  await search(staff, `${QUEUE}?order=${orderNo}`)
  if (isInMenu)
    await panel(staff, orderNo)
      .getByRole('button', { name: `ทำอย่างอื่นกับ ${orderNo}` })
      .click()
  await staff.getByRole(isInMenu ? 'menuitem' : 'button', { name: button }).click()
  await staff.getByRole('button', { name: reason }).click()
  await shoot(staff, `a-queue-${button.replace('…', '')}`)
  await staff.getByLabel('เหตุผล', { exact: true }).press('Enter')
  await panel(staff, orderNo).waitFor({ state: 'detached' })
}

test('what can’t be delivered is failed or refunded from the queue, and the buyer reads why', async () => {
  const [guest, other] = [await browser.open(), await browser.open()]
  const staff = await openAs('manager@demo.shop', HISTORY)
  const failed = await takeReported(guest, staff, '7123450001')
  await endInQueue(staff, failed, 'เติมไม่ได้…', 'Player ID ไม่ถูกต้อง')
  await guest.getByText('Player ID ไม่ถูกต้อง').first().waitFor()
  await shoot(guest, 'm-failed')
  const refunded = await takeReported(other, staff, '7123450002')
  await endInQueue(staff, refunded, 'คืนเงิน…', 'ลูกค้าขอคืนเงิน', true)
  await other.getByText('คุณขอคืนเงินรายการนี้').first().waitFor()
  await shoot(other, 'm-refunded')
})

async function saved(page: Page, button: Locator): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
  return readFileSync(await file.path())
}

test('the history: kept filters, a change in its row, what an earlier month left, CSV and PDF', async () => {
  const old = await addPaidOrder(new Date(Date.now() - 40 * DAY_MS))
  const now = await addPaidOrder(new Date())
  const staff = await openAs('staff@demo.shop', HISTORY)
  const row = (orderNo: string) => staff.getByRole('row', { name: new RegExp(orderNo) })
  await staff.getByRole('button', { name: 'ดูรายการที่ค้าง' }).click()
  await row(old).waitFor()
  await staff.getByLabel('เลขที่ Player ID หรือชื่อ').fill(now)
  await staff.keyboard.press('Enter')
  await staff.getByText('1 รายการ', { exact: true }).waitFor()
  await staff.getByRole('button', { name: 'มุมมองของฉัน' }).click()
  await staff.getByLabel('บันทึกตัวกรองนี้เป็น').fill('ของวันนี้')
  await staff.getByRole('button', { name: 'บันทึก', exact: true }).click()
  await staff.getByRole('button', { name: 'ของวันนี้', exact: true }).waitFor()
  await shoot(staff, 'a-history-views')
  await staff.keyboard.press('Escape')
  await search(staff, HISTORY)
  await staff.getByText(/มีคำสั่งซื้อค้างจากเดือนก่อนหน้า/).waitFor()
  await shoot(staff, 'a-history-older')
  await staff.getByRole('button', { name: 'มุมมองของฉัน' }).click()
  await staff.getByRole('button', { name: 'ของวันนี้', exact: true }).click()
  await staff.getByText('1 รายการ', { exact: true }).waitFor()

  await staff.getByRole('button', { name: `เปลี่ยนสถานะ ${now}: ได้รับเงินแล้ว` }).click()
  await staff.getByRole('menuitem', { name: 'รับเรื่อง', exact: true }).click()
  await staff.getByRole('button', { name: new RegExp(`เปลี่ยนสถานะ ${now}: กำลัง`) }).waitFor()
  await shoot(staff, 'a-history-inline')
  const csv = (await saved(staff, staff.getByRole('button', { name: 'ดาวน์โหลด CSV' }))).toString()
  expect(csv.charCodeAt(0)).toBe(0xfeff)
  expect(csv.trim().split('\n')).toHaveLength(2)
  expect(csv).toContain(now)
  await staff.getByRole('link', { name: now, exact: true }).click()
  await panel(staff, now)
    .getByRole('link', { name: `รายละเอียด ${now}` })
    .click()
  await shoot(staff, 'a-details')
  const pdf = await saved(staff, staff.getByRole('button', { name: 'ส่งออก PDF' }))
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(await findFaults(staff)).toEqual([])
})

test('one box finds an order by number, player and amount', async () => {
  const orderNo = await addPaidOrder(new Date())
  const [row] = await db.query<{ amount: string }>({
    text: `UPDATE orders SET player_name = 'ค้นเจอแน่', price_satang = 98700, tail_satang = 65 WHERE order_no = $1
      RETURNING ((price_satang + tail_satang) / 100.0)::numeric(12, 2)::text AS amount`,
    values: [orderNo],
  })
  const staff = await openAs('staff@demo.shop', QUEUE)
  for (const text of [orderNo, orderNo.slice(-7), 'ค้นเจอ', row!.amount]) {
    await staff.getByRole('heading', { level: 1 }).first().waitFor()
    await staff.locator('main').click({ position: { x: 5, y: 5 } })
    await staff.keyboard.press('/')
    await staff.keyboard.type(text)
    await staff.locator('.found', { hasText: orderNo }).first().waitFor()
    // On a busy machine that may have been the answer to a part of the text.
    await staff.waitForLoadState('networkidle')
    if (text === 'ค้นเจอ') await shoot(staff, 'a-search')
    await staff.keyboard.press('Enter')
    await staff.waitForURL(url => url.pathname.endsWith(`/details/${orderNo}`))
    await staff.goBack()
  }
  await staff.keyboard.press('/')
  await staff.keyboard.type('ไม่มีแน่นอน')
  await staff.getByText('ไม่พบคำสั่งซื้อ').first().waitFor()
})

test('dashboards: nothing sold, a call that fails and is asked again; the frame says since when nothing came', async () => {
  const staff = await openAs('manager@demo.shop', '/dashboard/sale')
  await staff.getByRole('heading', { name: 'ยอดขาย', exact: true }).waitFor()
  await staff.waitForLoadState('networkidle')
  await shoot(staff, 'a-sale')
  await staff.getByText('วันนี้', { exact: true }).click()
  await staff.waitForLoadState('networkidle')
  await shoot(staff, 'a-sale-today')
  await staff.route('**/romons.dashboard/api/dashboard/top3', route => route.fulfill({ status: 500, body: '{}' }))
  await staff.reload()
  const retry = staff.getByRole('button', { name: 'ลองอีกครั้ง' }).first()
  await retry.waitFor()
  await shoot(staff, 'a-sale-error')
  await staff.unroute('**/romons.dashboard/api/dashboard/top3')
  await retry.click()
  await retry.waitFor({ state: 'detached' })
  expect(await findFaults(staff)).toEqual([])

  await search(staff, QUEUE)
  await staff.getByRole('heading', { name: 'คำสั่งซื้อรอเติม' }).waitFor()
  await staff.waitForLoadState('networkidle')
  await staff.route('**/romons.*/**', route => route.abort())
  await staff.getByText(/^ขาดการเชื่อมต่อ ข้อมูลที่เห็นเป็นของเวลา \d\d:\d\d/).waitFor()
  await shoot(staff, 'a-connection')
  await staff.unroute('**/romons.*/**')
  await staff.getByText('ขาดการเชื่อมต่อ').waitFor({ state: 'detached' })
})
