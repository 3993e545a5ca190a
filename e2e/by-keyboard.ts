import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** More than any page of the shop has. */
const MOST_STOPS = 90

interface Stop {
  name: string
  /** Whether a person sees where they are. */
  isMarked: boolean
}

/** What has the focus now. */
export const stopOf = (page: Page): Promise<Stop> =>
  page.evaluate(() => {
    const field = document.activeElement as HTMLInputElement
    const label = field.getAttribute('aria-label') ?? field.labels?.[0]?.textContent ?? field.textContent ?? ''
    // A field is framed by what stands around it.
    const marks = [field, field.parentElement!]
    const isMarked = marks.some(each => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    })
    return { name: label.replace(/\s+/g, ' ').trim(), isMarked }
  })

/** Presses a key until what has the focus is called so. */
export async function reach(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = []
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    const stop = await stopOf(page)
    if (stops > 0 && name.test(stop.name)) {
      expect(stop, 'the focus is seen').toMatchObject({ isMarked: true })
      return
    }
    passed.push(stop.name)
    await page.keyboard.press(key)
  }
  throw new Error(`${name} is not reached by ${key}: ${passed.join(' | ')}`)
}

export const press = (page: Page, ...keys: string[]) =>
  keys.reduce<Promise<void>>((last, key) => last.then(() => page.keyboard.press(key)), Promise.resolve())
