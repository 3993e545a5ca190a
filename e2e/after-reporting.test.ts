import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, OFFICE, PHONE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { findFaults } from './faults.ts'
import { agreeAndOrder, choosePackage, reportWithoutSlip, signInToAdmin } from './people.ts'

const browser = useBrowser()

/** The page as it looks on a phone and on a desk. */
async function shootBoth(page: Page, name: string): Promise<void> {
  await shoot(page, `m-${name}`)
  await page.setViewportSize(DESKTOP)
  await shoot(page, `d-${name}`)
  await page.setViewportSize(PHONE)
}

test('a guest keeps the QR, finds the running order again, and has a failed top-up made again for the right player', async () => {
  const guest = await browser.open()
  await choosePackage(guest, { game: 'Free Fire', playerId: '5123450001', packageName: '310 เพชร' })
  await agreeAndOrder(guest)

  await guest.getByRole('button', { name: 'บันทึกรูป' }).click()
  const sheet = guest.getByRole('dialog')
  await sheet.getByRole('img', { name: /QR พร้อมเพย์ ยอด [\d.]+ บาท ของคำสั่งซื้อ KT/ }).waitFor()
  await shootBoth(guest, 'pay-picture')
  const [saved] = await Promise.all([
    guest.waitForEvent('download'),
    sheet.getByRole('button', { name: 'บันทึกรูป' }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/^promptpay-KT\d{4}-\d{8}\.png$/)
  const png = await readFile(await saved.path())
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1080, 1720])
  await sheet.getByRole('button', { name: 'ปิด' }).click()

  await reportWithoutSlip(guest)
  await guest.waitForURL(/\/thankyou/)
  const orderNo = (await guest
    .getByText(/^KT\d{4}-\d{8}$/)
    .first()
    .textContent())!
  await guest.goto(`${storefrontUrl()}/game`)
  await guest.getByRole('heading', { name: 'คำสั่งซื้อที่กำลังดำเนินการ' }).waitFor()
  await shootBoth(guest, 'running')
  await guest.getByRole('link', { name: 'คำสั่งซื้อ', exact: true }).filter({ visible: true }).click()
  await guest.getByText(/คำสั่งซื้อที่ทำในเครื่องนี้/).waitFor()
  await guest.getByText('กำลังตรวจยอดเงิน').first().waitFor()
  await shootBoth(guest, 'guest-history')
  await guest.getByRole('link', { name: '310 เพชร' }).click()
  await guest.getByText(/^แนบสลิปภายใน/).waitFor()
  await shootBoth(guest, 'attach-by')

  const staff = await browser.open({ viewport: OFFICE })
  await signInToAdmin(staff, 'staff@demo.shop', `/management/details/${orderNo}`)
  await staff.getByRole('button', { name: 'ได้รับเงินแล้ว…' }).click()
  await staff.getByRole('dialog').getByLabel('เหตุผล', { exact: true }).fill('ตรวจยอดในบัญชีแล้ว')
  await staff.getByRole('dialog').getByRole('button', { name: 'ได้รับเงินแล้ว และรับเรื่อง' }).click()
  await staff.getByRole('button', { name: 'เติมไม่ได้…' }).click()
  await staff.getByRole('dialog').getByRole('button', { name: 'Player ID ไม่ถูกต้อง' }).click()
  await staff.getByRole('dialog').getByRole('button', { name: 'เติมไม่ได้' }).last().click()

  await guest.getByRole('heading', { name: 'เติมไม่สำเร็จ' }).waitFor()
  await guest.getByLabel('Player ID').waitFor()
  await shootBoth(guest, 'failed')
  const correction = guest.getByRole('region', { name: 'เติมใหม่ด้วยข้อมูลที่ถูกต้อง' })
  expect(await findFaults(guest)).toEqual([])
  await correction.getByLabel('Player ID').fill('5123450002')
  await correction.getByRole('button', { name: 'ส่งให้ทีมงานเติมใหม่' }).click()
  await correction.getByText(/ส่งให้ทีมงานแล้ว/).waitFor()
  await shootBoth(guest, 'corrected')

  await staff.goto(staff.url().replace(/details\/.*/, 'history?waiting=corrected'))
  await staff.getByText(orderNo).first().click()
  const redo = staff.getByRole('region', { name: 'เติมใหม่' })
  await redo.getByText('5123450002').waitFor()
  await shoot(staff, 'a-redo')
  await redo.getByRole('button', { name: 'เติมใหม่ ส่งกลับเข้าคิว' }).click()
  await staff.getByText(`ส่งกลับเข้าคิวแล้ว ${orderNo}`).waitFor()

  await guest.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
  await guest.getByText('5123450002').waitFor()
})
