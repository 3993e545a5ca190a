import { afterAll, beforeAll, expect, test } from 'vitest'
import { DIALECT, gatewayAt, type ScriptedGateway, startScriptedGateway } from '../../testing/scripted-gateway.ts'
import { checkGateway } from './outside-checks.ts'
import type { Patient } from './patient.ts'

let server: ScriptedGateway
beforeAll(async () => {
  server = await startScriptedGateway()
})
afterAll(() => server?.stop())

/** What is found where the shop asks a gateway at an address, or none. */
const find = (origin: string | null) =>
  checkGateway({
    config: { gateway: origin && { keys: [{ OPN_SECRET_KEY: 'x', OPN_WEBHOOK_SECRET: 'y' }] } },
    services: { gateway: origin && gatewayAt('opn', origin) },
  } as unknown as Patient)

test('a gateway that takes the key is well, and one that is off is left out', async () => {
  server.answer = () => ({ json: DIALECT.opn.list([]) })
  expect(await find(server.origin)).toEqual({ kind: 'ok', words: 'opn' })
  expect(await find(null)).toMatchObject({ kind: 'skipped', words: expect.stringContaining('GATEWAY is off') })
})

test('a wrong key is named, and so is a gateway that is away', async () => {
  server.answer = () => ({ status: 401, json: DIALECT.opn.error('authentication_failure') })
  expect(await find(server.origin)).toEqual({ kind: 'wrong', words: 'GATEWAY opn refuses OPN_SECRET_KEY (401).' })
  expect(await find('http://127.0.0.1:1')).toEqual({ kind: 'wrong', words: 'GATEWAY opn does not answer.' })
})
