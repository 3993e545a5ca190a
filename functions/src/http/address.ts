import { isIP } from 'node:net'
import type { Context } from 'hono'

interface Hops {
  /** X-Forwarded-For as it arrived. */
  forwardedFor: string | undefined
  /** The address of the connection itself. */
  peer: string | undefined
  /** The number of our own proxies that append to X-Forwarded-For on every way to us. */
  proxiesInFront: number
}

/**
 * Returns the address that a request is counted under. Each of our proxies appends the address that called it, so the
 * caller's entry is that many from the right; entries further left may be forged. Behind several proxies only our own
 * front may call the inner one (`findFrontSecret`), because whoever goes around it could choose their entry.
 */
export function callerAddress({ forwardedFor, peer, proxiesInFront }: Hops): string {
  const entries = (forwardedFor ?? '').split(',').map(entry => plainAddress(entry.trim()))
  const appended = proxiesInFront > 0 && proxiesInFront <= entries.length ? entries.slice(-proxiesInFront) : []
  const caller = appended.every(Boolean) ? appended[0] : undefined
  return networkOf(caller ?? plainAddress(peer ?? '') ?? '')
}

/** Returns an address without port, brackets or zone; undefined when it is not an address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1')
  const address = bare.replace(/%.*$/, '')
  return isIP(address) ? address : undefined
}

/** IPv4 within IPv6, in the one way in which URLs write it. */
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/

/**
 * Returns the network of one household or server: an IPv4 address, or the first 64 bits of an IPv6 one. The first 64 bits
 * of all IPv4 within IPv6 are the same, however it is written, so that is counted as the IPv4 it is.
 */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address || 'unknown'
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = MAPPED.exec(written)
    ?.slice(1)
    .map(group => Number.parseInt(group, 16))
  if (mapped) return mapped.flatMap(group => [group >> 8, group & 255]).join('.')
  const groups = (part: string) => (part ? part.split(':') : [])
  const [start = '', end] = written.split('::')
  const [left, right] = [groups(start), groups(end ?? '')]
  const all = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
  return `${all.slice(0, 4).join(':')}::/64`
}

/** The address that a request is counted under. */
export function addressOf(c: Context, { config }: { config: { PROXIES_IN_FRONT: number } }): string {
  const incoming = (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming
  return callerAddress({
    forwardedFor: c.req.header('x-forwarded-for'),
    peer: incoming?.socket?.remoteAddress,
    proxiesInFront: config.PROXIES_IN_FRONT,
  })
}
