import { SESSION_KEY } from '@shop/shared/account/totp.ts'
import { listAllOrders } from '@shop/shared/order/endpoints.ts'
import { openDatabase } from 'functions/src/database/database.ts'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { createAuthenticator } from './authenticator.ts'
import { OFFICE, PHONE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { findFaults } from './faults.ts'
import { PASSWORD, signInToAdmin, signInToShop } from './people.ts'
import { shopPorts } from './shop.ts'

const browser = useBrowser()
const REQUIRE = 'บังคับใช้แอปยืนยันตัวตน'
const HISTORY = '/management/history'

async function inDatabase(...statements: string[]): Promise<void> {
  const db = openDatabase(`postgresql://postgres@127.0.0.1:${shopPorts().postgres}/shop`)
  for (const text of statements) await db.query({ text })
  await db.close()
}

const TOTP = ['totp_session', 'totp_browser', 'totp_try', 'account_totp', `option WHERE name = 'REQUIRE_ADMIN_TOTP'`]

/** From here on people sign in with their password alone, as in the other journeys. */
const forgetApps = () => inDatabase(...TOTP.map(each => `DELETE FROM ${each}`))

afterAll(forgetApps)

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
  await enter(page, await app.next())
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
  await enter(admin, await app.next())
  await openList(admin)
  await admin.reload()
  await openList(admin)

  await admin.goto(new URL('/management/appconfig', admin.url()).href)
  await admin.getByRole('switch', { name: REQUIRE }).click()
  await press(admin, `บันทึก ${REQUIRE}`)
  await admin.getByText(`บันทึก ${REQUIRE} แล้ว`).waitFor()

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

interface Captured {
  authorization: string
  /** What a code gave the browser; null before. */
  sessionKey: string | null
}

/** What a page proves of itself from now on, as its latest call has it. */
function capture(page: Page): () => Promise<Captured> {
  const seen: Captured[] = []
  page.on('request', request => {
    const { authorization, [SESSION_KEY]: sessionKey = null } = request.headers()
    if (authorization) seen.push({ authorization, sessionKey })
  })
  return () =>
    expect
      .poll(() => seen.at(-1))
      .toBeDefined()
      .then(() => seen.at(-1)!)
}

const signedInAt = ({ authorization }: Pick<Captured, 'authorization'>): number =>
  JSON.parse(Buffer.from(authorization.split('.')[1]!, 'base64url').toString()).auth_time

/** Signs in with the password alone, away from any page, five times a second until the pages have signed in. */
async function collectTokens(email: string, signedIn: Promise<unknown>): Promise<string[]> {
  const url = `http://127.0.0.1:${shopPorts().authEmulator}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any`
  const body = JSON.stringify({ email, password: PASSWORD, returnSecureToken: true })
  const collect = async () => {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return `Bearer ${((await response.json()) as { idToken: string }).idToken}`
  }
  const tokens: Promise<string>[] = []
  // Not one after another: where the emulator is slow, a second could pass without a token of its own.
  const timer = setInterval(() => tokens.push(collect()), 200)
  await signedIn.finally(() => clearInterval(timer))
  return Promise.all(tokens)
}

test('of two browsers that sign in at once the one with the code works; the other is asked for it by page and call', async () => {
  const email = 'staff@demo.shop'
  const owner = await browser.open({ viewport: OFFICE })
  const captured = capture(owner)
  await signInToAdmin(owner, email, HISTORY)
  await owner.getByRole('heading', { name: 'ตั้งค่าแอปยืนยันตัวตน' }).waitFor()
  const app = await enrol(owner)
  await openList(owner)
  await press(owner, 'ออกจากระบบ')
  await owner.getByLabel('อีเมล').waitFor()

  const thief = await browser.open({ viewport: OFFICE })
  const signIn = async (page: Page) => {
    await signInToAdmin(page, email, HISTORY)
    await page.getByRole('heading', { name: 'ยืนยันตัวตน' }).waitFor()
  }
  const tokens = await collectTokens(email, Promise.all([signIn(owner), signIn(thief)]))
  await enter(owner, await app.next())
  await openList(owner)

  await thief.goto(new URL('/management/user', thief.url()).href)
  await thief.getByRole('heading', { name: 'ยืนยันตัวตน' }).waitFor()
  expect(await thief.getByRole('navigation').count()).toBe(0)
  await shoot(thief, 'a-totp-second-browser')

  await owner.reload()
  await openList(owner)
  const confirmed = await captured()
  const list = async (headers: Record<string, string>) =>
    (
      await owner.request.get(new URL(`${listAllOrders.path}?page=1&pageSize=10`, owner.url()).href, { headers })
    ).status()
  const { authorization, sessionKey } = confirmed
  expect(sessionKey).not.toBeNull()
  expect(await list({ authorization, [SESSION_KEY]: sessionKey! })).toBe(200)
  expect(tokens.length).toBeGreaterThan(0)
  for (const stolen of [authorization, ...tokens]) expect(await list({ authorization: stolen })).toBe(403)
  // The owner's own token is of the second that was confirmed, and on most machines some of the stolen ones are.
  const sameSecond = [authorization, ...tokens].filter(
    token => signedInAt({ authorization: token }) === signedInAt(confirmed),
  )
  for (const stolen of sameSecond)
    expect(await list({ authorization: stolen, [SESSION_KEY]: 'A'.repeat(43) })).toBe(403)

  for (let n = 0; n < 5; n++) {
    await enter(thief, app.wrong())
    await thief.getByText(n < 4 ? `เหลืออีก ${4 - n} ครั้ง` : 'กรอกรหัสยืนยันผิดครบ 5 ครั้ง').waitFor()
  }
  await shoot(thief, 'a-totp-stranger-locked')
  expect(await findFaults(thief)).toEqual([])
  const tab = await owner.context().newPage()
  await tab.goto(owner.url())
  await openList(tab)
  await press(tab, 'ออกจากระบบ')
  await tab.getByLabel('อีเมล').waitFor()
  await signInToAdmin(owner, email, HISTORY)
  await enter(owner, await app.next())
  await openList(owner)

  await owner.goto(new URL('/user/demo-staff?panel=totp', owner.url()).href)
  await press(owner, 'เปลี่ยนแอปยืนยันตัวตน')
  await owner.getByLabel('รหัส 6 หลักจากแอปที่ใช้อยู่').waitFor()
  await shoot(owner, 'a-totp-change')
  expect(await findFaults(owner)).toEqual([])
})

test('a manager sees what was linked to an account, which a reset takes away unless it is kept, and removes it', async () => {
  await forgetApps()
  await inDatabase(
    `INSERT INTO linked_identity (provider, subject, uid, linked_at) VALUES ('line', 'U-of-a-stranger', 'demo-newagent', now())`,
    `UPDATE account SET providers = '{password,google.com}' WHERE uid = 'demo-newagent'`,
  )
  const manager = await browser.open({ viewport: OFFICE })
  await signInToAdmin(manager, 'manager@demo.shop', '/user/demo-newagent?panel=password')
  await manager.getByRole('checkbox', { name: /LINE/ }).waitFor()
  await shoot(manager, 'a-links-reset')
  expect(await findFaults(manager)).toEqual([])
  await manager.setViewportSize(PHONE)
  await manager.getByRole('button', { name: 'ตั้งรหัสผ่านใหม่' }).scrollIntoViewIfNeeded()
  await shoot(manager, 'm-links-reset')
  await manager.goto(new URL('/user/demo-newagent?panel=admin', manager.url()).href)
  await manager.getByRole('button', { name: 'นำออก LINE' }).waitFor()
  await manager.getByRole('button', { name: 'นำออก Google' }).scrollIntoViewIfNeeded()
  await shoot(manager, 'm-links')
  await manager.setViewportSize(OFFICE)
  await shoot(manager, 'a-links')
  expect(await findFaults(manager)).toEqual([])
  for (const way of ['LINE', 'Google']) {
    await press(manager, `นำออก ${way}`)
    await press(manager, 'นำออก')
    await manager.getByRole('button', { name: `นำออก ${way}` }).waitFor({ state: 'detached' })
  }
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
