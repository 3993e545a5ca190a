import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { DeliveryError } from '@shop/shared/webhook/webhook.ts'
import ipaddr from 'ipaddr.js'

/** Returns every address of a host name; none when there is no such host. */
export type Resolve = (host: string) => Promise<string[]>

/**
 * Asks name servers by a resolver of its own and not by `dns.lookup`, whose few threads the shop's own calls need: names of
 * others may be made to be slow.
 */
export const resolveHost: Resolve = async host => {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap(each => (each.status === 'fulfilled' ? each.value : []))
}

/** All that is in use of IPv6; what lies outside reaches machines in other ways, if any. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Tells whether everybody's machines may have an address. Those that hold an IPv4 address in another form (mapped,
 * translated, tunnelled) are none of them, whichever it is.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST))
}

/** Where a delivery goes. */
export interface Target {
  url: URL
  /** The host's name, or its address without brackets. */
  host: string
  /** Only these are connected to; null for whatever the host is resolved to. */
  addresses: readonly string[] | null
}

/** Returns what is wrong with an address before anybody is asked where it leads. */
function flawOf(url: URL): DeliveryError | null {
  if (url.protocol !== 'https:') return 'not_https'
  if (url.port !== '') return 'has_port'
  if (url.username !== '' || url.password !== '') return 'has_login'
  return url.hash === '' ? null : 'has_fragment'
}

/** The rules by which addresses are judged; tests have others. */
export interface AddressRules {
  /** An origin without rules, in development. */
  localOrigin?: string | undefined
  resolve: Resolve
  isPublic: (address: string) => boolean
}

/** Resolves an address once, and refuses it unless all that it leads to is public. */
export async function findTarget(
  text: string,
  { localOrigin, resolve, isPublic }: AddressRules,
): Promise<Target | { error: DeliveryError }> {
  const url = URL.parse(text)
  if (!url) return { error: 'not_an_address' }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (url.origin === localOrigin) return { url, host, addresses: null }
  const flaw = flawOf(url)
  if (flaw) return { error: flaw }
  // The URL has written addresses of any spelling anew: http://0x7f.1 is 127.0.0.1 here.
  const addresses = isIP(host) ? [host] : await resolve(host)
  if (addresses.length === 0) return { error: 'not_found' }
  return addresses.every(isPublic) ? { url, host, addresses } : { error: 'not_public' }
}
