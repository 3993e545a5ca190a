import { demoLine } from 'local/line-emulator/demo.ts'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { orderAndRead, orderNoOn, reportWith, transfer } from './bank-counter.ts'
import { DESKTOP, lineEmulatorUrl, shoot, useBrowser } from './browser.ts'
import { findFaults } from './faults.ts'
import { beInsideLine, inLineUrl, LINE_APP, tellEmulator } from './line.ts'
import { signInToAdmin } from './people.ts'

const browser = useBrowser()
const { friend } = demoLine.users
afterAll(() => tellEmulator('reset'))

const phoneOf = (page: Page, title: RegExp) => page.getByRole('region', { name: title })

async function say(phone: ReturnType<typeof phoneOf>, text: string): Promise<void> {
  const composer = phone.getByLabel('พิมพ์ข้อความ')
  await composer.fill(text)
  await composer.press('Enter')
}

test('a customer buys in LINE, the staff group gets the card, claims and completes; page and chat say done', async () => {
  const customer = await browser.open(LINE_APP)
  await beInsideLine(customer)
  await customer.goto(await inLineUrl(friend.userId, '/game'))
  await customer.getByRole('heading', { name: 'เลือกเกม' }).waitFor()
  await customer.waitForFunction(() => localStorage.getItem('userinfo') !== null)
  const bank = await browser.open({ viewport: DESKTOP })
  const amount = await orderAndRead(customer, { game: 'Free Fire', playerId: '5123456789', packageName: '310 เพชร' })
  await reportWith(customer, await transfer(bank, amount))
  const orderNo = await orderNoOn(customer)
  await customer.getByRole('heading', { name: 'ได้รับเงินแล้ว' }).waitFor()
  await customer.getByRole('link', { name: 'ดูสถานะคำสั่งซื้อ' }).click()

  const line = await browser.open({ viewport: { width: 1440, height: 1000 } })
  await line.goto(`${lineEmulatorUrl()}/?user=${friend.userId}`)
  const [group, chat] = [phoneOf(line, /^กลุ่ม ทีมเติมเกม/), phoneOf(line, /^แชตของ/)]
  const card = group.locator('.bubble').filter({ hasText: orderNo }).first()
  await card.getByText('5123456789').waitFor()
  await card.getByText(`${amount} บาท`).waitFor()
  await shoot(line, 'd-chat-card')
  expect(await findFaults(line)).toEqual([])

  await card.getByRole('button', { name: 'รับเรื่อง' }).click()
  await group.getByText('มานี พนักงาน รับเรื่องแล้ว').waitFor()
  await customer.getByRole('heading', { name: /กำลังเติม/ }).waitFor()
  await group.getByRole('button', { name: 'เติมแล้ว…' }).click()
  const composer = group.getByLabel('พิมพ์ข้อความ')
  expect(await composer.inputValue()).toBe(`เสร็จ ${orderNo} `)
  await group.getByText(/พิมพ์เลขอ้างอิงการเติม/).waitFor()
  await say(group, `เสร็จ ${orderNo} MB-88213`)
  await group.getByText(new RegExp(`มานี พนักงาน เติม ${orderNo}`)).waitFor()

  await customer.getByRole('heading', { name: /สำเร็จ/ }).waitFor()
  await chat.getByText('เติมสำเร็จแล้ว').waitFor()
  await say(chat, 'สถานะ')
  await chat.getByText(/สถานะเมื่อ/).waitFor()
  await shoot(line, 'd-chat-done')
  await shoot(customer, 'm-chat-done')
})

test('corrected order told to all: failed, corrected, redone; the old card does no harm; done is told', async () => {
  const customer = await browser.open(LINE_APP)
  await beInsideLine(customer)
  await customer.goto(await inLineUrl(friend.userId, '/game'))
  await customer.waitForFunction(() => localStorage.getItem('userinfo') !== null)
  const bank = await browser.open({ viewport: DESKTOP })
  const amount = await orderAndRead(customer, { game: 'Free Fire', playerId: '5123456700', packageName: '310 เพชร' })
  await reportWith(customer, await transfer(bank, amount))
  const orderNo = await orderNoOn(customer)
  const line = await browser.open({ viewport: { width: 1440, height: 1000 } })
  await line.goto(`${lineEmulatorUrl()}/?user=${friend.userId}`)
  const [group, chat] = [phoneOf(line, /^กลุ่ม ทีมเติมเกม/), phoneOf(line, /^แชตของ/)]
  const cards = group.locator('.bubble').filter({ hasText: orderNo })
  await cards.first().getByRole('button', { name: 'รับเรื่อง' }).waitFor()

  const office = await browser.open({ viewport: DESKTOP })
  await signInToAdmin(office, 'staff@demo.shop', `/management/details/${orderNo}`)
  await office.getByRole('button', { name: 'รับเรื่อง' }).click()
  await office.getByRole('button', { name: 'เติมไม่ได้…' }).click()
  const dialog = office.getByRole('dialog')
  await dialog.getByRole('textbox').fill('ไม่พบ Player ID')
  await dialog.getByRole('button', { name: 'เติมไม่ได้', exact: true }).click()
  await chat.getByText('เติมไม่สำเร็จ', { exact: true }).waitFor()

  await customer.goto(await inLineUrl(friend.userId, `/purchase/details/${orderNo}`))
  await customer.getByLabel('Player ID', { exact: false }).first().fill('5123456788')
  await customer.getByRole('button', { name: 'ส่งให้ทีมงานเติมใหม่' }).click()
  await group.getByText('ลูกค้าแก้ข้อมูลผู้เล่นแล้ว').first().waitFor()
  await office.reload()
  await office.getByRole('button', { name: 'เติมใหม่ ส่งกลับเข้าคิว' }).click()
  const fresh = cards.filter({ hasText: 'เติมใหม่ ·' })
  await fresh.getByText('5123456788').waitFor()
  await shoot(line, 'd-chat-corrected')

  await cards.first().getByRole('button', { name: 'รับเรื่อง' }).click()
  await group.getByText(/การ์ดที่กดเก่าแล้ว/).waitFor()
  await fresh.getByRole('button', { name: 'รับเรื่อง' }).click()
  await group.getByText(/รับเรื่องแล้ว\s+310 เพชร · 5123456788/).waitFor()
  await say(group, `เสร็จแล้วค่ะ ${orderNo} R2`)
  await group.getByText(new RegExp(`เติม ${orderNo} .*เสร็จแล้ว กำลังแจ้งลูกค้าใน LINE`)).waitFor()
  await chat.locator('.bubble').filter({ hasText: orderNo }).getByText('เติมสำเร็จแล้ว').waitFor()
  await shoot(line, 'd-chat-corrected-done')
})

test('a game is handed to a chat that the customer picks, as a card with its link', async () => {
  const customer = await browser.open(LINE_APP)
  await beInsideLine(customer)
  await customer.goto(await inLineUrl(friend.userId, '/game/freefire'))
  await customer.waitForFunction(() => localStorage.getItem('userinfo') !== null)
  const [picker] = await Promise.all([
    customer.waitForEvent('popup'),
    customer.getByRole('button', { name: 'แชร์ Free Fire' }).click(),
  ])
  await picker.getByLabel(demoLine.users.staff.displayName).check()
  await shoot(picker, 'm-share-picker')
  await picker.getByRole('button', { name: 'แชร์', exact: true }).click()
  await customer.getByText('แชร์แล้ว').waitFor()

  const line = await browser.open({ viewport: { width: 1440, height: 1000 } })
  await line.goto(`${lineEmulatorUrl()}/?user=${demoLine.users.staff.userId}`)
  const card = phoneOf(line, /^แชตของ/)
    .locator('.bubble')
    .filter({ hasText: 'Free Fire' })
  const [shop] = await Promise.all([line.waitForEvent('popup'), card.getByRole('link', { name: 'เติมเกมนี้' }).click()])
  await shop.waitForURL(url => url.pathname === '/game/freefire')
  await shoot(line, 'd-chat-shared')
})
