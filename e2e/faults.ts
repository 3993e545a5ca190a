import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe objects to on the page as it stands, and whether it scrolls sideways. */
export async function findFaults(page: Page): Promise<string[]> {
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
