import { changePassword, getMe, type Me, syncAccount } from '@shop/shared/account/endpoints.ts'
import { createClient } from '@shop/shared/client.ts'
import { AppError } from '@shop/shared/errors.ts'
import { expect, test, vi } from 'vitest'
import { createSession, type SessionState } from './session.ts'
import { fake, person, refuse, startServer } from './testing.tsx'

const server = startServer()

/** A provider whose one person may be signed in already. */
function fakeProvider(isSignedIn: boolean) {
  let tell: (uid: string | null) => void = () => undefined
  return {
    onUser: (listener: typeof tell) => {
      tell = listener
      tell(isSignedIn ? person.uid : null)
    },
    getToken: vi.fn(async () => 'token'),
    signInWithPassword: vi.fn(async (_email: string, _password: string) => tell(person.uid)),
    proveWithPassword: vi.fn(async (_password: string) => undefined),
    signOut: vi.fn(async () => tell(null)),
  }
}

function open(options: { isSignedIn?: boolean; recall?: () => Me | null } = {}) {
  const { isSignedIn = true, recall } = options
  const provider = fakeProvider(isSignedIn)
  const loadProvider = vi.fn(async () => provider)
  const session = createSession({ loadProvider, getClient: () => client, recall })
  const client = createClient({
    baseUrl: '',
    headers: session.headers,
    onUnauthenticated: session.hearRefusal,
    onForbidden: session.hearRefusal,
  })
  session.start()
  return { session, provider, loadProvider, client }
}

const becomes = (session: { getState: () => SessionState }, status: SessionState['status']) =>
  vi.waitFor(() => expect(session.getState().status).toBe(status))
const enter = (session: ReturnType<typeof open>['session']) =>
  session.signIn(provider => provider.signInWithPassword('a@example.com', 'secret-99'))

test('for a visitor whom nobody remembers the provider is not loaded, and calls say nothing about them', async () => {
  const { session, loadProvider } = open({ recall: () => null })
  expect(session.getState()).toEqual({ status: 'signedOut', cause: 'nobody' })
  expect(await session.headers()).toEqual({})
  expect(loadProvider).not.toHaveBeenCalled()
})

test('the remembered person is signed in at once and renewed by the server', async () => {
  server.use(fake(getMe, () => ({ ...person, reward: 5 })))
  const { session } = open({ recall: () => person })
  expect(session.getState()).toEqual({ status: 'signedIn', me: person })
  await vi.waitFor(() => expect(session.getState()).toMatchObject({ me: { reward: 5 } }))
})

test('while the server is away the remembered person stays; who is not known can try again', async () => {
  server.use(fake(getMe, refuse('UNAVAILABLE')))
  const known = open({ recall: () => person }).session
  const { session } = open()
  await becomes(session, 'failed')
  expect(known.getState().status).toBe('signedIn')
  server.use(fake(getMe, () => person))
  session.start()
  await becomes(session, 'signedIn')
})

test('a person the provider knows and the shop does not is told to the shop', async () => {
  server.use(
    fake(getMe, refuse('NOT_FOUND')),
    fake(syncAccount, () => person),
  )
  const { session } = open()
  await becomes(session, 'signedIn')
})

test('an answer that was asked for before a sign-out does not sign in again', async () => {
  let answer = () => undefined as unknown
  const asked = new Promise<void>(resolve => {
    server.use(
      fake(getMe, () => {
        resolve()
        answer()
        return person
      }),
    )
  })
  const { session } = open({ recall: () => person })
  answer = () => void session.signOut()
  await asked
  await becomes(session, 'signedOut')
  expect(session.getState()).toEqual({ status: 'signedOut', cause: 'wish' })
})

test('a provider that gives no more tokens ends the session and says why; one out of reach does not', async () => {
  server.use(fake(getMe, () => person))
  const { session, provider, client } = open()
  await becomes(session, 'signedIn')
  provider.getToken.mockRejectedValueOnce(new AppError('UNAVAILABLE'))
  await expect(client.call(getMe)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(session.getState().status).toBe('signedIn')
  provider.getToken.mockRejectedValueOnce(new AppError('ACCOUNT_INACTIVE'))
  await expect(client.call(getMe)).rejects.toMatchObject({ code: 'ACCOUNT_INACTIVE' })
  expect(session.getState()).toEqual({ status: 'signedOut', cause: new AppError('ACCOUNT_INACTIVE') })
})

test.each([
  ['SESSION_REVOKED', 'SESSION_REVOKED'],
  ['UNAUTHENTICATED', 'SESSION_REVOKED'],
  ['SESSION_EXPIRED', 'SESSION_EXPIRED'],
  ['ACCOUNT_INACTIVE', 'ACCOUNT_INACTIVE'],
] as const)('%s on any call ends the session here and at the provider, and says why', async (code, why) => {
  server.use(fake(getMe, () => person))
  const { session, provider, client } = open()
  await becomes(session, 'signedIn')
  server.use(fake(getMe, refuse(code)))
  await expect(client.call(getMe)).rejects.toMatchObject({ code })
  expect(session.getState()).toEqual({ status: 'signedOut', cause: new AppError(why) })
  await vi.waitFor(() => expect(provider.signOut).toHaveBeenCalled())
  expect(await session.headers()).toEqual({})
})

test('an account that may not come in by LINE is signed out, and told why; who only edits one stays', async () => {
  server.use(fake(getMe, () => person))
  const { session } = open({ recall: () => person })
  session.hearRefusal(new AppError('LINE_NOT_ALLOWED'))
  expect(session.getState().status).toBe('signedIn')
  server.use(fake(getMe, refuse('LINE_NOT_ALLOWED')))
  const refused = open({ recall: () => person }).session
  await becomes(refused, 'signedOut')
  expect(refused.getState()).toEqual({ status: 'signedOut', cause: new AppError('LINE_NOT_ALLOWED') })
})

test('a refusal that demands a code is told to who listens, and the person stays signed in', () => {
  server.use(fake(getMe, () => person))
  const { session } = open({ recall: () => person })
  const listener = vi.fn()
  const stop = session.onTotpRequired(listener)
  session.hearRefusal(new AppError('FORBIDDEN'))
  expect(listener).not.toHaveBeenCalled()
  session.hearRefusal(new AppError('TOTP_REQUIRED'))
  stop()
  session.hearRefusal(new AppError('TOTP_REQUIRED'))
  expect(listener).toHaveBeenCalledTimes(1)
  expect(session.getState()).toEqual({ status: 'signedIn', me: person })
})

test('a refusal that demands a new password or PIN is known at once', () => {
  server.use(fake(getMe, () => person))
  const { session } = open({ recall: () => person })
  session.hearRefusal(new AppError('PIN_CHANGE_REQUIRED'))
  expect(session.getState()).toMatchObject({ me: { mustChangePassword: false, mustChangePin: true } })
  session.hearRefusal(new AppError('PASSWORD_CHANGE_REQUIRED'))
  expect(session.getState()).toMatchObject({ me: { mustChangePassword: true } })
})

test('a sign-in the shop refuses leaves nobody signed in, at the provider either', async () => {
  server.use(
    fake(getMe, () => person),
    fake(syncAccount, refuse('ACCOUNT_INACTIVE')),
  )
  const { session, provider } = open({ isSignedIn: false })
  await expect(enter(session)).rejects.toMatchObject({ code: 'ACCOUNT_INACTIVE' })
  expect(provider.signOut).toHaveBeenCalled()
  expect(session.getState().status).not.toBe('signedIn')
})

test('a new password: proven with the old one, then signed in with the new', async () => {
  server.use(
    fake(getMe, () => person),
    fake(changePassword, () => person),
    fake(syncAccount, () => person),
  )
  const { session, provider } = open()
  await becomes(session, 'signedIn')
  expect(await session.renewPassword('old-secret', 'new-secret')).toEqual(person)
  expect(provider.proveWithPassword.mock.calls).toEqual([['old-secret']])
  expect(provider.signInWithPassword.mock.calls).toEqual([[person.email, 'new-secret']])
})

test('a new password that can not sign in again at once: the person does so by hand', async () => {
  server.use(
    fake(getMe, () => person),
    fake(changePassword, () => person),
  )
  const { session, provider } = open()
  await becomes(session, 'signedIn')
  provider.signInWithPassword.mockRejectedValue(new Error('offline'))
  expect(await session.renewPassword('old-secret', 'new-secret')).toBeNull()
  expect(session.getState()).toEqual({ status: 'signedOut', cause: 'wish' })
})
