import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthEmulator, startAuthEmulator } from './auth-emulator.ts'
import { DEMO_PASSWORD, demoAccounts, seedAuthAccounts } from './demo-accounts.ts'
import { projectRoot } from './os-process.ts'
import { findFreePort } from './ports.ts'

let dir: string
let emulator: AuthEmulator
const start = async () => {
  emulator = await startAuthEmulator({ port: await findFreePort(), dir })
  await emulator.ready
}

beforeAll(async () => {
  mkdirSync(join(projectRoot, '.local'), { recursive: true })
  dir = mkdtempSync(join(projectRoot, '.local', 'auth-test-'))
  // As a kill leaves it that comes while accounts are written down.
  mkdirSync(join(dir, 'accounts'))
  await start()
  await seedAuthAccounts(emulator.host)
})

afterAll(async () => {
  await emulator?.stop()
  rmSync(dir, { recursive: true, force: true })
})

async function call(action: string, body: unknown): Promise<{ status: number; idToken?: string; localId?: string }> {
  const url = `http://${emulator.host}/identitytoolkit.googleapis.com/v1/accounts:${action}?key=any`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, ...((await response.json()) as object) }
}

const signIn = (email: string, password: string) =>
  call('signInWithPassword', { email, password, returnSecureToken: true })

const getClaims = (idToken: string) => JSON.parse(Buffer.from(idToken.split('.')[1]!, 'base64url').toString())

test('every demo account signs in with its role and flags, the inactive one is refused', async () => {
  for (const account of demoAccounts) {
    const answer = await signIn(account.email, DEMO_PASSWORD)
    if (account.isActive === false) {
      expect(answer.status).toBe(400)
      continue
    }
    expect(getClaims(answer.idToken!)).toMatchObject({
      user_id: account.uid,
      name: account.displayName,
      role: account.role,
      ispasswordchange: account.hasChangedPassword,
      ispinchange: account.hasChangedPin,
    })
  }
})

test('a person who registered is there after the next start, and seeding again changes nothing', async () => {
  const email = 'someone@example.com'
  const { localId } = await call('signUp', { email, password: 'secret-99', returnSecureToken: true })
  await emulator.stop()
  await start()
  await seedAuthAccounts(emulator.host)
  expect((await signIn(email, 'secret-99')).localId).toBe(localId)
  expect(getClaims((await signIn('admin@demo.shop', DEMO_PASSWORD)).idToken!).role).toBe('admin')
})
