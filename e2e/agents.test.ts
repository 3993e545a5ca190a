import { expect, test } from 'vitest'
import { adminUrl, DESKTOP, OFFICE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { findFaults } from './faults.ts'
import { signInToAdmin, signInToShop } from './people.ts'

const browser = useBrowser()

test('a manager makes an agent with a discount; the agent must change password and PIN and then sees the own price', async () => {
  const manager = await browser.open({ viewport: OFFICE })
  await signInToAdmin(manager, 'manager@demo.shop', '/management/agent')
  await manager.getByRole('button', { name: 'เพิ่มตัวแทน' }).click()
  const drawer = manager.getByRole('dialog')
  for (const [label, value] of [
    ['ชื่อตัวแทน', 'ร้านใหม่เกมช็อป'],
    ['ชื่อจริง', 'สมปอง'],
    ['นามสกุล', 'ขยันขาย'],
    ['อีเมล', 'fresh-agent@demo.shop'],
    ['โทรศัพท์', '0899999999'],
    ['เลขที่บัญชี', '1234567890'],
    ['รหัสผ่าน', 'given-secret-1'],
    ['ยืนยันรหัสผ่าน', 'given-secret-1'],
  ] as const) {
    await drawer.getByLabel(label, { exact: true }).fill(value)
  }
  await drawer.getByLabel('ธนาคาร', { exact: true }).click()
  await manager
    .getByTitle(/กสิกรไทย/)
    .last()
    .click()
  await drawer.getByLabel('Tier').click()
  await manager.getByTitle(/Gold/).last().click()
  await drawer.getByRole('button', { name: 'บันทึก' }).click()
  await manager.getByText('แสดงครั้งเดียว').waitFor()
  const secrets = await manager.locator('dl.secrets').innerText()
  const pin = /PIN\s+(\d{4})/.exec(secrets)?.[1]
  expect(secrets).toContain('given-secret-1')
  await manager.getByRole('button', { name: 'ส่งให้ตัวแทนแล้ว' }).click()
  await manager.getByText('ร้านใหม่เกมช็อป').first().waitFor()

  const agent = await browser.open({ viewport: DESKTOP })
  await signInToShop(agent, 'fresh-agent@demo.shop', 'given-secret-1')
  await agent.getByLabel('รหัสผ่านปัจจุบัน').fill('given-secret-1')
  await agent.getByLabel('รหัสผ่านใหม่', { exact: true }).fill('my-own-secret-1')
  await agent.getByLabel('ยืนยันรหัสผ่านใหม่').fill('my-own-secret-1')
  await agent.getByRole('button', { name: 'เปลี่ยนรหัสผ่าน' }).filter({ visible: true }).click()
  await agent.getByText('กรุณาเปลี่ยน PIN ก่อนเข้าใช้งาน').waitFor()
  await agent.getByLabel('PIN เดิม').fill(pin!)
  await agent.getByLabel('PIN ใหม่', { exact: true }).fill('2580')
  await agent.getByLabel('ยืนยัน PIN ใหม่').fill('2580')
  await agent.getByRole('button', { name: 'เปลี่ยน PIN' }).filter({ visible: true }).click()
  await agent.waitForURL(url => !url.pathname.startsWith('/user/'))

  // Wallet price 145 baht, the gold tier's discount 10 baht; an empty wallet can't pay for it and says so.
  await agent.goto(`${storefrontUrl()}/game/pubg`)
  const offer = agent.getByRole('radio', { name: /^325 UC/ })
  await offer.waitFor()
  const told = await agent.locator('label, [role=radio]', { hasText: '325 UC' }).first().innerText()
  expect(told).toContain('135.00')
  expect(told).toContain('ยอดไม่พอ')
  await shoot(agent, 'd-agent-empty-wallet')
})

test('signed-in pages of the storefront and the pages of the back office are free of axe findings', async () => {
  const faults: Record<string, string[]> = {}
  const agent = await browser.open()
  await signInToShop(agent, 'agent@demo.shop')
  for (const path of ['/wallet', '/agent/api', '/purchase/history', '/user/demo-agent', '/user/demo-agent?panel=pin']) {
    await agent.goto(`${storefrontUrl()}${path}`)
    await agent.getByRole('heading', { level: 1 }).first().waitFor()
    await agent.waitForLoadState('networkidle')
    faults[path] = await findFaults(agent)
  }
  const admin = await browser.open({ viewport: OFFICE })
  await signInToAdmin(admin, 'admin@demo.shop')
  for (const path of [
    '/dashboard',
    '/management/history?status=success',
    '/management/wallet',
    '/management/agent',
    '/management/agent/demo-agent',
    '/management/benefitgametopup',
    '/management/user',
    '/user/demo-customer',
    '/management/audit',
  ]) {
    await admin.goto(`${adminUrl()}${path}`)
    await admin.getByRole('heading', { level: 1 }).first().waitFor()
    await admin.waitForLoadState('networkidle')
    faults[path] = await findFaults(admin)
  }
  expect(Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0))).toEqual({})
})
