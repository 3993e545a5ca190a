import { hash } from '@node-rs/argon2'
import * as contract from '@shop/shared/account/endpoints.ts'
import { changePin, getPinState, resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { listAudit } from '@shop/shared/audit/endpoints.ts'
import { DAY_MS } from '@shop/shared/time.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createPins } from '../account/pins.ts'
import { findAccount } from '../account/store.ts'
import { createApp } from '../start/app.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { checkPin, findPin, savePinTry, setPin, tryPin } from './pin.ts'

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
  await setPin(it.db, agent, it.shop.pins.hash(agent, '1234'))
})
afterEach(() => vi.restoreAllMocks())

const change = (oldPin: string, pin = '9753', uid = agent) => it.as(uid).codeOf(changePin, { body: { oldPin, pin } })

const first = { name: 'v1', secret: 'the first secret of at least thirty-two'.replaceAll(' ', '-') }
const second = { name: 'v2', secret: 'the second secret of at least thirty-two'.replaceAll(' ', '-') }

const stored = async (uid = agent) => (await findPin(it.db, uid))!
/** Keeps a PIN as it was kept once. */
const keep = (kept: string, uid = agent) => setPin(it.db, uid, kept)
/** As a server without the newest keys did, and at little cost. */
const argon2 = (pin: string) => hash(pin, { memoryCost: 1024, timeCost: 1 })
/** One try as every caller makes it. */
const tryOnce = (pin: string, pins = it.shop.pins) =>
  it.db.transaction(async tx => {
    const error = await checkPin(tx, pins, { uid: agent, role: 'agent', now: it.clock.now }, pin)
    return error?.code ?? 'OK'
  })

test('a PIN is kept as a hash that names its key, one for each person', async () => {
  const { hash: kept } = await stored()
  expect(kept).toMatch(/^v1\$[\w-]{43}$/)
  expect(it.shop.pins.hash(agent, '1234')).toBe(kept)
  const others = [it.shop.pins.hash('somebody', '1234'), it.shop.pins.hash(agent, '1235')]
  expect(new Set([kept, ...others]).size).toBe(3)
  expect(createPins([first]).hash(agent, '1234')).not.toBe(
    createPins([{ ...first, secret: second.secret }]).hash(agent, '1234'),
  )
})

test("a row that was copied from another account is nobody's PIN", async () => {
  await addAccount(it, `${agent}-thief`, 'agent')
  await keep((await stored()).hash, `${agent}-thief`)
  expect(await change('1234', '9753', `${agent}-thief`)).toBe('OLD_PIN_WRONG')
})

test('what was kept by argon2id is accepted, and kept anew with the first right try', async () => {
  await keep(await argon2('1234'))
  expect(await tryOnce('0000')).toBe('PIN_WRONG')
  expect((await stored()).hash).toMatch(/^\$argon2id/)
  expect(await tryOnce('1234')).toBe('OK')
  const after = await stored()
  expect(after).toMatchObject({ hash: it.shop.pins.hash(agent, '1234'), wrongTries: 0 })
  expect([await tryOnce('1234'), await tryOnce('0000')]).toEqual(['OK', 'PIN_WRONG'])
  expect((await stored()).hash).toBe(after.hash)
})

test('with a new key in front the old one is read, until the owner has typed the PIN', async () => {
  const [old, both, young] = [createPins([first]), createPins([second, first]), createPins([second])]
  await keep(old.hash(agent, '1234'))
  expect(await tryOnce('0000', both)).toBe('PIN_WRONG')
  expect((await stored()).hash).toMatch(/^v1\$/)
  expect(await tryOnce('1234', both)).toBe('OK')
  expect((await stored()).hash).toMatch(/^v2\$/)
  expect([await tryOnce('1234', young), await tryOnce('1234', both)]).toEqual(['OK', 'OK'])
})

test('a PIN whose key was removed costs its owner nothing, and the log names the key', async () => {
  const lines = listen()
  const app = createApp({ ...it.shop, pins: createPins([second]) })
  const before = await stored()
  const reply = await app.request(changePin.path, patch('1234', '9753'))
  expect([reply.status, await reply.json()]).toMatchObject([500, { code: 'PIN_UNREADABLE' }])
  expect(await stored()).toEqual(before)
  expect(lines.join('\n')).toContain('PIN_KEYS has the key v1 of a kept PIN')
  expect(await change('1234')).toBe('OK')
})

test('what is no hash at all is not read either, and not told', async () => {
  const lines = listen()
  for (const kept of ['', '1234', 'plain$1234', '1234$', 'v1$']) {
    await keep(kept)
    expect(await change('1234')).toBe('PIN_UNREADABLE')
  }
  expect(lines.join('\n')).not.toContain('1234')
})

test('the right old PIN sets the new one; four wrong ones before it cost nothing', async () => {
  for (let tries = 0; tries < 4; tries++) expect(await change('0000')).toBe('OLD_PIN_WRONG')
  expect(await change('1234')).toBe('OK')
  expect(await change('1234')).toBe('OLD_PIN_WRONG')
  expect(await change('9753', '1234')).toBe('OK')
})

const missFive = async () => {
  for (let tries = 0; tries < 4; tries++) expect(await change('0000')).toBe('OLD_PIN_WRONG')
  return change('0000')
}

test('five wrong tries lock for 15 minutes, for the right PIN too', async () => {
  expect(await missFive()).toBe('PIN_LOCKED')
  expect(await change('1234')).toBe('PIN_LOCKED')
  it.clock.advance(15 * 60 - 1)
  expect(await change('1234')).toBe('PIN_LOCKED')
  it.clock.advance(1)
  expect(await change('1234')).toBe('OK')
})

test('each lock holds longer, until only a new PIN from the staff helps', async () => {
  for (const seconds of [15 * 60, 3600, 24 * 3600]) {
    expect(await missFive()).toBe('PIN_LOCKED')
    it.clock.advance(seconds - 1)
    expect(await change('1234')).toBe('PIN_LOCKED')
    // To another day as well: ten a day lock until the next.
    it.clock.advance(DAY_MS / 1000)
  }
  expect(await missFive()).toBe('PIN_NEEDS_RESET')
  it.clock.advance(100 * (DAY_MS / 1000))
  expect(await change('1234')).toBe('PIN_NEEDS_RESET')
  const { pin } = await it.as('manager').call(resetPin, { params: { uid: agent } })
  expect(await change(pin, pin === '2468' ? '8642' : '2468')).toBe('OK')
  expect(await stored()).toMatchObject({ locks: 0, dayTries: 0, lockedAt: null })
})

test('a lock is in the log of the shop once, and its owner will be told of it', async () => {
  await missFive()
  await change('1234')
  const { rows } = await it.as('admin').call(listAudit, { query: { subject: `account:${agent}` } })
  const lockedUntil = new Date(it.clock.now.getTime() + 900_000).toISOString()
  expect(rows).toMatchObject([
    { action: 'account.lockPin', actorUid: agent, before: null, after: { locks: 1, lockedUntil } },
  ])
  const told = await it.db.query({
    text: `SELECT payload FROM outbox WHERE kind = 'chat.tell' AND payload->>'id' = $1`,
    values: [agent],
  })
  expect(told).toEqual([{ payload: { event: 'pinLocked', id: agent, turn: it.clock.now.toISOString() } }])
})

test('staff who may give a new PIN see how the tries stand, others not', async () => {
  const see = (uid = agent) => it.as('manager').call(getPinState, { params: { uid } })
  expect(await see()).toEqual({ wrongTries: 0, wrongToday: 0, lock: null })
  await change('0000')
  expect(await see()).toEqual({ wrongTries: 1, wrongToday: 1, lock: null })
  for (let tries = 0; tries < 4; tries++) await change('0000')
  const at = it.clock.now.toISOString()
  const until = new Date(it.clock.now.getTime() + 900_000).toISOString()
  expect(await see()).toEqual({ wrongTries: 0, wrongToday: 5, lock: { at, until, isHolding: true } })
  it.clock.advance(900)
  expect(await see()).toEqual({ wrongTries: 0, wrongToday: 5, lock: { at, until, isHolding: false } })
  it.clock.advance(7 * 86_400)
  expect(await see()).toEqual({ wrongTries: 0, wrongToday: 0, lock: null })
  expect(await it.as('manager').codeOf(getPinState, { params: { uid: 'customer' } })).toBe('PIN_NOT_SET')
  expect(await it.as('staff').codeOf(getPinState, { params: { uid: agent } })).toBe('FORBIDDEN')
  expect(await it.as(agent).codeOf(getPinState, { params: { uid: agent } })).toBe('FORBIDDEN')
})

test('forty wrong tries at the same moment are five', async () => {
  const codes = await Promise.all(Array.from({ length: 40 }, () => change('0000')))
  expect(codes.filter(code => code === 'OLD_PIN_WRONG')).toHaveLength(4)
  expect(codes.filter(code => code === 'PIN_LOCKED')).toHaveLength(36)
  expect(await stored()).toMatchObject({ wrongTries: 0, dayTries: 5, locks: 1 })
  expect(await change('1234')).toBe('PIN_LOCKED')
})

test('a try at a PIN that was changed meanwhile is not counted against the new one', async () => {
  const owner = { uid: agent, role: 'agent', now: it.clock.now } as const
  const tried = await tryPin(it.shop.pins, agent, await stored(), '0000', it.clock.now)
  await keep(it.shop.pins.hash(agent, '9753'))
  expect(await it.db.transaction(tx => savePinTry(tx, owner, tried))).toBe(false)
  expect(await stored()).toMatchObject({ wrongTries: 0 })
})

test('only four digits are a PIN, it must differ from the old one, and without one there is nothing to change', async () => {
  for (const pin of ['123', '12345', 'abcd', ' 123', '']) expect(await change('1234', pin)).toBe('INVALID_INPUT')
  // A keyboard of Thai digits types the same PIN.
  for (const same of ['1234', '๑๒๓๔']) expect(await change('1234', same)).toBe('PIN_SAME')
  await addAccount(it, `${agent}-without`, 'agent')
  expect(await change('1234', '9753', `${agent}-without`)).toBe('PIN_NOT_SET')
  expect(await change('1234', '9753', 'customer')).toBe('PIN_NOT_SET')
})

test('a reset gives a one-time PIN that unlocks and must be changed; it is shown once and recorded nowhere', async () => {
  for (let tries = 0; tries < 5; tries++) await change('0000')
  const { pin } = await it.as('manager').call(resetPin, { params: { uid: agent } })
  expect(pin).toMatch(/^\d{4}$/)
  expect((await findAccount(it.db, agent))?.mustChangePin).toBe(true)
  expect(await it.as(agent).codeOf(contract.linkLine, { body: { idToken: 'x' } })).toBe('PIN_CHANGE_REQUIRED')
  const { rows } = await it.as('admin').call(listAudit, { query: { subject: `account:${agent}` } })
  expect(rows).toMatchObject([
    { action: 'account.resetPin', before: { mustChangePin: false }, after: { mustChangePin: true } },
    { action: 'account.lockPin' },
  ])
  expect(JSON.stringify([rows[0]!.before, rows[0]!.after])).not.toMatch(/v1\$|\d{4}/)
  expect(JSON.stringify(rows)).not.toContain('v1$')
  expect(await change(pin, pin === '2468' ? '8642' : '2468')).toBe('OK')
  expect((await findAccount(it.db, agent))?.mustChangePin).toBe(false)
})

test('a reset needs the rank, and a role that can have a wallet', async () => {
  const reset = (actor: string, uid: string) => it.as(actor).codeOf(resetPin, { params: { uid } })
  expect(await reset('manager', 'admin')).toBe('FORBIDDEN')
  expect(await reset('manager', 'manager')).toBe('FORBIDDEN')
  expect(await reset('admin', 'admin')).toBe('FORBIDDEN')
  expect(await reset('staff', agent)).toBe('FORBIDDEN')
  expect(await reset('manager', 'customer')).toBe('WALLET_NOT_FOUND')
  expect(await reset('manager', 'nobody')).toBe('NOT_FOUND')
})

test('nothing of a PIN gets into the logs, also when the server fails', async () => {
  const lines = listen()
  const app = createApp(it.shop, { logsRequests: true })
  const send = async (oldPin: string, pin: string) => app.request(changePin.path, patch(oldPin, pin))
  expect((await send('7301', '8402')).status).toBe(422)
  await it.db.query({ text: 'ALTER TABLE pin RENAME COLUMN wrong_tries TO hidden' })
  expect((await send('7301', '8402')).status).toBe(500)
  await it.db.query({ text: 'ALTER TABLE pin RENAME COLUMN hidden TO wrong_tries' })
  expect((await send('1234', '8402')).status).toBe(200)
  expect(lines.length).toBeGreaterThanOrEqual(4)
  expect(lines.join('\n')).not.toMatch(/7301|8402|1234|argon2|v1\$|for-development/)
})

/** Everything that is logged from now on. */
function listen(): string[] {
  const lines: string[] = []
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...parts) => void lines.push(parts.map(inspect).join(' ')))
  }
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation(line => lines.push(String(line)) > 0)
  }
  return lines
}

const patch = (oldPin: string, pin: string) => ({
  method: 'PATCH',
  headers: { ...it.as(agent).headers, 'content-type': 'application/json' },
  body: JSON.stringify({ oldPin, pin }),
})

function inspect(part: unknown): string {
  return part instanceof Error ? `${part.stack} ${JSON.stringify(part)}` : String(part)
}
