import type { Delivery } from 'local/reseller-machine.ts'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { adminUrl, DESKTOP, OFFICE, shoot, storefrontUrl, useBrowser } from './browser.ts'
import { findFaults } from './faults.ts'
import { signInToAdmin, signInToShop } from './people.ts'
import { shopPorts } from './shop.ts'

const browser = useBrowser()
const PIN = '1234'
const WAIT_MS = 60_000

/** Makes a key on the agent's page and returns what is shown once. */
async function makeKey(page: Page, { name, mode, limit }: { name: string; mode: string; limit?: string }) {
  await page.getByRole('button', { name: 'สร้างคีย์' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('ชื่อคีย์').fill(name)
  await sheet.getByRole('radio', { name: new RegExp(`^${mode}`) }).click()
  for (const scope of ['สั่งซื้อและยกเลิก', 'อ่านรหัสของคำสั่งซื้อ'])
    await sheet.getByRole('checkbox', { name: new RegExp(scope) }).check()
  if (limit) await sheet.getByLabel('วงเงินต่อวัน (บาท)').fill(limit)
  await shoot(page, `api-key-form-${name}`)
  await sheet.getByRole('button', { name: 'ต่อไป' }).click()
  await sheet.getByText('กรุณากรอก PIN กระเป๋าเงินเพื่อสร้างคีย์').waitFor()
  await page.keyboard.type(PIN)
  await sheet.getByRole('heading', { name: 'เก็บคีย์ของคุณ' }).waitFor()
  const token = /rk_(?:live|test)_\w{16}\.[\w-]{43}/.exec(await sheet.innerText())![0]
  await shoot(page, `api-key-once-${name}`)
  await sheet.getByRole('button', { name: 'ฉันเก็บคีย์แล้ว' }).click()
  await sheet.waitFor({ state: 'hidden' })
  return token
}

/** Adds the stand-in's machine as an endpoint and returns the secret. */
async function addWebhook(page: Page, url: string): Promise<string> {
  await page.getByRole('button', { name: 'เพิ่มปลายทาง' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('ที่อยู่ปลายทาง (HTTPS)').fill(url)
  await sheet.getByRole('button', { name: 'ต่อไป' }).click()
  await sheet.getByRole('textbox', { name: 'กรุณากรอก PIN กระเป๋าเงินเพื่อเพิ่มปลายทาง' }).pressSequentially('1234')
  await sheet.getByRole('heading', { name: 'เก็บรหัสลับของคุณ' }).waitFor()
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec(await sheet.innerText())![0]
  await sheet.getByRole('button', { name: 'ฉันเก็บรหัสลับแล้ว' }).click()
  await sheet.waitFor({ state: 'hidden' })
  return secret
}

/** A program of the agent's, which reaches the API as its documentation says: under the shop's own address. */
const program = (token: string) => async (method: 'GET' | 'POST', path: string, body?: object) => {
  const response = await fetch(`${storefrontUrl()}/reseller/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, never> & { code?: string } }
}

/** The kinds of events that the machine was told of at a path, verified as the standard says. One may overtake another. */
async function toldAt(path: string, secret: string): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${shopPorts().resellerMachine}/deliveries`)
  const deliveries = ((await response.json()) as Delivery[]).filter(each => each.path === path)
  const told = deliveries.map(({ body, headers }) => new Webhook(secret).verify(body, headers) as { type: string })
  return told.map(({ type }) => type).sort()
}

const until = (check: () => Promise<unknown>) => expect.poll(check, { timeout: WAIT_MS })

test('an agent makes a test key and an endpoint; a program orders with it, hears of it and reads codes', async () => {
  const page = await browser.open()
  await signInToShop(page, 'agent@demo.shop')
  await page.goto(`${storefrontUrl()}/wallet`)
  await page.getByRole('link', { name: /API/ }).filter({ visible: true }).first().click()
  await page.waitForURL(/\/agent\/api/)
  await page.getByRole('heading', { name: 'API สำหรับตัวแทน' }).first().waitFor()
  await page.goto(`${storefrontUrl()}/agent/api?mode=test`)
  const token = await makeKey(page, { name: 'bot', mode: 'ทดสอบ' })
  const path = '/hook/test'
  const secret = await addWebhook(page, `http://127.0.0.1:${shopPorts().resellerMachine}${path}`)
  await page.getByRole('button', { name: /^ส่งทดสอบ/ }).click()
  await until(() => toldAt(path, secret)).toEqual(['endpoint.test'])
  const log = page.getByRole('region', { name: 'ประวัติการส่ง' })
  await log.getByRole('listitem').filter({ hasText: 'endpoint.test' }).getByText('ส่งแล้ว', { exact: true }).waitFor()
  await shoot(page, 'api-webhook-log')
  expect(await findFaults(page)).toEqual([])

  const call = program(token)
  const { packages } = (await call('GET', '/packages')).body as unknown as { packages: { id: number; name: string }[] }
  const codes = packages.find(({ name }) => name === 'Codes')!
  const placed = await call('POST', '/orders', { ref: 'e2e-1', packageId: codes.id, quantity: 2 })
  expect(placed).toMatchObject({ status: 200, body: { status: 'waiting', mode: 'test' } })
  await until(async () => (await call('GET', '/orders/by-ref/e2e-1')).body.status).toBe('completed')
  const read = (await call('GET', `/orders/${placed.body.id}/codes`)).body as unknown as { codes: unknown[] }
  expect(read.codes).toHaveLength(2)
  await until(() => toldAt(path, secret)).toEqual(['endpoint.test', 'order.completed', 'order.processing'])
  // What is counted of a key is written some seconds later.
  await until(async () => {
    await page.reload()
    await page.getByText('ใช้ล่าสุด').first().waitFor()
    return page.getByText(/^จาก \S+/).count()
  }).toBeGreaterThan(0)
  await shoot(page, 'api-page-phone')
})

test('a live key spends from the wallet up to its day; staff deliver, the machine hears, a manager ends the key', async () => {
  const page = await browser.open({ viewport: DESKTOP })
  await signInToShop(page, 'agent@demo.shop')
  await page.goto(`${storefrontUrl()}/agent/api?mode=live`)
  const token = await makeKey(page, { name: 'shop', mode: 'ใช้จริง', limit: '200' })
  const path = '/hook/live'
  const secret = await addWebhook(page, `http://127.0.0.1:${shopPorts().resellerMachine}${path}`)
  const call = program(token)
  const before = (await call('GET', '/wallet')).body as unknown as { balance: number; key: { dailyLimit: number } }
  expect(before.key.dailyLimit).toBe(20_000)
  const { packages } = (await call('GET', '/packages?game=pubg')).body as unknown as {
    packages: { id: number; name: string; price: number }[]
  }
  const sold = packages.find(({ name }) => name === '325 UC')!
  const ask = { ref: 'live-1', packageId: sold.id, playerId: '5123456789', maxPrice: sold.price }
  const placed = await call('POST', '/orders', ask)
  expect(placed).toMatchObject({
    status: 200,
    body: { status: 'waiting', price: sold.price, playerName: 'Namkhao_TH' },
  })
  expect((await call('POST', '/orders', ask)).body).toEqual(placed.body)
  expect(await call('POST', '/orders', { ...ask, ref: 'live-2' })).toMatchObject({
    status: 403,
    body: { code: 'KEY_LIMIT_REACHED' },
  })
  expect((await call('GET', '/wallet')).body).toMatchObject({ balance: before.balance - sold.price })

  const staff = await browser.open({ viewport: OFFICE })
  await signInToAdmin(staff, 'staff@demo.shop', `/management/details/${placed.body.id}`)
  await staff.getByRole('button', { name: 'รับเรื่อง' }).first().click()
  await staff.getByLabel('เลขอ้างอิงการเติม', { exact: true }).fill('E2E-77')
  await staff
    .getByRole('button', { name: /เติมสำเร็จ|ส่งสำเร็จ/ })
    .first()
    .click()
  await until(async () => (await call('GET', `/orders/${placed.body.id}`)).body.status).toBe('completed')
  await until(() => toldAt(path, secret)).toEqual(['order.completed', 'order.processing'])

  const manager = await browser.open({ viewport: OFFICE })
  await signInToAdmin(manager, 'manager@demo.shop', '/management/reseller')
  await manager.getByRole('link', { name: /ปิติ/ }).first().waitFor()
  await shoot(manager, 'office-resellers')
  expect(await findFaults(manager)).toEqual([])
  await manager.goto(`${adminUrl()}/management/agent/demo-agent`)
  const [id] = token.split('.')
  const row = manager.getByRole('row').filter({ hasText: id! })
  await row.waitFor()
  await shoot(manager, 'office-agent-api')
  await row.getByRole('button', { name: /ยกเลิกคีย์/ }).click()
  const dialog = manager.getByRole('dialog')
  await dialog.getByLabel(/เหตุผล/).fill('เครื่องของตัวแทนถูกขโมย')
  await dialog.getByRole('button', { name: /ยกเลิกคีย์/ }).click()
  await until(async () => (await call('GET', '/wallet')).body.code).toBe('KEY_ENDED')
})
