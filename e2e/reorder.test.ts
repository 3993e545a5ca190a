import { expect, test } from 'vitest'
import { adminUrl, OFFICE, useBrowser } from './browser.ts'
import { signInToAdmin } from './people.ts'

const { open } = useBrowser()

test('a row is dragged as soon as its dialog is open, by a slow mouse and a quick one', async () => {
  const page = await open({ viewport: OFFICE })
  await signInToAdmin(page, 'manager@demo.shop', '/management/game')
  for (const [opener, path] of [
    ['จัดเรียงเกม', '/management/game'],
    ['จัดเรียงแพ็กเกจ', '/management/package/1'],
  ] as const) {
    for (const steps of [1, 10]) {
      await page.goto(`${adminUrl()}${path}`)
      await page.getByRole('button', { name: opener }).click()
      const rows = page.getByRole('dialog').getByRole('listitem')
      await rows.nth(3).waitFor()
      const handles = page.getByRole('dialog').getByRole('button', { name: /^ลาก / })
      const nameOf = (index: number) => handles.nth(index).getAttribute('aria-label')
      const [first, second] = [await nameOf(0), await nameOf(1)]
      const [from, to] = [(await handles.nth(0).boundingBox())!, (await handles.nth(2).boundingBox())!]
      await page.mouse.move(from.x + 14, from.y + 16)
      await page.mouse.down()
      await page.mouse.move(from.x + 14, to.y + 16, { steps })
      await page.mouse.up()
      await expect.poll(() => nameOf(2)).toBe(first)
      expect(await nameOf(0)).toBe(second)
    }
  }
})
