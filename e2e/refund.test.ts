import { expect, test } from 'vitest'
import { orderAndRead, orderNoOn } from './bank-counter.ts'
import { OFFICE, shoot, useBrowser } from './browser.ts'
import { signInToAdmin } from './people.ts'

const browser = useBrowser()

test('a refund goes to the account that its buyer names, and is told as sent only then', async () => {
  const guest = await browser.open()
  const manager = await browser.open({ viewport: OFFICE })
  await orderAndRead(guest, { game: 'Free Fire', playerId: '7123450009', packageName: '100 ' })
  const orderNo = await orderNoOn(guest)
  const go = (path: string) => manager.goto(new URL(path, manager.url()).href)

  await signInToAdmin(manager, 'manager@demo.shop', `/management/history?order=${orderNo}`)
  const panel = manager.getByLabel(`รายละเอียดคำสั่งซื้อ ${orderNo}`)
  await panel.getByRole('button', { name: 'ได้รับเงินแล้ว…' }).click()
  await manager.getByRole('button', { name: 'เห็นเงินเข้าบัญชีแล้ว' }).click()
  await manager.getByLabel('เหตุผล', { exact: true }).press('Enter')
  await panel.getByText('รับเรื่องโดยคุณ').waitFor()
  await go(`/management/queue?order=${orderNo}`)
  await panel.getByRole('button', { name: `ทำอย่างอื่นกับ ${orderNo}` }).click()
  await manager.getByRole('menuitem', { name: 'คืนเงิน…' }).click()
  await manager.getByRole('button', { name: 'ลูกค้าขอคืนเงิน' }).click()
  await manager.getByLabel('เหตุผล', { exact: true }).press('Enter')
  await panel.waitFor({ state: 'detached' })

  await guest.getByRole('heading', { name: 'รอโอนคืน' }).waitFor()
  await guest.getByLabel('รับเงินทาง').selectOption('กสิกรไทย')
  await guest.getByLabel('เลขที่บัญชี').fill('405-1-23678-9')
  await guest.getByLabel('ชื่อบัญชี').fill('ใจดี มีสุข')
  await shoot(guest, 'm-refund-account')
  await guest.getByRole('button', { name: 'แจ้งบัญชีรับเงินคืน' }).click()
  await guest.getByText('กสิกรไทย x6789').waitFor()
  await shoot(guest, 'm-refunding')

  await go(`/management/refund?text=${orderNo}`)
  await manager.getByText('4051236789').waitFor()
  await shoot(manager, 'a-refunds')
  await manager.getByRole('button', { name: new RegExp(`^บันทึกว่าโอนคืนแล้ว .*${orderNo}`) }).click()
  const dialog = manager.getByRole('dialog')
  await dialog.getByText('4051236789').waitFor()
  await dialog.getByLabel('โอนออกจากบัญชี').click()
  await manager.locator('.ant-select-item-option').first().click()
  await dialog.getByLabel('เลขอ้างอิงการโอน').fill('TR-2026')
  await shoot(manager, 'a-refund-send')
  await dialog.getByRole('button', { name: /^โอนคืนแล้ว ฿/ }).click()
  await dialog.waitFor({ state: 'detached' })

  await guest.getByRole('heading', { name: 'คืนเงินแล้ว' }).waitFor({ timeout: 60_000 })
  await guest.getByText('กสิกรไทย x6789').waitFor()
  await shoot(guest, 'm-refund-sent')
  expect(await guest.getByRole('button', { name: 'เปลี่ยนบัญชีรับเงิน' }).count()).toBe(0)
})
