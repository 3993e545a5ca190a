import { expect, test } from 'vitest'
import { DESKTOP, PHONE, storefrontUrl, useBrowser } from './browser.ts'
import { findFaults } from './faults.ts'
import { agreeAndOrder, choosePackage } from './people.ts'

const browser = useBrowser()

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
