import type { Game } from '@shop/shared/catalogue/endpoints.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const game = { code: 'pubg', name: 'PUBG Mobile', fromSatang: 35_00, usualMinutes: { from: 5, to: 15 } } as Game
const pickChats = vi.fn()
vi.mock('../liff.ts', () => ({ pickChats }))
const place = vi.hoisted(() => ({ inLiff: false }))
vi.mock('../shop.ts', () => ({
  get inLiff() {
    return place.inLiff
  },
}))

const write = vi.fn()
const share = vi.fn()
beforeEach(() => {
  vi.stubEnv('VITE_LIFF_ID', '2000000001-DemoShop')
  vi.stubGlobal('navigator', { clipboard: { writeText: write } })
  vi.resetModules()
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.resetAllMocks()
  place.inLiff = false
})
const shareGame = async () => (await import('./share-game.ts')).shareGame(game)
const link = `${location.origin}/game/pubg`

test('the device is offered the link, without one it is copied', async () => {
  expect(await shareGame()).toBe('copied')
  expect(write).toHaveBeenCalledWith(link)
  vi.stubGlobal('navigator', { share, clipboard: { writeText: write } })
  expect(await shareGame()).toBe('sent')
  expect(share).toHaveBeenCalledWith({ title: expect.stringContaining('PUBG Mobile'), url: link })
})

test('who thinks better of it is told nothing; where the device can not, it is copied', async () => {
  vi.stubGlobal('navigator', { share, clipboard: { writeText: write } })
  share.mockRejectedValueOnce(new DOMException('', 'AbortError'))
  expect(await shareGame()).toBe('cancelled')
  expect(write).not.toHaveBeenCalled()
  share.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'))
  expect(await shareGame()).toBe('copied')
})

test('inside LINE chats are chosen, and get a card that opens the game there', async () => {
  place.inLiff = true
  pickChats.mockResolvedValueOnce('sent')
  expect(await shareGame()).toBe('sent')
  const [message] = pickChats.mock.calls[0]!
  expect(JSON.stringify(message)).toContain('https://liff.line.me/2000000001-DemoShop/game/pubg')
  for (const told of ['เริ่มต้น 35 บาท', '/preview/square/pubg.png']) expect(JSON.stringify(message)).toContain(told)
  pickChats.mockResolvedValueOnce('unavailable')
  expect(await shareGame()).toBe('copied')
})
