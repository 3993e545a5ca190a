import { expect, test } from 'vitest'
import { isOnList, readNetwork } from './addresses.ts'

const REFUSED = {
  'other ways to write IPv4':
    '0x7f.0.0.1 0x7f000001 127.0x0.0.1 010.0.0.1 1.2.3.04 00.0.0.0 10.1 1.2.3 2130706433 127.1 999.1.1.1 256.0.0.1 1.2.3.4.5 1.2.3.4. .1.2.3.4 1..2.3 -1.2.3.4 +1.2.3.4 1.2.3.4e0',
  'lengths of networks':
    '1.2.3.4/33 1.2.3.4/08 1.2.3.4/-1 1.2.3.4/+8 1.2.3.4/ 1.2.3.4/8/8 1.2.3.4/0x8 1.2.3.4/8.0 1.2.3.4/255.0.0.0 1.2.3.4/999 0x7f.0.0.1/8 010.0.0.0/8 10.1/8 2001:db8::/129 2001:db8::/064 2001:db8::/-1',
  'IPv6 with a zone or IPv4 in it, and what is none':
    'fe80::1%eth0 fe80::1%1/64 ::ffff:1.2.3.4 ::ffff:102:304 ::FFFF:1.2.3.4/96 ::1.2.3.4 64:ff9b::1.2.3.4 [2001:db8::1] 2001:db8:::1 ::g 1:2:3:4:5:6:7 0x2001:db8::1',
  'anything else': 'example.com * 1.2.3.* 1.2.3.4:443 １.２.３.４',
}

test.each(Object.entries(REFUSED))('%s', (_, texts) => {
  expect(texts.split(' ').filter(text => readNetwork(text) !== null)).toEqual([])
})

test.each(['', ' ', '1.2.3.4 /8', '1.2.3.4/ 8', '1.2. 3.4', '1.2.3.4\n5.6.7.8'])(
  '%j has blanks within, or nothing',
  text => {
    expect(readNetwork(text)).toBeNull()
  },
)

test.each([
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['198.51.100.77/24', '198.51.100.0/24'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['2001:db8::1', '2001:db8::/64'],
  ['2001:DB8::1/128', '2001:db8::/64'],
  ['2001:db8:1::/48', '2001:db8:1::/48'],
])('%s is kept as %s', (text, kept) => {
  expect(readNetwork(text)).toBe(kept)
  expect(readNetwork(kept)).toBe(kept)
})

test('a caller is on a list by the network that it names', () => {
  expect(isOnList(['198.51.100.0/24'], '198.51.100.9')).toBe(true)
  expect(isOnList(['198.51.100.0/24'], '198.51.101.9')).toBe(false)
  expect(isOnList(['2001:db8::/64'], '2001:db8:0:0::/64')).toBe(true)
})
