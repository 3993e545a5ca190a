import { readFile } from 'node:fs/promises'
import { ERASED_NAME } from '@shop/shared/privacy/erasure.ts'
import { VALUE_MOVE } from '@shop/shared/value/value.ts'
import { type Database, openDatabase } from 'functions/src/database/database.ts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HANGS_MS, OFFICE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { findFaults } from './faults.ts'
import { signInToAdmin, signInToShop } from './people.ts'
import { shopPorts } from './shop.ts'

const browser = useBrowser()
const SETTINGS = '/management/appconfig'
const WAITING = '/management/secondword'
const MOVES = '/management/value'
const ERASURES = '/management/erasure'
const AMOUNT = 'ยอดที่ต้องอนุมัติสองคน (บาท)'
const PACKAGE = '90 คูปอง'
const SENT = 'ส่งให้คนที่สองยืนยันแล้ว'

let db: Database
beforeAll(() => {
  db = openDatabase(`postgresql://postgres@127.0.0.1:${shopPorts().postgres}/shop`, { connections: 2 })
})
// The other journeys' people have the rank they began with, and buy at the old price.
afterAll(async () => {
  await db.query({ text: `UPDATE account SET role = 'manager' WHERE uid = 'demo-manager2'` })
  await db.query({ text: `DELETE FROM option WHERE name = 'TWO_PERSON_APPROVAL_AMOUNT'` })
  await db.query({
    text: `UPDATE package_price SET price_satang = 3900 WHERE payment = 'bank'
      AND package_id = (SELECT id FROM package WHERE name = $1)`,
    values: [PACKAGE],
  })
  await db.close()
})

async function openAs(email: string, path: string): Promise<Page> {
  const page = await browser.open({ viewport: OFFICE })
  await signInToAdmin(page, email, path)
  return page
}

const go = (page: Page, path: string) => page.goto(new URL(path, page.url()).href)
const amountOf = (page: Page): Locator => page.getByLabel(AMOUNT, { exact: true })

async function raiseTo(admin: Page, amount: string): Promise<void> {
  await amountOf(admin).fill(amount)
  await admin.getByRole('button', { name: `บันทึก ${AMOUNT}`, exact: true }).click()
}

/** What the page shows of the request to do something, while it waits or once it is over. */
const requestOf = (page: Page, label: string): Locator => page.getByRole('row').filter({ hasText: label })

/** The second person looks at a request, and confirms it. */
async function confirm(second: Page, label: string, shot: string): Promise<void> {
  await requestOf(second, label)
    .getByRole('button', { name: new RegExp(`^ยืนยัน ${label}`) })
    .click()
  const asking = second.getByRole('dialog', { name: new RegExp(`^ยืนยัน ${label}`) })
  await asking.getByText('บันทึกชื่อคุณเป็นคนที่สอง').waitFor()
  await shoot(second, shot)
  await asking.getByRole('button', { name: 'ยืนยัน', exact: true }).click()
  await second.getByText('ยืนยันแล้ว รายการทำเสร็จแล้ว').waitFor()
  await requestOf(second, label).waitFor({ state: 'detached' })
}

/** An admin gives another one the rank, which the two are tied by for some days. */
async function makeAdmin(admin: Page, uid: string): Promise<void> {
  await go(admin, `/user/${uid}?panel=admin`)
  await admin.getByLabel('บทบาท').click()
  await admin.getByTitle('ผู้ดูแลระบบ').click()
  await admin.getByRole('button', { name: 'บันทึก', exact: true }).click()
  const asking = admin.getByRole('dialog')
  await asking.getByRole('button', { name: 'บันทึก', exact: true }).click()
  await admin.getByText('บันทึกข้อมูลสำเร็จ!').waitFor()
}

/** As if the second admin had been given the rank so long ago. */
const setRankAge = (age: string) =>
  db.query({
    text: `UPDATE audit_entry SET at = now() - $1::interval WHERE action = 'account.setRole' AND subject = 'account:demo-manager2'`,
    values: [age],
  })

test('the amount above which it takes two: no manager writes it, no admin raises it alone, the second one looks and confirms', async () => {
  const manager = await openAs('manager@demo.shop', SETTINGS)
  await amountOf(manager).waitFor()
  expect(await amountOf(manager).isDisabled()).toBe(true)
  await manager
    .getByText(/^เฉพาะผู้ดูแลระบบ/)
    .first()
    .waitFor()
  await shoot(manager, 'a-guarded-manager')
  expect(await findFaults(manager)).toEqual([])

  const admin = await openAs('admin@demo.shop', SETTINGS)
  await makeAdmin(admin, 'demo-manager2')
  // With nobody but a colleague made just now, an admin goes on alone.
  await setRankAge('15 days')
  await go(admin, SETTINGS)
  await raiseTo(admin, '50000')
  const sent = admin.getByRole('dialog', { name: SENT })
  await sent.getByText('ส่งให้ผู้ดูแลระบบคนอื่นแล้ว').waitFor()
  await shoot(admin, 'a-guarded-sent')
  await sent.getByRole('button', { name: 'ดูรายการที่รอ' }).click()
  await admin.waitForURL(url => url.pathname === WAITING)
  const label = 'ผ่อนการตั้งค่าที่คุ้มครองเงิน'
  await requestOf(admin, label).getByText('รอคนอื่นยืนยัน').waitFor()
  await shoot(admin, 'a-second-own')
  expect(await findFaults(admin)).toEqual([])

  await setRankAge('1 hour')
  const second = await openAs('manager2@demo.shop', WAITING)
  await requestOf(second, label)
    .getByText(/^คุณยืนยันไม่ได้ เพราะคุณกับผู้ขอเพิ่งตั้ง/)
    .waitFor()
  await shoot(second, 'a-second-tied')
  await setRankAge('15 days')
  await second.reload()
  const asked = requestOf(second, label)
  await asked.getByText('สมชาย แอดมิน').waitFor()
  await asked.getByText(/20,?000 → 50,?000/).waitFor()
  await shoot(second, 'a-second-waiting')
  await go(admin, SETTINGS)
  expect(await amountOf(admin).inputValue()).toBe('20000')
  await confirm(second, label, 'a-second-confirm')
  await go(admin, SETTINGS)
  expect(await amountOf(admin).inputValue()).toBe('50000')

  await go(admin, MOVES)
  const move = admin.getByRole('region', { name: 'รายการเคลื่อนย้ายมูลค่า' }).getByRole('row').filter({ hasText: label })
  await move.getByText('ธนา ผู้จัดการ').waitFor()
  await move.getByText('สมชาย แอดมิน').waitFor()
  await shoot(admin, 'a-value-moves')
  expect(await findFaults(admin)).toEqual([])
})

test('a price below cost that a manager sets waits for another person, and holds once confirmed', async () => {
  const manager = await openAs('manager@demo.shop', '/management/game')
  await manager.getByRole('link', { name: /แพ็กเกจของ RoV/ }).click()
  await manager.getByRole('button', { name: new RegExp(`^ราคาขายของ ${PACKAGE} โอนเงินธนาคาร`) }).click()
  const prices = manager.getByRole('dialog', { name: /^ราคาขาย/ })
  await prices.getByLabel('ราคา โอนเงินธนาคาร', { exact: true }).fill('30')
  await shoot(manager, 'a-below-cost')
  await prices.getByRole('button', { name: 'บันทึก', exact: true }).click()
  const loss = manager.getByRole('dialog', { name: 'ขายต่ำกว่าต้นทุน?' })
  await shoot(manager, 'a-below-cost-asked')
  await loss.getByRole('button', { name: 'บันทึกทั้งที่ขาดทุน' }).click()
  await manager.getByRole('dialog', { name: SENT }).waitFor()
  await shoot(manager, 'a-below-cost-sent')

  const second = await openAs('manager2@demo.shop', WAITING)
  const label = 'ตั้งราคาต่ำกว่าต้นทุน'
  const asked = requestOf(second, label)
  await asked.getByText('วิภา ผู้จัดการ').waitFor()
  await asked.getByText(new RegExp(PACKAGE)).first().waitFor()
  await shoot(second, 'a-below-cost-waiting')
  await confirm(second, label, 'a-below-cost-confirm')
  await manager.reload()
  await manager.getByRole('button', { name: new RegExp(`^ราคาขายของ ${PACKAGE} โอนเงินธนาคาร`) }).click()
  expect(await prices.getByLabel('ราคา โอนเงินธนาคาร', { exact: true }).inputValue()).toBe('30')
})

/** As if the time had passed in which tokens of before still hold. Tells whether the account is gone. */
async function eraseNow(uid: string): Promise<boolean> {
  await db.query({
    text: `UPDATE erasure SET closed_at = closed_at - interval '2 hours' WHERE state = 'approved' AND closed_at > now() - interval '1 hour'`,
  })
  await db.query({ text: `UPDATE outbox SET due_at = now() WHERE kind = 'account.erase' AND due_at > now()` })
  return (await db.query({ text: 'SELECT 1 FROM account WHERE uid = $1', values: [uid] })).length === 0
}

test('a customer takes a copy of their data, asks to be forgotten, and is, by the word of two admins', async () => {
  const [uid, name] = ['demo-regular11', 'จิรายุ สายลุย']
  const customer = await browser.open()
  await signInToShop(customer, 'regular11@demo.shop')
  await customer.goto(`${storefrontUrl()}/user/${uid}?panel=data`)
  const download = customer.waitForEvent('download')
  await customer.getByRole('button', { name: 'ดาวน์โหลดข้อมูล' }).click()
  const copy = JSON.parse(await readFile(await (await download).path(), 'utf8'))
  expect(copy.account).toMatchObject([{ uid, email: 'regular11@demo.shop' }])
  expect(copy.orders.length).toBeGreaterThan(0)
  await customer.getByRole('button', { name: 'ขอลบบัญชีและข้อมูล' }).click()
  await customer.getByRole('button', { name: 'ส่งคำขอลบ' }).click()
  await customer.getByText(/^ขอลบไว้เมื่อ .* รอทีมงานสองคนอนุมัติ/).waitFor()
  await shoot(customer, 'm-erasure-asked')

  const admin = await openAs('admin@demo.shop', ERASURES)
  await admin.getByRole('button', { name: `อนุมัติลบข้อมูลของ ${name}` }).click()
  await admin.getByRole('button', { name: 'อนุมัติ', exact: true }).click()
  await admin.getByRole('dialog', { name: SENT }).waitFor()
  const second = await openAs('manager2@demo.shop', WAITING)
  await confirm(second, VALUE_MOVE.accountErased.label, 'a-erasure-confirm')

  await expect.poll(() => eraseNow(uid), { timeout: HANGS_MS, interval: 500 }).toBe(true)
  await go(admin, `${ERASURES}?over=true`)
  await admin.getByRole('cell', { name: ERASED_NAME }).waitFor()
  await admin.getByText('ธนา ผู้จัดการ').first().waitFor()
  expect(await admin.getByText(name).count()).toBe(0)
  await shoot(admin, 'a-erasure-over')
  await go(admin, '/management/user')
  await admin.getByRole('row').nth(3).waitFor()
  expect(await admin.getByText(name).count()).toBe(0)
})
