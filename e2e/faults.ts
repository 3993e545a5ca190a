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
  const faults = violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 120)).join(' | ')}`)
  return sideways ? [...faults, 'scrolls sideways'] : faults
}

/** Below this a finger misses. */
const TARGET_PX = 44

/**
 * What does not fit the window: words parted over two lines (but for addresses, which may break anywhere), a bar that
 * stays over more than a fifth of it, a field's button that fell out of its line (an example may take the whole line),
 * scrolling sideways, and at the usual size of text what is too small to press.
 */
export function findCramped(page: Page, textScale: 1 | 2): Promise<string[]> {
  return page.evaluate(
    ({ scale, least }) => {
      document.documentElement.style.fontSize = `${scale * 100}%`
      const isSeen = (element: Element) => {
        const { width, height } = element.getBoundingClientRect()
        return width > 1 && height > 1 && getComputedStyle(element).visibility === 'visible'
      }
      const nameOf = (element: Element) =>
        element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40)
      // A link may lay itself over the whole row that it names.
      const isOverRow = (element: Element) => getComputedStyle(element, '::before').position === 'absolute'
      const rowOf = (element: Element) => (isOverRow(element) ? (element as HTMLElement).offsetParent : null)
      const targetOf = (element: Element) => element.closest('label') ?? rowOf(element) ?? element
      const small = [...document.querySelectorAll('a, button, summary, [role=radio], input[type=checkbox]')]
        .filter(element => isSeen(element) && !element.closest('.sr-only'))
        .filter(element => targetOf(element).getBoundingClientRect().height < least)
        .map(element => `small: ${nameOf(element)}`)

      const words = new Intl.Segmenter('th', { granularity: 'word' })
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const parted: string[] = []
      const range = document.createRange()
      while (texts.nextNode()) {
        const text = texts.currentNode as Text
        const around = text.parentElement
        if (!around || !isSeen(around) || around.closest('.sr-only, script, style')) continue
        if (getComputedStyle(around).overflowWrap === 'anywhere') continue
        for (const { segment, index, isWordLike } of words.segment(text.data)) {
          if (!isWordLike) continue
          range.setStart(text, index)
          range.setEnd(text, index + segment.length)
          const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top)
          if (Math.max(...tops) - Math.min(...tops) > 8) parted.push(`parted: ${segment}`)
        }
      }
      const bars = [...document.querySelectorAll('[data-bar]')]
        .filter(bar => getComputedStyle(bar).position === 'fixed')
        .filter(bar => bar.getBoundingClientRect().height > innerHeight / 5)
        .map(() => 'a bar over more than a fifth')
      const fallen = [...document.querySelectorAll('input:not([placeholder]) + button')]
        .filter(isSeen)
        .filter(button => {
          const { bottom } = button.previousElementSibling!.getBoundingClientRect()
          return button.getBoundingClientRect().top >= bottom
        })
        .map(button => `below its field: ${nameOf(button)}`)
      const { scrollWidth, clientWidth } = document.documentElement
      return [
        ...(scale === 1 ? small : []),
        ...parted,
        ...bars,
        ...fallen,
        ...(scrollWidth > clientWidth ? ['sideways'] : []),
      ]
    },
    { scale: textScale, least: TARGET_PX },
  )
}

/** Text of lists and panels that is wider than its box, and lists that scroll sideways. */
export function findCut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isSeen = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return width > 1 && height > 1 && !element.closest('.sr-only')
    }
    const isWider = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth + 1
    const boxes = [...document.querySelectorAll('.list, .ant-table-body, .ant-table-content, tr td, tr td *, aside *')]
    return boxes
      .filter(box => isSeen(box) && isWider(box) && getComputedStyle(box).display !== 'inline' && !box.matches('input'))
      .map(box => `${box.tagName.toLowerCase()}.${box.className}: ${box.textContent?.trim().slice(0, 40)}`)
  })
}
