import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; SM-A556E) AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`${IPHONE} Mobile/15E148 Safari Line/14.10.0`, 'iPhone · LINE'],
  [`${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`, 'iPhone · Safari'],
  [`${IPHONE} CriOS/130.0 Mobile/15E148 Safari/604.1`, 'iPhone · Chrome'],
  [`${ANDROID} Chrome/130.0.0.0 Mobile Safari/537.36`, 'Android · Chrome'],
  [`${ANDROID} SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36`, 'Android · Samsung Internet'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0',
    'Windows · Edge',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:132.0) Gecko/20100101 Firefox/132.0', 'Mac · Firefox'],
  ['curl/8 <script>somebody@example.com</script>', 'อุปกรณ์ที่ไม่รู้จัก'],
  [undefined, 'อุปกรณ์ที่ไม่รู้จัก'],
])('a device is named in words of ours: %s', (header, words) => {
  expect(deviceOf(header)).toBe(words)
})
