import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { adminUrl, DESKTOP, LAPTOP, OFFICE, PHONE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { findCramped, findFaults } from './faults.ts'
import { agreeAndOrder, choosePackage, reportWithoutSlip, signInToAdmin, signInToShop } from './people.ts'

const browser = useBrowser()

/** A page has its route's heading from the first moment: what it shows is there once no shapes stand for it. */
async function arrive(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.skeleton'))
}

/** What only an agent sees, and what an agent sees more in. */
const PANELS_OF_AN_AGENT = ['info', 'password', 'pin', 'links', 'data'].map(name => `/user/demo-agent?panel=${name}`)
const OF_AN_AGENT = ['/wallet', '/agent/api?mode=live', '/purchase/history', '/user/demo-agent', '/game/freefire']

test("every page of a guest's purchase and of an agent is free of axe findings on a phone and a desktop", async () => {
  const guest = await browser.open()
  const faults: Record<string, string[]> = {}
  const look = async (name: string) => {
    for (const viewport of [DESKTOP, PHONE]) {
      await guest.setViewportSize(viewport)
      faults[`${name} ${viewport.width}`] = await findFaults(guest)
    }
  }
  await guest.goto(`${storefrontUrl()}/game`)
  await guest.getByRole('link', { name: /Free Fire/ }).waitFor()
  await look('games')
  await choosePackage(guest, { game: 'Free Fire', playerId: '5236000001', packageName: '520 เพชร' })
  await look('purchase')
  await agreeAndOrder(guest)
  await guest.getByText('ยอดที่ต้องโอน').first().waitFor()
  await look('payment')
  await guest.getByRole('button', { name: 'บันทึกรูป' }).click()
  await guest.getByRole('dialog').getByRole('img', { name: /QR/ }).waitFor()
  await look('picture to keep')
  await guest.getByRole('dialog').getByRole('button', { name: 'ปิด' }).click()
  // Closing goes a step back, which would cut off the way to the next page.
  await guest.getByRole('dialog').waitFor({ state: 'detached' })
  await guest.goto(`${storefrontUrl()}/game/rov`)
  await guest
    .getByRole('dialog')
    .getByRole('link', { name: /^ชำระ KT/ })
    .waitFor()
  await look('pending orders')
  await guest
    .getByRole('dialog')
    .getByRole('button', { name: /^ยกเลิกคำสั่งซื้อ KT/ })
    .click()
  await guest
    .getByRole('dialog')
    .getByText(/หากโอนเงินแล้ว อย่ายกเลิก/)
    .waitFor()
  await look('cancel question')
  await guest.goto(`${storefrontUrl()}/payment`)
  await reportWithoutSlip(guest)
  await guest.waitForURL(/\/thankyou/)
  await guest.getByRole('heading', { name: 'รับแจ้งการโอนแล้ว' }).waitFor()
  await look('thankyou')
  await guest.getByRole('link', { name: 'ดูสถานะคำสั่งซื้อ' }).click()
  await guest.waitForURL(/\/track\//)
  await guest
    .getByText(/Player ID/)
    .first()
    .waitFor()
  await look('track')
  for (const path of ['/purchase/history', '/login', '/registration', '/privacy', '/nothing']) {
    await guest.goto(`${storefrontUrl()}${path}`)
    await arrive(guest)
    await look(path)
  }
  await signInToShop(guest, 'agent@demo.shop')
  for (const path of OF_AN_AGENT) {
    await guest.goto(`${storefrontUrl()}${path}`)
    await arrive(guest)
    await look(path)
  }
  expect(Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0))).toEqual({})
})

/** Words that fit, and one that is wider than any phone; 65 letters. */
const LONG_NAME = 'Heroes of the Kingdoms: Remastered Legends of the Everlastingdawn'

/** From now on the shop calls a game by another name. */
const nameGame = (page: Page, name: string, shown: string) =>
  page.route(/\/romons\./, async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll(`"name":"${name}"`, `"name":"${shown}"`) })
  })

test.each([1, 2] as const)('on a phone with text %i times as large everything fits and can be pressed', async scale => {
  const guest = await browser.open()
  const cramped: Record<string, string[]> = {}
  const look = async (name: string) => {
    await arrive(guest)
    // The window tells the bars of the new size after it has been drawn, which takes a busy machine a while.
    for (let tries = 1; ; tries++) {
      cramped[name] = await findCramped(guest, scale)
      if (tries > 1 && (cramped[name].length === 0 || tries === 10)) break
      await guest.evaluate(() => new Promise(drawn => setTimeout(drawn, 100)))
    }
    await shoot(guest, `m-text-${scale}-${name.replace(/[^\w]+/g, '-')}`)
    await guest.evaluate(() => document.documentElement.removeAttribute('style'))
  }
  for (const path of [
    '/game',
    '/game?q=zz',
    '/game/mlbb',
    '/game/genshin',
    '/login',
    '/registration',
    '/privacy',
    '/purchase/history',
    '/no',
  ]) {
    await guest.goto(`${storefrontUrl()}${path}`)
    await look(path)
  }
  await choosePackage(guest, { game: 'Free Fire', playerId: `52360100${scale}`, packageName: '310 เพชร' })
  await look('purchase')
  await agreeAndOrder(guest)
  await guest.getByText('ยอดที่ต้องโอน').first().waitFor()
  await look('payment')
  await nameGame(guest, 'Free Fire', LONG_NAME)
  await guest.reload()
  await guest.getByText(LONG_NAME).first().waitFor()
  await look('payment for a game with a long name')
  await reportWithoutSlip(guest)
  await guest.getByRole('link', { name: 'ดูสถานะคำสั่งซื้อ' }).waitFor()
  await look('thankyou')
  await guest.getByRole('link', { name: 'ดูสถานะคำสั่งซื้อ' }).click()
  await guest
    .getByText(/Player ID/)
    .first()
    .waitFor()
  await look('track')
  await guest.unroute(/\/romons\./)
  await signInToShop(guest, 'agent@demo.shop')
  for (const path of [...OF_AN_AGENT, ...PANELS_OF_AN_AGENT]) {
    await guest.goto(`${storefrontUrl()}${path}`)
    await look(path)
  }
  await guest.goto(`${storefrontUrl()}/purchase/history`)
  await arrive(guest)
  // The newest is of the guest who has just signed in, and has no address.
  await guest.locator('main a[href^="/purchase/details/"]').last().click()
  await guest.getByText('รายละเอียดเพิ่มเติม').click()
  await guest.getByText('agent@demo.shop').waitFor()
  await look('order of an account, unfolded')
  expect(Object.fromEntries(Object.entries(cramped).filter(([, found]) => found.length > 0))).toEqual({})
})

const SAID = { loading: /กรุณารอสักครู่/, failed: /ไม่สำเร็จ|ไม่สามารถ/ }

test.each([
  ['loading', () => undefined],
  ['failed', (route: Route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{}' })],
] as const)('a page that is %s is free of axe findings', async (state, answer) => {
  const guest = await browser.open()
  await choosePackage(guest, { game: 'Free Fire', playerId: '5236010009', packageName: '310 เพชร' })
  await guest.evaluate(() => localStorage.setItem('data', '{"orderNo":"KT2611-00000000"}'))
  await guest.route(/\/romons\./, answer)
  const faults: Record<string, string[]> = {}
  for (const path of [
    '/game',
    '/game/freefire',
    '/terms',
    '/payment',
    '/thankyou',
    '/purchase/history',
    '/purchase/details/KT2611-00000000',
    `/track/${'A'.repeat(22)}`,
  ]) {
    await guest.goto(`${storefrontUrl()}${path}`)
    await guest.getByText(SAID[state]).filter({ visible: true }).first().waitFor()
    faults[path] = await findFaults(guest)
  }
  expect(Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0))).toEqual({})
})

/** Pages of the back office with what axe has objected to: wide rows of choices, empty tables, switches, hidden lines, tabs that do not fit. */
const OF_THE_OFFICE = [
  '/management/history?waiting=failed',
  '/management/secondword',
  '/dashboard/sale',
  '/management/package/1/rules',
  '/user/demo-customer',
  '/management/chat',
  '/management/refund',
]

test('pages of the back office are free of axe findings on a phone and a laptop', async () => {
  const admin = await browser.open({ viewport: LAPTOP })
  await signInToAdmin(admin, 'admin@demo.shop')
  const faults: Record<string, string[]> = {}
  for (const path of OF_THE_OFFICE) {
    await admin.goto(`${adminUrl()}${path}`)
    await admin.getByRole('heading', { level: 1 }).first().waitFor()
    await admin.waitForFunction(() => !document.querySelector('.ant-skeleton, .ant-spin-spinning'))
    for (const viewport of [PHONE, LAPTOP]) {
      await admin.setViewportSize(viewport)
      faults[`${path} ${viewport.width}`] = await findFaults(admin)
    }
  }
  expect(Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0))).toEqual({})
})

test("an admin's menu says in a low window how many pages lie below, and keys reach each of them", async () => {
  const admin = await browser.open({ viewport: LAPTOP })
  await signInToAdmin(admin, 'admin@demo.shop')
  const pages = admin.locator('.menu-pages')
  const links = pages.getByRole('link')
  const more = admin.locator('.menu-more')
  await more.waitFor()
  const count = await links.count()
  const [, below] = /อีก (\d+) หน้า/.exec((await more.textContent())!)!
  const isSeen = (nth: number) =>
    links.nth(nth).evaluate(link => {
      const { top, bottom } = link.getBoundingClientRect()
      const box = link.closest('.menu-pages')!.getBoundingClientRect()
      return top >= box.top - 1 && bottom <= box.bottom + 1
    })
  const seen = await Promise.all(Array.from({ length: count }, (_, nth) => isSeen(nth)))
  expect(seen.filter(each => !each)).toHaveLength(Number(below))
  await shoot(admin, 'a-menu-720')
  await links.first().focus()
  for (let nth = 1; nth < count; nth++) {
    await admin.keyboard.press('Tab')
    expect(await links.nth(nth).evaluate(link => link === document.activeElement)).toBe(true)
    await expect.poll(() => isSeen(nth)).toBe(true)
  }
  await more.waitFor({ state: 'detached' })
  await admin.setViewportSize(OFFICE)
  await links.first().focus()
  for (let nth = 0; nth < count; nth++) expect(await isSeen(nth)).toBe(true)
  expect(await more.count()).toBe(0)
})
