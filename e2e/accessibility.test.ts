import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE, storefrontUrl, useBrowser } from './browser.ts'
import { agreeAndOrder, choosePackage } from './people.ts'

const browser = useBrowser()
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe objects to on the page as it stands, and whether it scrolls sideways. */
async function findFaults(page: Page): Promise<string[]> {
  // A colour in the middle of a transition would count as too pale.
  await page.addStyleTag({ content: '* { transition: none !important }' })
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate(() =>
    (
      globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
    ).axe.run(),
  )
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  )
  // White on LINE's green is 2.3:1, and LINE's rules for its button allow no other pair; its size makes up for it.
  const isLineButton = (id: string, html: string) => id === 'color-contrast' && html.includes(' LINE</span>')
  const ours = violations
    .map(each => ({ ...each, nodes: each.nodes.filter(node => !isLineButton(each.id, node.html)) }))
    .filter(each => each.nodes.length > 0)
  const faults = ours.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 120)).join(' | ')}`)
  return sideways ? [...faults, 'scrolls sideways'] : faults
}

test.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])("every page of a guest's purchase is free of axe findings on %s", async (_, viewport) => {
  const guest = await browser.open({ viewport })
  const faults: Record<string, string[]> = {}
  const look = async (name: string) => {
    faults[name] = await findFaults(guest)
  }
  await guest.goto(`${storefrontUrl()}/game`)
  await guest.getByRole('link', { name: /Free Fire/ }).waitFor()
  await look('games')
  await choosePackage(guest, { game: 'Free Fire', playerId: `52${viewport.width}0001`, packageName: '520 เพชร' })
  await look('purchase')
  await agreeAndOrder(guest)
  await guest.getByText('ยอดที่ต้องโอน').first().waitFor()
  await look('payment')
  await guest.getByRole('button', { name: 'โอนแล้ว แจ้งชำระเงิน' }).filter({ visible: true }).click()
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
  for (const path of ['/login', '/registration', '/nothing']) {
    await guest.goto(`${storefrontUrl()}${path}`)
    await guest.getByRole('heading', { level: 1 }).first().waitFor()
    await look(path)
  }
  expect(Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0))).toEqual({})
})

test('with text twice as large nothing is cut off sideways', async () => {
  const guest = await browser.open()
  for (const path of ['/game', '/game/mlbb', '/login']) {
    await guest.goto(`${storefrontUrl()}${path}`)
    await guest.getByRole('heading', { level: 1 }).first().waitFor()
    await guest.addStyleTag({ content: 'html { font-size: 200% }' })
    const overflow = await guest.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, path).toBeLessThanOrEqual(0)
  }
})
