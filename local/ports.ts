import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Every port of the local stack: who listens there and which environment variable moves it. */
const portTable = {
  storefront: { variable: 'STOREFRONT_PORT', port: 5173 },
  admin: { variable: 'ADMIN_PORT', port: 5174 },
  api: { variable: 'API_PORT', port: 8787 },
  authEmulator: { variable: 'AUTH_EMULATOR_PORT', port: 9099 },
  lineEmulator: { variable: 'LINE_EMULATOR_PORT', port: 9797 },
  lineEmulatorTls: { variable: 'LINE_EMULATOR_TLS_PORT', port: 9443 },
  postgres: { variable: 'POSTGRES_PORT', port: 54329 },
  playerLookup: { variable: 'PLAYER_LOOKUP_PORT', port: 9798 },
  qms: { variable: 'QMS_PORT', port: 9799 },
  slipProvider: { variable: 'SLIP_PROVIDER_PORT', port: 9800 },
  supplier: { variable: 'SUPPLIER_PORT', port: 9801 },
  gamesDrop: { variable: 'GAMESDROP_PORT', port: 9805 },
  gateway: { variable: 'GATEWAY_PORT', port: 9804 },
  bankRates: { variable: 'BANK_RATES_PORT', port: 9809 },
  mailInbox: { variable: 'MAIL_INBOX_PORT', port: 9802 },
  smtp: { variable: 'SMTP_PORT', port: 9803 },
  resellerMachine: { variable: 'RESELLER_MACHINE_PORT', port: 9810 },
} as const

type PortName = keyof typeof portTable
export type Ports = Record<PortName, number>

const names = Object.keys(portTable) as PortName[]

/** The ports this run uses. Throws with a sentence for the person at the terminal when a variable makes no sense. */
export function readPorts(environment: Record<string, string | undefined> = process.env): Ports {
  const ports = {} as Ports
  const users = new Map<number, PortName>()
  for (const name of names) {
    const { variable, port: standard } = portTable[name]
    const text = environment[variable] || String(standard)
    const port = Number(text)
    if (!/^\d+$/.test(text) || port < 1 || port > 65535) {
      throw new Error(`${variable} must be a port number from 1 to 65535, but is "${text}".`)
    }
    const other = users.get(port)
    if (other) {
      throw new Error(`${variable} and ${portTable[other].variable} are both ${port}; give each its own port.`)
    }
    users.set(port, name)
    ports[name] = port
  }
  return ports
}

/** Throws one sentence per port that another program holds, each naming the variable that moves ours. */
export async function requireFreePorts(ports: Partial<Ports>): Promise<void> {
  const wanted = names.filter(name => ports[name] !== undefined)
  const problems = await Promise.all(wanted.map(name => findProblem(name, ports[name]!)))
  const sentences = problems.filter(problem => problem !== undefined)
  if (sentences.length > 0) throw new Error(sentences.join('\n'))
}

async function findProblem(name: PortName, port: number): Promise<string | undefined> {
  const code = await findListenError(port)
  if (code === undefined) return undefined
  const reason = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${code})`
  const { variable } = portTable[name]
  return `Port ${port} (${name}) ${reason}. Stop that program, or move ours: ${variable}=${getNeighbour(port)} npm start`
}

export const isFree = async (port: number): Promise<boolean> => (await findListenError(port)) === undefined

const getNeighbour = (port: number): number => (port + 1000 <= 65535 ? port + 1000 : port - 1000)

/** A listener on one of these addresses does not always keep others from opening the port on another one. */
const addresses = ['::', '0.0.0.0', '127.0.0.1', '::1']
const noSuchAddress = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

async function findListenError(port: number): Promise<string | undefined> {
  for (const address of addresses) {
    const code = await tryToListen(port, address)
    if (code !== undefined && !noSuchAddress.includes(code)) return code
  }
  return undefined
}

function tryToListen(port: number, host: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

/** Below the ports that systems lend to whoever connects: one of those may be lent again before it is opened. */
const [LOWEST, HIGHEST] = [10_240, 32_767]
const given = new Set<number>()

/** A port that was free a moment ago and that no earlier call returned, for tests and tools that take any. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
  throw new Error(`No port from ${LOWEST} to ${HIGHEST} is free.`)
}

/** Finds a free port for every part of a shop. */
export async function findFreePorts(): Promise<Ports> {
  const ports = {} as Ports
  for (const name of names) ports[name] = await findFreePort()
  return ports
}
