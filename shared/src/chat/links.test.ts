import { expect, test } from 'vitest'
import { chatLinks } from './links.ts'

const at = { storefrontUrl: 'https://shop.example/', adminUrl: 'https://admin.example' }

test('with a LIFF app the shop opens inside LINE, without one on the web', () => {
  expect(chatLinks({ ...at, liffId: '20-Ab' }).shop('/game/pubg')).toBe('https://liff.line.me/20-Ab/game/pubg')
  expect(chatLinks({ ...at, liffId: null }).shop('/wallet')).toBe('https://shop.example/wallet')
})

test('a picture is shown only from where LINE reads it', () => {
  const pictureAt = (storefrontUrl: string) => chatLinks({ ...at, storefrontUrl, liffId: '20-Ab' }).picture('rov')
  expect(pictureAt('https://shop.example')).toBe('https://shop.example/preview/square/rov.png')
  expect(pictureAt('http://localhost:5173')).toBe('http://localhost:5173/preview/square/rov.png')
  expect(pictureAt('http://shop.example')).toBeNull()
})

test("the back office opens in the phone's own browser, where staff are signed in", () => {
  const { admin } = chatLinks({ ...at, liffId: null })
  expect(admin('/management/queue')).toBe('https://admin.example/management/queue?openExternalBrowser=1')
  expect(admin('/a?b=1')).toBe('https://admin.example/a?b=1&openExternalBrowser=1')
})
