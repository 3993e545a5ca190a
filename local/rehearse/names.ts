// Preloaded (`--import`) into each program of the rehearsal: a known name of the internet leads to its stand-in, whatever
// makes the connection, and any other name but this machine's own leads nowhere and is told.
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

/** Ports of this machine, by the name and port that were asked for: {"api.line.me:443": 40123}; 0 leads to whose name it is. */
const places = JSON.parse(process.env.REHEARSED_NAMES ?? '{}') as Record<string, number>
const own = ['localhost', '127.0.0.1', '::1']

interface Target {
  host?: string
  port?: number | string
  path?: string
}

/** The last function that all of net, tls, http, https, http2 and fetch come to. */
const prototype = net.Socket.prototype as unknown as { connect: (...args: unknown[]) => net.Socket }
const connect = prototype.connect

prototype.connect = function (this: net.Socket, ...args: unknown[]): net.Socket {
  const [target, listener] = readArguments(args)
  if (target.path || !target.host || own.includes(target.host)) return connect.apply(this, args)
  // A dot at its end says that a name is whole.
  const place = places[`${target.host.replace(/\.$/, '')}:${target.port}`]
  if (place === 0) return connect.apply(this, args)
  if (place !== undefined) return connect.call(this, { ...target, host: '127.0.0.1', port: place }, listener)
  process.stderr.write(`nobody stands in for ${target.host}:${target.port}\n`)
  const error = new Error(`getaddrinfo ENOTFOUND ${target.host}`)
  process.nextTick(() => this.destroy(Object.assign(error, { code: 'ENOTFOUND' })))
  return this
}

/** `connect` takes (options), (port, host), and from Node's own modules an array of what those were. */
function readArguments(args: unknown[]): [Target, unknown] {
  if (Array.isArray(args[0])) return args[0] as [Target, unknown]
  const listener = args.find(each => typeof each === 'function')
  if (typeof args[0] === 'object') return [args[0] as Target, listener]
  const [port, host] = args as [number, unknown]
  return [{ port, ...(typeof host === 'string' && { host }) }, listener]
}

const known = new Set(Object.keys(places).map(name => name.replace(/:\d+$/, '')))
const here = { address: '127.0.0.1', family: 4 }
const lookUp = dns.promises.lookup
/** Who asks only where a name is, without connecting. */
dns.promises.lookup = ((name: string, options?: { all?: boolean }) =>
  known.has(name) ? Promise.resolve(options?.all ? [here] : here) : lookUp(name, options ?? {})) as typeof lookUp
syncBuiltinESMExports()
