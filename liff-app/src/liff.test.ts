import { beforeEach, expect, test, vi } from 'vitest'

const sdk = vi.hoisted(() => ({
  use: vi.fn(),
  init: vi.fn(async (_: { liffId: string }) => undefined),
  isLoggedIn: vi.fn(() => true),
  getIDToken: vi.fn((): string | null => 'token'),
  getDecodedIDToken: vi.fn((): { exp: number } | null => null),
  login: vi.fn(),
  logout: vi.fn(),
}))
vi.mock('@line/liff/core', () => ({ default: sdk }))
vi.mock('@line/liff/get-decoded-id-token', () => ({ default: class {} }))
vi.mock('@line/liff/get-id-token', () => ({ default: class {} }))
vi.mock('@line/liff/is-logged-in', () => ({ default: class {} }))
vi.mock('@line/liff/login', () => ({ default: class {} }))
vi.mock('@line/liff/logout', () => ({ default: class {} }))

const open = (address: string) => history.replaceState(null, '', address)
const refuse = (code: string, message = code) => Object.assign(new Error(message), { code })
const inSeconds = (seconds: number) => ({ exp: Date.now() / 1000 + seconds })
let liff: typeof import('./liff.ts')

beforeEach(async () => {
  vi.resetAllMocks()
  vi.resetModules()
  sessionStorage.clear()
  delete document.documentElement.dataset.liff
  open('/game/rov?package=3')
  sdk.isLoggedIn.mockReturnValue(true)
  sdk.getIDToken.mockReturnValue('token')
  liff = await import('./liff.ts')
})

test('LIFF is started once, however often the shop asks', async () => {
  expect(await Promise.all([liff.startLiff('1-a'), liff.startLiff('1-a')])).toEqual(['ready', 'ready'])
  expect(await liff.startLiff('1-a')).toBe('ready')
  expect(sdk.init.mock.calls).toEqual([[{ liffId: '1-a' }]])
})

test('after the start the address keeps the page and loses what LINE added', async () => {
  open('/game/rov?package=3&code=c&state=s&liffClientId=1&liffRedirectUri=u&liff.state=x#top')
  await liff.startLiff('1-a')
  expect(location.pathname + location.search + location.hash).toBe('/game/rov?package=3#top')
})

test('a first start that fails is tried once more, with a clean address', async () => {
  open('/?code=old&liffClientId=1&liff.state=%2Fwallet')
  sdk.init.mockImplementationOnce(async () => {
    expect(location.search).toContain('code=old')
    throw refuse('invalid_grant')
  })
  sdk.init.mockImplementationOnce(async () => {
    expect(location.search).toBe('?liff.state=%2Fwallet')
    return undefined
  })
  expect(await liff.startLiff('1-a')).toBe('ready')
  expect(sdk.init).toHaveBeenCalledTimes(2)
})

test('refused consent is told apart and not tried again', async () => {
  open('/?error=ACCESS_DENIED&error_description=no&liffOAuth2Error=true&state=s')
  sdk.init.mockRejectedValue(refuse('INIT_FAILED'))
  expect(await liff.startLiff('1-a')).toBe('denied')
  expect(sdk.init).toHaveBeenCalledTimes(1)
  expect(location.search).toBe('')
})

const EXPIRED = refuse('INVALID_ID_TOKEN', 'Invalid "exp" value in ID_TOKEN')

test('inside LINE, a start with an expired ID token leads through a login to the page that was asked for', async () => {
  document.documentElement.dataset.liff = ''
  open('/?liff.state=%2Fgame%2Frov%3Fpackage%3D3#access_token=secret&id_token=old')
  sdk.init.mockRejectedValue(EXPIRED)
  void liff.startLiff('1-a')
  await vi.waitFor(() => expect(sdk.login).toHaveBeenCalledTimes(1))
  expect(sdk.login).toHaveBeenCalledWith({ redirectUri: `${location.origin}/game/rov?package=3` })
  expect(sdk.logout).toHaveBeenCalledTimes(1)
})

test('an ID token that has expired right after a login means that the device’s clock is far ahead', async () => {
  document.documentElement.dataset.liff = ''
  sdk.init.mockRejectedValue(EXPIRED)
  void liff.startLiff('1-a')
  await vi.waitFor(() => expect(sdk.login).toHaveBeenCalledTimes(1))
  vi.resetModules()
  liff = await import('./liff.ts')
  expect(await liff.startLiff('1-a')).toBe('clock')
  expect(sdk.login).toHaveBeenCalledTimes(1)
})

test('a start that fails still follows the deep link and hides the tokens', async () => {
  open('/?liff.state=%2Fgame%2Frov%3Fpackage%3D3#access_token=secret')
  sdk.init.mockRejectedValue(refuse('500'))
  expect(await liff.startLiff('1-a')).toBe('failed')
  expect(location.pathname + location.search + location.hash).toBe('/game/rov?package=3')
})

test.each(['//evil.example/x', 'https://evil.example/x'])('a deep link to %s is not followed', async target => {
  open(`/?liff.state=${encodeURIComponent(target)}`)
  sdk.init.mockRejectedValue(refuse('500'))
  await liff.startLiff('1-a')
  expect(location.pathname + location.search).toBe('/')
})

test('a valid ID token is handed out without asking LINE', async () => {
  sdk.getDecodedIDToken.mockReturnValue(inSeconds(600))
  expect(await liff.getIdToken()).toBe('token')
  expect(sdk.login).not.toHaveBeenCalled()
})

test.each([-1, 10])('an ID token that ends in %i s leads to logout and a login back to this page', async seconds => {
  open('/game/rov?package=3&code=c&liffClientId=1')
  sdk.getDecodedIDToken.mockReturnValue(inSeconds(seconds))
  const handedOut = vi.fn()
  void liff.getIdToken().then(handedOut)
  await vi.waitFor(() => expect(sdk.login).toHaveBeenCalledTimes(1))
  expect(sdk.logout).toHaveBeenCalledTimes(1)
  expect(sdk.login).toHaveBeenCalledWith({ redirectUri: `${location.origin}/game/rov?package=3` })
  expect(handedOut).not.toHaveBeenCalled()
})

test('a token that is still no good right after a login ends in words, not in a loop', async () => {
  sdk.getDecodedIDToken.mockReturnValue(inSeconds(-1))
  void liff.getIdToken()
  await vi.waitFor(() => expect(sdk.login).toHaveBeenCalledTimes(1))
  await expect(liff.getIdToken()).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
  expect(sdk.login).toHaveBeenCalledTimes(1)
})
