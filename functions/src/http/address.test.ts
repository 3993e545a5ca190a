import { describe, expect, test } from 'vitest'
import { callerAddress } from './address.ts'

const peer = '169.254.8.1'
const addressOf = (forwardedFor: string | undefined, proxiesInFront: number) =>
  callerAddress({ forwardedFor, peer, proxiesInFront })

describe('behind one proxy of ours', () => {
  test('the caller is whom it heard, whatever they wrote before it', () => {
    for (const written of ['', '10.0.0.1, ', '1.1.1.1, 66.249.84.1, ', '<script>, '])
      expect(addressOf(`${written}203.0.113.7`, 1)).toBe('203.0.113.7')
  })
})

test.each([
  '0x7f.1',
  '2130706433',
  '010.0.0.1',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.4:99999x',
  '[1.2.3.4',
  '::ffff:999.1.1.1',
  ':::',
  'unknown',
  '_hidden',
  'for=1.2.3.4',
])('%s is no address: the connection itself counts', written => {
  expect(addressOf(written, 1)).toBe(peer)
  expect(addressOf(`1.2.3.4, ${written}`, 1)).toBe(peer)
})

test('where the connection itself is IPv4 within IPv6, it is counted as what it is', () => {
  for (const of of ['::ffff:203.0.113.7', '::ffff:cb00:7107'])
    expect(callerAddress({ forwardedFor: undefined, peer: of, proxiesInFront: 1 })).toBe('203.0.113.7')
})

describe('behind two, the first of which proved itself', () => {
  test('the caller is whom the first one heard', () => {
    expect(addressOf('203.0.113.7, 104.198.56.253', 2)).toBe('203.0.113.7')
    expect(addressOf('198.51.100.1, 203.0.113.7, 104.198.56.253', 2)).toBe('203.0.113.7')
  })

  test('with fewer entries than proxies, or without an address in them, the connection itself counts', () => {
    for (const written of [undefined, '10.0.0.1', '10.0.0.1, nonsense', 'nonsense, 10.0.0.1'])
      expect(addressOf(written, 2)).toBe(peer)
  })
})

test('without a proxy nothing that the caller writes counts', () => {
  expect(addressOf('10.0.0.1', 0)).toBe(peer)
})

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:0:0:0:9', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['::FFFF:CB00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['0000:0000:0000:0000:0000:ffff:cb00:7107', '203.0.113.7'],
  ['[::ffff:cb00:7107]:443', '203.0.113.7'],
  ['::ffff:cb00:7108', '203.0.113.8'],
  ['::ffff:0.0.0.1', '0.0.0.1'],
  ['::ffff:203.0.113.7%eth0', '203.0.113.7'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['203.0.113.7:50123', '203.0.113.7'],
])('%s is counted as %s', (written, counted) => {
  expect(addressOf(written, 1)).toBe(counted)
})
