import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { orderAndRead, orderNoOn, reportWith, transfer } from './bank-counter.ts'
import { comeBack, HANGS_MS, OFFICE, PHONE, shoot, useBrowser } from './browser.ts'
import { agreeAsSecond, askSecondPerson, signInToAdmin } from './people.ts'
import { shopPorts } from './shop.ts'

const browser = useBrowser()
/** The account that pays at the bank's stand-in, of which the slip shows "xxx-x-x1222-x". */
const PAYER = '555-1-11222-2'

const go = (page: Page, path: string) => page.goto(new URL(path, page.url()).href)

/** A guest pays with a slip that the bank confirms, and a manager refunds the order. */
async function paidAndRefunded(guest: Page, manager: Page, playerId: string): Promise<string> {
  const bank = await browser.open()
  const slip = await transfer(bank, await orderAndRead(guest, { game: 'Free Fire', playerId, packageName: '310 เพชร' }))
  await reportWith(guest, slip)
  await guest.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
  const orderNo = await orderNoOn(guest)
  await signInToAdmin(manager, 'manager@demo.shop', `/management/queue?order=${orderNo}`)
  await manager.getByRole('button', { name: `ทำอย่างอื่นกับ ${orderNo}` }).click()
  await manager.getByRole('menuitem', { name: 'คืนเงิน…' }).click()
  await manager.getByRole('button', { name: 'ลูกค้าขอคืนเงิน' }).click()
  await manager.getByLabel('เหตุผล', { exact: true }).press('Enter')
  await manager.getByLabel(`รายละเอียดคำสั่งซื้อ ${orderNo}`).waitFor({ state: 'detached' })
  await guest.goto(new URL(`/purchase/details/${orderNo}`, guest.url()).href)
  await guest.getByRole('heading', { name: 'รอโอนคืน' }).waitFor()
  return orderNo
}

/** The manager records that the money was sent. */
async function send(manager: Page, orderNo: string, accountNo: string, shot: string): Promise<void> {
  await manager.getByRole('button', { name: new RegExp(`^บันทึกว่า โอนคืนแล้ว .*${orderNo}`) }).click()
  const dialog = manager.getByRole('dialog')
  await dialog.getByText(accountNo).waitFor()
  await dialog.getByLabel('โอนออกจากบัญชี').click()
  await manager.locator('.ant-select-item-option').first().click()
  await dialog.getByLabel('เลขอ้างอิงการโอน').fill('TR-2026')
  await shoot(manager, shot)
  await dialog.getByRole('button', { name: /^โอนคืนแล้ว ฿/ }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('a refund goes back to the account that paid: one field for its buyer, one person to send it', async () => {
  const guest = await browser.open()
  const manager = await browser.open({ viewport: OFFICE })
  const orderNo = await paidAndRefunded(guest, manager, '7123450009')
  const back = guest.getByRole('form', { name: 'คืนเข้าบัญชีที่โอนมา' })
  await back.getByText('ไทยพาณิชย์ x1222x').waitFor()
  await back.getByLabel('เลขที่บัญชีเต็ม').fill('555-1-11232-2')
  await back.getByRole('button', { name: 'คืนเข้าบัญชีนี้' }).click()
  await back.getByText(/^เลขนี้ไม่ตรงกับบัญชีที่โอนมา/).waitFor()
  await back.getByLabel('เลขที่บัญชีเต็ม').fill(PAYER)
  await shoot(guest, 'm-refund-account')
  await back.getByRole('button', { name: 'คืนเข้าบัญชีนี้' }).click()
  await guest.getByText('ไทยพาณิชย์ x2222').waitFor()
  await shoot(guest, 'm-refunding')

  await go(manager, `/management/refund?text=${orderNo}`)
  await manager.getByText('บัญชีที่โอนมา', { exact: true }).waitFor()
  await shoot(manager, 'a-refunds')
  await send(manager, orderNo, '5551112222', 'a-refund-send')

  await comeBack(guest)
  await guest.getByRole('heading', { name: 'คืนเงินแล้ว' }).waitFor()
  await guest.getByText('ไทยพาณิชย์ x2222').waitFor()
  await shoot(guest, 'm-refund-sent')
  expect(await guest.getByRole('button', { name: 'เปลี่ยนบัญชีรับเงิน' }).count()).toBe(0)
})

test('a refund to another account takes a reason, and a second manager before it is sent', async () => {
  const guest = await browser.open()
  const [manager, second] = [await browser.open({ viewport: OFFICE }), await browser.open({ viewport: OFFICE })]
  const orderNo = await paidAndRefunded(guest, manager, '7123450010')
  await guest.getByRole('button', { name: 'รับเข้าบัญชีอื่น' }).click()
  await guest.getByLabel('รับเงินทาง').selectOption('ไทยพาณิชย์')
  await guest.getByLabel('เลขที่บัญชี').fill('987-0-00456-7')
  await guest.getByLabel('ชื่อบัญชี').fill('มานะ อดทน')
  await guest.getByRole('button', { name: 'แจ้งบัญชีรับเงินคืน' }).click()
  await guest.getByText('กรุณาบอกเหตุผล').first().waitFor()
  await guest.getByLabel('เหตุผลที่ไม่รับเข้าบัญชีเดิม').fill('บัญชีเดิมถูกปิดไปแล้ว')
  await shoot(guest, 'm-refund-elsewhere')
  await guest.getByRole('button', { name: 'แจ้งบัญชีรับเงินคืน' }).click()
  await guest.getByText('ไทยพาณิชย์ x4567').waitFor()

  await go(manager, `/management/refund?text=${orderNo}`)
  await manager.getByText('ชื่อไม่ตรงกับผู้โอน').waitFor()
  const row = manager.getByRole('row').filter({ hasText: orderNo })
  await row.getByRole('button', { name: /^ขอยืนยัน บัญชีรับเงิน/ }).click()
  const asking = manager.getByRole('dialog')
  await asking.getByText('เหตุผลของลูกค้า: บัญชีเดิมถูกปิดไปแล้ว').waitFor()
  await shoot(manager, 'a-refund-agree')
  await manager.keyboard.press('Escape')
  await asking.waitFor({ state: 'detached' })
  await askSecondPerson(manager, row, /^ขอยืนยัน บัญชีรับเงิน/, 'ขอยืนยัน')
  await agreeAsSecond(second, 'manager2@demo.shop', /เงินมาจาก ไทยพาณิชย์ x1222x .* ไทยพาณิชย์ x4567 มานะ อดทน/)

  await go(manager, `/management/refund?text=${orderNo}`)
  await manager.getByText(/ยืนยันแล้ว โดย/).waitFor()
  await send(manager, orderNo, '9870004567', 'a-refund-elsewhere-send')
  await comeBack(guest)
  await guest.getByRole('heading', { name: 'คืนเงินแล้ว' }).waitFor()
})

test('a guest whose order failed asks for the money, names the account at once, and hears by mail that it is on its way', async () => {
  const guest = await browser.open()
  const manager = await browser.open({ viewport: OFFICE })
  const bank = await browser.open()
  const choice = { game: 'Free Fire', playerId: '7123450011', packageName: '310 เพชร' }
  await reportWith(guest, await transfer(bank, await orderAndRead(guest, choice)))
  await guest.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
  const orderNo = await orderNoOn(guest)
  await signInToAdmin(manager, 'manager@demo.shop', `/management/details/${orderNo}`)
  await manager.getByRole('button', { name: 'รับเรื่อง' }).click()
  await manager.getByRole('button', { name: 'เติมไม่ได้…' }).click()
  await manager.getByRole('dialog').getByRole('button', { name: 'Player ID ไม่ถูกต้อง' }).click()
  await manager.getByRole('dialog').getByRole('button', { name: 'เติมไม่ได้' }).last().click()

  await go(guest, `/purchase/details/${orderNo}`)
  await guest.getByRole('heading', { name: 'เติมไม่สำเร็จ' }).waitFor()
  await guest.getByLabel('อีเมล', { exact: true }).fill('guest@somewhere.example')
  await guest.getByRole('button', { name: 'แจ้งฉันทางอีเมลนี้' }).click()
  await guest.getByText('ร้านจะแจ้งที่').waitFor()
  await shoot(guest, 'm-failed-choices')
  await guest.setViewportSize(OFFICE)
  await shoot(guest, 'd-failed-choices')
  await guest.setViewportSize(PHONE)
  await guest.getByRole('button', { name: 'ขอเงินคืน' }).click()
  await guest.getByRole('heading', { name: 'ขอเงินคืนแล้ว' }).waitFor()
  const back = guest.getByRole('form', { name: 'คืนเข้าบัญชีที่โอนมา' })
  await back.getByLabel('เลขที่บัญชีเต็ม').fill(PAYER)
  await back.getByRole('button', { name: 'คืนเข้าบัญชีนี้' }).click()
  await guest.getByText('ไทยพาณิชย์ x2222').waitFor()
  await shoot(guest, 'm-refund-asked')

  await go(manager, '/management/history?waiting=failed')
  await manager.getByRole('link', { name: orderNo }).click()
  const panel = manager.getByLabel(`รายละเอียดคำสั่งซื้อ ${orderNo}`)
  await panel.getByText('ให้โอนไปที่ ไทยพาณิชย์ x2222').waitFor()
  await shoot(manager, 'a-refund-asked')
  await panel.getByRole('button', { name: 'คืนเงิน…' }).click()
  await manager.getByRole('button', { name: 'ลูกค้าขอคืนเงิน' }).click()
  await shoot(manager, 'a-refund-dialog')
  await manager.getByLabel('เหตุผล', { exact: true }).press('Enter')

  await comeBack(guest)
  await guest.getByRole('heading', { name: 'รอโอนคืน' }).waitFor()
  await guest.getByText('คุณขอคืนเงินรายการนี้').waitFor()
  await bank.goto(`http://localhost:${shopPorts().mailInbox}`)
  const isMailed = async () => {
    await bank.reload()
    return (await bank.getByText(/^รอโอนคืน · /).count()) > 0
  }
  await expect.poll(isMailed, { timeout: HANGS_MS }).toBe(true)

  await go(manager, `/management/refund?text=${orderNo}`)
  await send(manager, orderNo, '5551112222', 'a-asked-refund-send')
  await comeBack(guest)
  await guest.getByRole('heading', { name: 'คืนเงินแล้ว' }).waitFor()
})
