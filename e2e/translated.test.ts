import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { STAFF_PAGE, STAFF_PAGES } from '@shop/shared/staff-pages.ts'
import { projectRoot } from 'local/os-process.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { OFFICE, storefrontUrl, useBrowser } from './browser.ts'
import { signInToAdmin, signInToShop } from './people.ts'
import { translate } from './translator.ts'

// A purchase from the game to the goods is walked translated in first-purchase.test.ts; here every other page is.

const browser = useBrowser()

/** The paths of the storefront's pages, as its routes name them. */
const SHOP_PATHS = [
  ...readFileSync(join(projectRoot, 'liff-app', 'src', 'routes.tsx'), 'utf8').matchAll(/ path: '([^']+)'/g),
].map(([, path]) => path!)
/** These lead on who is signed in. */
const FOR_GUESTS = ['/login', '/registration']

/** @param parts what stands in place of the variable parts */
const addressOf = (path: string, parts: Record<string, string>): string =>
  path.replaceAll(/:(\w+)|\*/g, (whole, name) => {
    const part = parts[name ?? whole]
    if (part === undefined) throw new Error(`nothing is known to stand for ${whole} of ${path}`)
    return part
  })

/** What a person may touch on any page, and that sends nothing. */
const TOUCHED =
  '[role=tab][aria-selected=false], input:is([type=text], [type=search], [type=email], :not([type])):not([readonly]), [role=combobox], button[aria-haspopup], summary'

/** Types into the first field, or opens the first thing that opens. */
async function touch(page: Page): Promise<void> {
  const first = page.locator('main').locator(TOUCHED).filter({ visible: true }).first()
  if ((await first.count()) === 0) return
  await first.focus()
  await page.keyboard.press((await first.evaluate(element => element instanceof HTMLInputElement)) ? '1' : 'Enter')
  await page.waitForTimeout(200)
  await page.keyboard.press('Escape')
  await page.waitForTimeout(200)
}

/** Goes from page to page within the site, touching each; returns those that broke. */
async function walk(page: Page, paths: readonly string[]): Promise<string[]> {
  const broken: string[] = []
  let at = ''
  const note = (text: string) => /NotFoundError|removeChild|insertBefore/.test(text) && broken.push(`${at}: ${text}`)
  page.on('console', message => message.type() === 'error' && note(message.text()))
  page.on('pageerror', error => note(String(error)))
  await page.locator('html.translated-ltr').waitFor()
  for (at of paths) {
    await page.evaluate(path => {
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate', { state: null }))
    }, at)
    await page.waitForTimeout(200)
    await page.locator('main h1').filter({ visible: true }).first().waitFor()
    await page.waitForFunction(() => !document.querySelector('.skeleton, .ant-skeleton, .ant-spin-spinning'))
    await touch(page)
    if ((await page.getByText('เปิดหน้านี้ไม่สำเร็จ').or(page.getByText('โหลดหน้านี้ใหม่')).count()) > 0) broken.push(at)
    expect(await page.locator('main font').count(), `${at} is translated`).toBeGreaterThan(0)
  }
  return broken
}

test('no page of the storefront breaks when the browser translates it', async () => {
  const agent = await browser.open()
  await translate(agent)
  await agent.goto(`${storefrontUrl()}/game`)
  expect(await walk(agent, FOR_GUESTS)).toEqual([])
  await signInToShop(agent, 'agent@demo.shop')
  await agent.goto(`${storefrontUrl()}/purchase/history`)
  const link = agent.locator('main a[href^="/purchase/details/"]').first()
  await link.waitFor()
  const orderNo = (await link.getAttribute('href'))!.split('/').at(-1)!
  const parts = { code: 'freefire', orderNo, token: 'A'.repeat(22), uid: 'demo-agent', '*': 'nothing' }
  const id = '0193a000-0000-7000-8000-000000000001'
  const paths = SHOP_PATHS.filter(path => !FOR_GUESTS.includes(path)).map(path => addressOf(path, { ...parts, id }))
  expect(paths).toContain('/wallet')
  expect(await walk(agent, paths)).toEqual([])
})

test('no page of the back office breaks when the browser translates it', async () => {
  const admin = await browser.open({ viewport: OFFICE })
  await translate(admin)
  await signInToAdmin(admin, 'admin@demo.shop')
  const orderNo = (await admin
    .getByText(/^KT\d{4}-\d{8}$/)
    .first()
    .textContent())!
  const paths = STAFF_PAGES.map(page => {
    const uid = page === 'agentDetails' ? 'demo-agent' : 'demo-customer'
    return addressOf(STAFF_PAGE[page].path, { orderNo, uid, packageId: '1', id: '1' })
  })
  expect(await walk(admin, paths)).toEqual([])
})
