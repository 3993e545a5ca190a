import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Callers are told apart by the first 64 bits of an IPv6 address (see http/address.ts), so no list can name less.
 */
const IPV6_BITS = 64

type Network = ReturnType<typeof ipaddr.parseCIDR>

function parse(text: string): Network | null {
  try {
    const [address, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.process(text), null]
    const most = address.kind() === 'ipv4' ? 32 : IPV6_BITS
    return [address, Math.min(bits ?? most, most)]
  } catch {
    return null
  }
}

const networkText = ([address, bits]: Network): string =>
  address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()

/** The length of a network, without leading zeros. */
const BITS = /^(0|[1-9]\d{0,2})$/

/**
 * Returns an address or a network as it is stored, "203.0.113.7" or "2001:db8::/64"; null when it is neither, or
 * written so that programs disagree about what it means: octal, hexadecimal and short forms of IPv4, IPv4 inside IPv6,
 * zones.
 */
export function readNetwork(text: string): string | null {
  const [written = '', bits, ...more] = text.trim().split('/')
  // Node takes IPv4 in four decimal numbers without leading zeros alone, and IPv6 with a zone.
  const version = written.includes('%') ? 0 : isIP(written)
  const isLength = bits === undefined || (BITS.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  if (version === 0 || !isLength || more.length > 0) return null
  if (version === 6 && ipaddr.IPv6.parse(written).isIPv4MappedAddress()) return null
  if (version === 6 && written.includes('.')) return null
  const network = parse(bits === undefined ? written : `${written}/${bits}`)
  if (!network) return null
  const [address, length] = network
  return address.kind() === 'ipv4' && length === 32 ? networkText(network) : `${networkText(network)}/${length}`
}

/** Tells whether a caller's address, as `callerAddress` gives it, is on a list of stored ones. An empty list has all. */
export function isOnList(list: readonly string[], caller: string): boolean {
  if (list.length === 0) return true
  const from = parse(caller)
  if (!from) return false
  return list.some(entry => {
    const network = parse(entry)
    return network !== null && network[0].kind() === from[0].kind() && from[0].match(network[0], network[1])
  })
}
