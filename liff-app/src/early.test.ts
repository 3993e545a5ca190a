import { expect, test } from 'vitest'
import page from '../index.html?raw'

const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? []
const KEY = 'abcdefghijklmnopqrstuv'
const CONFIG = '/romons.users/api/getconfig'

/** Opens an address in a browser that keeps some values; returns what the page asks for before the code arrives. */
function open(address: string, kept: Record<string, string> = {}) {
  const asked: Record<string, unknown> = {}
  const ask = (path: string, { headers }: { headers: unknown }) => {
    asked[path] = headers
    return new Promise(() => undefined)
  }
  const storage = { getItem: (name: string) => kept[name] ?? null }
  const run = new Function('location', 'localStorage', 'fetch', 'document', 'globalThis', script)
  run(new URL(address, 'https://shop.example'), storage, ask, { documentElement: { dataset: {} } }, {})
  return asked
}

test.each([
  ['/', [CONFIG, '/romons.game/api/games', '/romons.configuration/api/banner']],
  ['/game', [CONFIG, '/romons.game/api/games', '/romons.configuration/api/banner']],
  ['/game/freefire?package=3', [CONFIG, '/romons.game/api/games/freefire/offer']],
  ['/terms', [CONFIG]],
  // LINE's first page only leads on to another one.
  ['/?liff.state=%2Fgame%2Ffreefire', []],
  ['/game?liff.state=%3Fsearch%3Drov', []],
])('%s asks early for %j', (address, paths) => {
  expect(Object.keys(open(address))).toEqual(paths)
})

test('a tracking link is asked for with its token, and as the browser that has ordered', () => {
  const track = (kept = {}) => open(`/track/${KEY}`, kept)['/romons.order/api/order/track']
  expect(track()).toEqual({ 'track-token': KEY })
  expect(track({ guestKey: '"the-key-of-this-browser"' })).toEqual({
    'track-token': KEY,
    'guest-key': 'the-key-of-this-browser',
  })
})

test('who is signed in is asked for nothing early: the answers would be those of a guest', () => {
  for (const address of ['/game', '/game/freefire', `/track/${KEY}`])
    expect(open(address, { userinfo: '{}' })).toEqual({})
})
