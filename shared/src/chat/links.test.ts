import { expect, test } from 'vitest'
import { chatLinks } from './links.ts'

const at = { storefrontUrl: 'https://shop.example/', adminUrl: 'https://admin.example' }

test('with a LIFF app the shop opens inside LINE, without one on the web', () => {
  expect(chatLinks({ ...at, liffId: '20-Ab' }).shop('/game/pubg')).toBe('https://liff.line.me/20-Ab/game/pubg')
  expect(chatLinks({ ...at, liffId: null }).shop('/wallet')).toBe('https://shop.example/wallet')
})

test("the back office opens in the phone's own browser, where staff are signed in", () => {
  const { admin } = chatLinks({ ...at, liffId: null })
  expect(admin('/management/queue')).toBe('https://admin.example/management/queue?openExternalBrowser=1')
  expect(admin('/a?b=1')).toBe('https://admin.example/a?b=1&openExternalBrowser=1')
})
