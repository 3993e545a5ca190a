import { BlockList, isIP } from 'node:net'

/** Addresses as a list of networks: `66.249.64.0/19, 2001:4860::/32`. */
export function networksOf(text: string): BlockList {
  const networks = new BlockList()
  for (const part of text.split(',').map(each => each.trim())) {
    if (!part) continue
    const [address = '', bits] = part.split('/')
    const version = isIP(address)
    if (version === 0) throw new Error(`not a network: ${part}`)
    networks.addSubnet(address, Number(bits ?? (version === 4 ? 32 : 128)), version === 4 ? 'ipv4' : 'ipv6')
  }
  return networks
}

const isIn = (networks: BlockList, address: string) => networks.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')

interface Hops {
  /** X-Forwarded-For as it arrived. */
  forwardedFor: string | undefined
  /** Of the connection itself. */
  peer: string | undefined
  /** How many proxies of ours append to X-Forwarded-For on the usual way. */
  proxiesInFront: number
  /** Where the proxy that hands requests to us is seen to come from. */
  hostingNetworks: BlockList
}

/**
 * The address a request is counted under. Each proxy of ours appends whom it heard: the caller's entry is that many
 * from the right, but only while every entry to the right of it is a proxy of ours. Whoever comes past hosting is the
 * first one that is not, whatever they wrote before it.
 */
export function callerAddress({ forwardedFor, peer, proxiesInFront, hostingNetworks }: Hops): string {
  const entries = (forwardedFor ?? '').split(',').map(entry => plainAddress(entry.trim()))
  let caller = proxiesInFront > entries.length ? undefined : entries.at(-1)
  for (let hop = 2; hop <= proxiesInFront && caller && isIn(hostingNetworks, caller); hop++) caller = entries.at(-hop)
  return networkOf((proxiesInFront > 0 ? caller : undefined) ?? plainAddress(peer ?? '') ?? '')
}

/** An address without port, brackets or zone, IPv4 in IPv6 as IPv4; undefined when it is none. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1')
  const address = bare.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) ? address : undefined
}

/** What one household or server has: an IPv4 address, or the first 64 bits of an IPv6 one. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address || 'unknown'
  const groups = (part: string) => (part ? part.split(':') : [])
  const [start = '', end] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [left, right] = [groups(start), groups(end ?? '')]
  const all = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right]
  return `${all.slice(0, 4).join(':')}::/64`
}
