import { openDatabase } from 'functions/src/database/database.ts'
import type { Page } from 'playwright-core'
import { afterAll, expect, inject, test } from 'vitest'
import { createAuthenticator } from './authenticator.ts'
import { OFFICE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { findFaults } from './faults.ts'
import { signInToAdmin, signInToShop } from './people.ts'

const browser = useBrowser()
const REQUIRE = 'บังคับใช้แอปยืนยันตัวตน'
const HISTORY = '/management/history'

// The other journeys' people sign in with their password alone.
afterAll(async () => {
  const db = openDatabase(`postgresql://postgres@127.0.0.1:${inject('ports').postgres}/shop`)
  const rows = ['totp_session', 'account_totp', `option WHERE name = 'REQUIRE_ADMIN_TOTP'`]
  for (const each of rows) await db.query({ text: `DELETE FROM ${each}` })
  await db.close()
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function enter(page: Page, code: string): Promise<void> {
  await page.getByLabel('รหัส 6 หลักจากแอปยืนยันตัวตน').fill(code)
  await press(page, 'ยืนยัน')
}

/** Scans, or rather reads, the new app's secret and types its first code. */
async function enrol(page: Page) {
  await press(page, 'แสดง QR')
  await page.getByRole('img', { name: 'QR สำหรับแอปยืนยันตัวตน' }).waitFor()
  const app = createAuthenticator(await page.locator('code.totp-secret').innerText())
  await enter(page, app.next())
  return app
}

const openList = (page: Page) => page.getByRole('heading', { name: 'ประวัติคำสั่งซื้อ' }).waitFor()

test('an admin brings an app, needs its code from then on, asks it of everybody, and resets a lost one', async () => {
  const admin = await browser.open({ viewport: OFFICE })
  await signInToAdmin(admin, 'admin@demo.shop', '/user/demo-admin?panel=totp')
  await admin.getByText('ยังไม่ได้เปิดใช้').waitFor()
  const app = await enrol(admin)
  await admin.getByText('เปิดใช้อยู่').waitFor()
  await shoot(admin, 'a-totp-enrolled')

  await press(admin, 'ออกจากระบบ')
  await admin.getByLabel('อีเมล').waitFor()
  await signInToAdmin(admin, 'admin@demo.shop', HISTORY)
  await admin.getByRole('heading', { name: 'ยืนยันตัวตน' }).waitFor()
  expect(await admin.getByRole('navigation').count()).toBe(0)
  await enter(admin, app.wrong())
  await admin.getByText('รหัสยืนยันไม่ถูกต้อง เหลืออีก 4 ครั้ง').waitFor()
  await shoot(admin, 'a-totp-wrong')
  expect(await findFaults(admin)).toEqual([])
  await enter(admin, app.next())
  await openList(admin)
  await admin.reload()
  await openList(admin)

  await admin.goto(new URL('/management/appconfig', admin.url()).href)
  await admin.getByRole('switch', { name: REQUIRE }).click()
  await press(admin, `บันทึก ${REQUIRE}`)
  await admin.getByText('บันทึกข้อมูลสำเร็จ!').waitFor()

  const manager = await browser.open({ viewport: OFFICE })
  await signInToAdmin(manager, 'manager@demo.shop', HISTORY)
  await manager.getByRole('heading', { name: 'ตั้งค่าแอปยืนยันตัวตน' }).waitFor()
  expect(await manager.getByRole('navigation').count()).toBe(0)
  await press(manager, 'แสดง QR')
  await manager.getByRole('img', { name: 'QR สำหรับแอปยืนยันตัวตน' }).waitFor()
  await shoot(manager, 'a-totp-required')
  expect(await findFaults(manager)).toEqual([])
  await manager.reload()
  await enrol(manager)
  await openList(manager)

  await admin.goto(new URL('/user/demo-manager?panel=admin', admin.url()).href)
  await press(admin, 'รีเซ็ตแอปยืนยันตัวตน')
  await shoot(admin, 'a-totp-reset')
  await press(admin, 'รีเซ็ต')
  await admin.getByText('รีเซ็ตแอปยืนยันตัวตนแล้ว').waitFor()
  await manager.reload()
  await manager.getByLabel('อีเมล').waitFor()
  await signInToAdmin(manager, 'manager@demo.shop', HISTORY)
  await manager.getByRole('heading', { name: 'ตั้งค่าแอปยืนยันตัวตน' }).waitFor()
  await enrol(manager)
  await openList(manager)
})

test('in the storefront nobody is asked for a code', async () => {
  const staff = await browser.open()
  await signInToShop(staff, 'staff@demo.shop')
  await staff.goto(`${storefrontUrl()}/purchase/history`)
  await staff.getByRole('heading', { name: 'คำสั่งซื้อ' }).waitFor()
  await staff
    .getByText(/ยังไม่มีคำสั่งซื้อ|KT\d{4}-/)
    .first()
    .waitFor()
  await shoot(staff, 'm-staff-orders')
})
