import { expect, test } from 'vitest'
import { appOf, outsideAddressOf } from './in-app.ts'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; SM-A556E Build/AP3A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0 Mobile Safari/537.36'

const IN_APPS: [name: string, app: string, agent: string][] = [
  ['LINE, ordinary, iPhone', 'แอป LINE', `${IPHONE} Mobile/15E148 Safari Line/14.19.0`],
  ['LINE, ordinary, Android', 'แอป LINE', `${ANDROID} Line/14.19.0/IAB`],
  [
    'Facebook, iPhone',
    'แอป Facebook',
    `${IPHONE} Mobile/22B83 [FBAN/FBIOS;FBAV/490.0;FBBV/1;FBDV/iPhone15,3;FBLC/th_TH]`,
  ],
  ['Facebook, Android', 'แอป Facebook', `${ANDROID} [FB_IAB/FB4A;FBAV/490.0.0.1;]`],
  ['Messenger, iPhone', 'แอป Messenger', `${IPHONE} Mobile/22B83 [FBAN/MessengerForiOS;FBAV/480.0]`],
  ['Messenger, Android', 'แอป Messenger', `${ANDROID} [FB_IAB/Orca-Android;FBAV/480.0;]`],
  ['Instagram, iPhone', 'แอป Instagram', `${IPHONE} Mobile/22B83 Instagram 355.0.0 (iPhone15,3; iOS 18_1; th_TH)`],
  ['Instagram, Android', 'แอป Instagram', `${ANDROID} Instagram 355.0.0 Android (35/15; th_TH)`],
  ['TikTok, iPhone', 'แอป TikTok', `${IPHONE} Mobile/22B83 musical_ly_37.0 BytedanceWebview/d8a21c6`],
  ['TikTok, Android', 'แอป TikTok', `${ANDROID} trill_370004 BytedanceWebview/d8a21c6`],
  ['WeChat', 'แอป WeChat', `${IPHONE} Mobile/15E148 MicroMessenger/8.0.50`],
  ['X', 'แอป X', `${IPHONE} Mobile/15E148 Twitter for iPhone/10.60`],
  ['an app without a name, iPhone', 'แอปนี้', `${IPHONE} Mobile/15E148`],
  ['an app without a name, Android', 'แอปนี้', ANDROID],
]

test.each(IN_APPS)('%s is the browser of an app', (_, app, agent) => {
  expect(appOf(agent)).toBe(app)
})

test.each([
  ['Safari', `${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`],
  ['Chrome on iPhone', `${IPHONE} CriOS/130.0 Mobile/15E148 Safari/604.1`],
  ['Chrome on Android', ANDROID.replace('; wv', '').replace('Version/4.0 ', '')],
  [
    'Samsung Internet',
    'Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36',
  ],
  [
    'a computer',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36',
  ],
])('%s is a browser of its own', (_, agent) => {
  expect(appOf(agent)).toBeNull()
})

test("the shop on an iPhone's home screen is no app's", () => {
  expect(appOf(`${IPHONE} Mobile/15E148`, true)).toBeNull()
})

test('LINE and Android open a page in the browser by its address; others only by their menu', () => {
  const agents = new Map(IN_APPS.map(([name, , agent]) => [name, agent]))
  const { host, origin, protocol } = location
  expect(outsideAddressOf('/login?a=1', agents.get('LINE, ordinary, iPhone'))).toBe(
    `${origin}/login?a=1&openExternalBrowser=1`,
  )
  expect(outsideAddressOf('/login?a=1', agents.get('TikTok, Android'))).toBe(
    `intent://${host}/login?a=1#Intent;scheme=${protocol.slice(0, -1)};action=android.intent.action.VIEW;end`,
  )
  expect(outsideAddressOf('/login', agents.get('Facebook, iPhone'))).toBeNull()
})
