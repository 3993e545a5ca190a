import { beforeEach, expect, test, vi } from 'vitest'

const sdk = vi.hoisted(() => ({
  browserPopupRedirectResolver: 'browser',
  GoogleAuthProvider: class {
    providerId = 'google.com'
  },
  FacebookAuthProvider: class {
    providerId = 'facebook.com'
  },
  getRedirectResult: vi.fn(),
  signInWithPopup: vi.fn(),
  signInWithRedirect: vi.fn(async () => undefined),
}))
vi.mock('firebase/auth', () => sdk)
vi.mock('../firebase.ts', () => ({ auth: {} }))

const { finishRedirect, signInWithProvider } = await import('./social.ts')
const { isBackFromRedirect } = await import('./social-provider.ts')
const fail = (code: string) => Object.assign(new Error(code), { code })

beforeEach(() => {
  vi.resetAllMocks()
  sessionStorage.clear()
})

test('where the popup opens, the page stays', async () => {
  sdk.signInWithPopup.mockResolvedValue({})
  await signInWithProvider('google.com')
  expect(sdk.signInWithPopup.mock.calls[0]![1]).toMatchObject({ providerId: 'google.com' })
  expect(sdk.signInWithRedirect).not.toHaveBeenCalled()
  expect(isBackFromRedirect()).toBe(false)
})

test.each(['auth/popup-blocked', 'auth/operation-not-supported-in-this-environment'])(
  'after %s the page leaves for the provider and knows so when it is back',
  async code => {
    sdk.signInWithPopup.mockRejectedValue(fail(code))
    await signInWithProvider('facebook.com')
    expect(sdk.signInWithRedirect).toHaveBeenCalledTimes(1)
    expect(isBackFromRedirect()).toBe(true)
    sdk.getRedirectResult.mockResolvedValue({})
    await finishRedirect()
    expect(isBackFromRedirect()).toBe(false)
  },
)

test('a popup the person closed does not turn into a redirect', async () => {
  sdk.signInWithPopup.mockRejectedValue(fail('auth/popup-closed-by-user'))
  await expect(signInWithProvider('google.com')).rejects.toMatchObject({ code: 'auth/popup-closed-by-user' })
  expect(sdk.signInWithRedirect).not.toHaveBeenCalled()
})

test('coming back with nothing counts as cancelled', async () => {
  sdk.getRedirectResult.mockResolvedValue(null)
  await expect(finishRedirect()).rejects.toMatchObject({ code: 'auth/user-cancelled' })
})
