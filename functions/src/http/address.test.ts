import { describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { callerAddress } from './address.ts'

const { HOSTING_NETWORKS: hostingNetworks } = readConfig({ DATABASE_URL: 'postgres://unused' })
const peer = '169.254.8.1'
const FRONT_END = '66.249.84.1'
const addressOf = (forwardedFor: string | undefined, proxiesInFront: number) =>
  callerAddress({ forwardedFor, peer, proxiesInFront, hostingNetworks })

describe('behind hosting (two proxies of ours)', () => {
  test('the caller is whom hosting heard', () => {
    expect(addressOf(`203.0.113.7, ${FRONT_END}`, 2)).toBe('203.0.113.7')
    expect(addressOf(`198.51.100.1, 203.0.113.7, ${FRONT_END}`, 2)).toBe('203.0.113.7')
  })

  test('whoever comes past hosting is counted under their own address, whatever they write before it', () => {
    for (const written of ['10.0.0.1', `10.0.0.2, ${FRONT_END}`, '1.1.1.1, 2.2.2.2', `${FRONT_END}`]) {
      expect(addressOf(`${written}, 203.0.113.9`, 2)).toBe('203.0.113.9')
    }
  })

  test('with fewer entries than proxies, or without an address in them, the connection itself counts', () => {
    expect(addressOf(undefined, 2)).toBe(peer)
    expect(addressOf('10.0.0.1', 2)).toBe(peer)
    expect(addressOf('10.0.0.1, nonsense', 2)).toBe(peer)
    expect(addressOf(`<script>, ${FRONT_END}`, 2)).toBe(peer)
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
  ['203.0.113.7:50123', '203.0.113.7'],
])('%s is counted as %s', (written, counted) => {
  expect(addressOf(written, 1)).toBe(counted)
})

test('a list of networks that is none is refused at the start', () => {
  expect(() => readConfig({ DATABASE_URL: 'x', HOSTING_NETWORKS: 'fastly' })).toThrow()
})
