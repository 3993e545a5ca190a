import * as contract from '@shop/shared/account/endpoints.ts'
import { listAudit } from '@shop/shared/audit/endpoints.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createApp } from '../app.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { hashPin, lockPin, saveTries, setPin } from './pin.ts'
import { findAccount } from './store.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

let count = 0
let agent: string
beforeEach(async () => {
  agent = `agent-${++count}`
  await addAccount(it, agent, 'agent')
  await setPin(it.db, agent, await hashPin('1234'))
})
afterEach(() => vi.restoreAllMocks())

const change = (oldPin: string, pin = '9753', uid = agent) =>
  it.as(uid).codeOf(contract.changePin, { body: { oldPin, pin } })

test('the PIN is kept as argon2id, salted', async () => {
  const [first, second] = await Promise.all([hashPin('1234'), hashPin('1234')])
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(first).not.toBe(second)
})

test('the right old PIN sets the new one; four wrong ones before it cost nothing', async () => {
  for (let tries = 0; tries < 4; tries++) expect(await change('0000')).toBe('OLD_PIN_WRONG')
  expect(await change('1234')).toBe('OK')
  expect(await change('1234')).toBe('OLD_PIN_WRONG')
  expect(await change('9753', '1234')).toBe('OK')
})

test('five wrong tries lock for 15 minutes, for the right PIN too', async () => {
  for (let tries = 0; tries < 4; tries++) expect(await change('0000')).toBe('OLD_PIN_WRONG')
  expect(await change('0000')).toBe('PIN_LOCKED')
  expect(await change('1234')).toBe('PIN_LOCKED')
  it.clock.advance(15 * 60 - 1)
  expect(await change('1234')).toBe('PIN_LOCKED')
  it.clock.advance(1)
  expect(await change('1234')).toBe('OK')
})

test('forty wrong tries at the same moment are five', async () => {
  const codes = await Promise.all(Array.from({ length: 40 }, () => change('0000')))
  expect(codes.filter(code => code === 'OLD_PIN_WRONG')).toHaveLength(4)
  expect(codes.filter(code => code === 'PIN_LOCKED')).toHaveLength(36)
  expect(await it.db.transaction(tx => lockPin(tx, agent))).toMatchObject({ wrongTries: 5 })
  expect(await change('1234')).toBe('PIN_LOCKED')
})

test('a try at a PIN that was changed meanwhile is not counted against the new one', async () => {
  const stored = (await it.db.transaction(tx => lockPin(tx, agent)))!
  await setPin(it.db, agent, await hashPin('9753'))
  expect(await saveTries(it.db, agent, stored, { wrongTries: 1, lockedUntil: null })).toBe(false)
  expect(await it.db.transaction(tx => lockPin(tx, agent))).toMatchObject({ wrongTries: 0 })
})

test('only four digits are a PIN, it must differ from the old one, and without one there is nothing to change', async () => {
  for (const pin of ['123', '12345', 'abcd', '๑๒๓๔', ' 123', ''])
    expect(await change('1234', pin)).toBe('INVALID_INPUT')
  expect(await change('1234', '1234')).toBe('PIN_SAME')
  await addAccount(it, `${agent}-without`, 'agent')
  expect(await change('1234', '9753', `${agent}-without`)).toBe('PIN_NOT_SET')
  expect(await change('1234', '9753', 'customer')).toBe('FORBIDDEN')
})

test('a reset gives a one-time PIN that unlocks and must be changed; it is shown once and recorded nowhere', async () => {
  for (let tries = 0; tries < 5; tries++) await change('0000')
  const { pin } = await it.as('manager').call(contract.resetPin, { params: { uid: agent } })
  expect(pin).toMatch(/^\d{4}$/)
  expect((await findAccount(it.db, agent))?.mustChangePin).toBe(true)
  expect(await it.as(agent).codeOf(contract.linkLine, { body: { idToken: 'x' } })).toBe('PIN_CHANGE_REQUIRED')
  const { rows } = await it.as('admin').call(listAudit, { query: { subject: `account:${agent}` } })
  expect(rows).toMatchObject([
    { action: 'account.resetPin', before: { mustChangePin: false }, after: { mustChangePin: true } },
  ])
  expect(JSON.stringify([rows[0]!.before, rows[0]!.after])).not.toMatch(/argon2|\d{4}/)
  expect(await change(pin, pin === '2468' ? '8642' : '2468')).toBe('OK')
  expect((await findAccount(it.db, agent))?.mustChangePin).toBe(false)
})

test('a reset needs the rank, and a role that can have a wallet', async () => {
  const reset = (actor: string, uid: string) => it.as(actor).codeOf(contract.resetPin, { params: { uid } })
  expect(await reset('manager', 'admin')).toBe('FORBIDDEN')
  expect(await reset('manager', 'manager')).toBe('FORBIDDEN')
  expect(await reset('admin', 'admin')).toBe('FORBIDDEN')
  expect(await reset('staff', agent)).toBe('FORBIDDEN')
  expect(await reset('manager', 'customer')).toBe('WALLET_NOT_FOUND')
  expect(await reset('manager', 'nobody')).toBe('NOT_FOUND')
})

test('nothing of a PIN gets into the logs, also when the server fails', async () => {
  const lines: string[] = []
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts) => void lines.push(parts.map(inspect).join(' ')))
  }
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation(line => lines.push(String(line)) > 0)
  }
  const app = createApp(it.shop, { logsRequests: true })
  const send = (oldPin: string, pin: string) =>
    app.request(contract.changePin.path, {
      method: 'PATCH',
      headers: { ...it.as(agent).headers, 'content-type': 'application/json' },
      body: JSON.stringify({ oldPin, pin }),
    })
  expect((await send('7301', '8402')).status).toBe(422)
  await it.db.query({ text: 'ALTER TABLE pin RENAME COLUMN wrong_tries TO hidden' })
  expect((await send('7301', '8402')).status).toBe(500)
  await it.db.query({ text: 'ALTER TABLE pin RENAME COLUMN hidden TO wrong_tries' })
  expect((await send('1234', '8402')).status).toBe(200)
  expect(lines.length).toBeGreaterThanOrEqual(4)
  expect(lines.join('\n')).not.toMatch(/7301|8402|1234|argon2/)
})

function inspect(part: unknown): string {
  return part instanceof Error ? `${part.stack} ${JSON.stringify(part)}` : String(part)
}
