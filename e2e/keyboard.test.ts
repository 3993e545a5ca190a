import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP, PHONE, storefrontUrl, useBrowser } from './browser.ts'

const browser = useBrowser()
/** More than any page of the shop has. */
const MOST_STOPS = 90

interface Stop {
  name: string
  /** Whether a person sees where they are. */
  isMarked: boolean
}

/** What has the focus now. */
const stopOf = (page: Page): Promise<Stop> =>
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
async function reach(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
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

const press = (page: Page, ...keys: string[]) =>
  keys.reduce<Promise<void>>((last, key) => last.then(() => page.keyboard.press(key)), Promise.resolve())

test.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('on %s a guest buys by bank transfer without a mouse', async (_, viewport) => {
  const guest = await browser.open({ viewport })
  await guest.goto(storefrontUrl())
  await guest.getByRole('link', { name: /Free Fire/ }).waitFor()
  await reach(guest, /Free Fire/)
  await press(guest, 'Enter')

  await guest.getByRole('radio', { name: /310 เพชร/ }).waitFor()
  await reach(guest, /Player ID/)
  await guest.keyboard.type('5123456789')
  await reach(guest, /เพชร/)
  await press(guest, 'Space')
  await reach(guest, /^310 เพชร/, 'ArrowRight')
  expect(await guest.getByRole('radio', { name: /^310 เพชร/ }).getAttribute('aria-checked')).toBe('true')
  await reach(guest, /กสิกรไทย|กรุงเทพ|ไทยพาณิชย์/)
  await press(guest, 'Space', 'ArrowDown', 'ArrowUp')
  await reach(guest, /^ดำเนินการต่อ$/)
  await press(guest, 'Enter')

  await guest.waitForURL(/\/terms/)
  await reach(guest, /^ยอมรับเงื่อนไขการให้บริการ/)
  await press(guest, 'Space')
  await reach(guest, /^ยืนยัน รับยอดโอน$/)
  await press(guest, 'Enter')

  await guest.waitForURL(/\/payment/)
  await guest
    .getByText(/^99 บาท \d\d สตางค์$/)
    .first()
    .waitFor()
  await reach(guest, /ยกเลิกคำสั่งซื้อ/)
  await press(guest, 'Enter')
  await guest.getByRole('dialog').waitFor()
  await press(guest, 'Escape')
  await guest.getByRole('dialog').waitFor({ state: 'hidden' })
  expect((await stopOf(guest)).name).toBe('ยกเลิกคำสั่งซื้อ')
  await reach(guest, /^โอนแล้ว แจ้งชำระเงิน$/, 'Shift+Tab')
})
