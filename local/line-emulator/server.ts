import { randomUUID } from 'node:crypto'
import { createServer as createTlsServer } from 'node:https'
import { createAdaptorServer } from '@hono/node-server'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { listen } from '../listen.ts'
import { createAssetRoutes } from './assets.ts'
import { loadCertificate } from './certificate.ts'
import { createChatView } from './chat-view.ts'
import { type Clock, createClock } from './clock.ts'
import { type Control, createControl } from './control.ts'
import { createControlRoutes } from './control-routes.ts'
import { createDemoSeed } from './demo.ts'
import { createLiffRoutes } from './liff.ts'
import { createLoginRoutes } from './login.ts'
import { createLoginApi } from './login-api.ts'
import { createMessagingApi } from './messaging.ts'
import { createState, type Fault, type Seed, type State } from './state.ts'
import { createSigningKeys } from './tokens.ts'

export interface LineEmulatorOptions {
  /** Where the shop's pages and its API listen. Without them these are the local stack's default ports. */
  shopUrl?: string
  apiUrl?: string
  /** Replaces parts of the demo's seed. */
  seed?: Partial<Seed>
  /** Returns milliseconds since the epoch; it is the machine's clock when left out. */
  now?: () => number
  publicUrl?: string
}

export interface LineEmulator {
  app: Hono
  control: Control
  clock: Clock
  state: State
}

/**
 * Emulates LINE in one process: login, LIFF, the Messaging API and its webhook calls, with routes to control it and a
 * view of the chats.
 */
export function createLineEmulator(options: LineEmulatorOptions = {}): LineEmulator {
  const clock = createClock(options.now)
  const seed = { ...createDemoSeed(options), ...options.seed }
  const state = createState(seed, clock, options.publicUrl ?? 'http://localhost:9797')
  const keys = createSigningKeys()
  const control = createControl(state, keys)
  const app = new Hono()
  app.use(checkHost)
  app.use(cors({ origin: origin => origin, allowHeaders: ['authorization', 'content-type'], credentials: true }))
  app.use(setRequestId)
  app.use((context, next) => (context.req.path.startsWith('/__emu') ? next() : applyFault(state, context, next)))
  app.route('/__emu', createControlRoutes(state, control))
  app.route('/__emu', createAssetRoutes(state))
  app.route('/', createChatView(state, control))
  app.route('/', createLoginRoutes(state))
  app.route('/', createLoginApi(state, keys))
  app.route('/', createMessagingApi(state))
  app.route('/', createLiffRoutes(state, keys))
  app.notFound(context => context.json({ message: 'Not found' }, 404))
  app.onError((error, context) => {
    console.error('LINE emulator:', error)
    return context.json({ message: 'Internal Server Error' }, 500)
  })
  return { app, control, clock, state }
}

/** Returns which of LINE's hosts serves a path. The emulator's own origin serves all paths. */
function getHostOf(path: string): string {
  if (path.startsWith('/liff/v1/') || path.startsWith('/.well-known/')) return 'access.line.me'
  if (path === '/oauth2/v2.1/authorize' || path.startsWith('/oauth2/v2.1/liff/')) return 'access.line.me'
  if (path.startsWith('/liff/v2/oaadd/') || /^\/\d+-\w{8}(\/|$)/.test(path)) return 'liff.line.me'
  return 'api.line.me'
}

const checkHost: MiddlewareHandler = async (context, next) => {
  const host = new URL(context.req.url).hostname
  const path = context.req.path
  const isRightHost = !host.endsWith('.line.me') || path.startsWith('/__emu') || getHostOf(path) === host
  return isRightHost ? next() : context.json({ message: 'Not found' }, 404)
}

const setRequestId: MiddlewareHandler = async (context, next) => {
  await next()
  if (!context.res.headers.has('x-line-request-id')) context.res.headers.set('x-line-request-id', randomUUID())
}

async function applyFault(state: State, context: Context, next: () => Promise<void>) {
  const fault = takeFault(state, context.req.method, context.req.path)
  if (!fault) return next()
  if (fault.afterAcceptance) await next()
  const { signal } = context.req.raw
  if (fault.delaySeconds) await wait(fault.delaySeconds, signal)
  // The caller gave up during the delay, so the request must not take effect.
  if (signal.aborted && !fault.afterAcceptance) return new Response(null, { status: 499 })
  if (fault.dropConnection) {
    const socket = context.env?.incoming?.socket
    if (!socket) throw new Error('dropConnection needs a real connection')
    socket.destroy()
  }
  if (fault.status === undefined && !fault.dropConnection) return fault.afterAcceptance ? undefined : next()
  const body = fault.body ?? defaultFaultBodies[fault.status ?? 500] ?? { message: 'Internal Server Error' }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json', ...fault.headers }
  const response = new Response(text, { status: fault.status ?? 500, headers })
  // Otherwise Hono would add the first answer's headers to this one.
  context.res = undefined
  context.res = response
  return undefined
}

const defaultFaultBodies: Record<number, unknown> = {
  403: { message: 'Access to this API is not available for your account' },
  429: { message: 'The API rate limit has been exceeded. Try again later.' },
}

function takeFault(state: State, method: string, path: string): Fault | undefined {
  const index = state.faults.findIndex(
    fault =>
      (fault.method === undefined || fault.method.toUpperCase() === method) &&
      (fault.path.endsWith('*') ? path.startsWith(fault.path.slice(0, -1)) : fault.path === path),
  )
  const fault = state.faults[index]
  if (!fault) return undefined
  fault.count -= 1
  if (fault.count <= 0) state.faults.splice(index, 1)
  return fault
}

function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

export type StartOptions = LineEmulatorOptions & {
  /** The port for plain HTTP; 0 takes any free port. */
  port?: number
  /** The emulator also serves TLS at this port, for browsers that resolve LINE's host names to this machine. */
  tlsPort?: number
  certificateDirectory?: string
}

export type RunningLineEmulator = LineEmulator & {
  /** The address of the API and of the chat view, without a slash at the end. */
  origin: string
  tlsPort?: number
  stop(): Promise<void>
}

/** Starts the emulator. Rejects with the system's error (`EADDRINUSE`) when a port is taken. */
export async function startLineEmulator({
  port = 9797,
  tlsPort,
  certificateDirectory = '.local/line-emulator',
  ...options
}: StartOptions = {}): Promise<RunningLineEmulator> {
  const emulator = createLineEmulator(options)
  const { fetch } = emulator.app
  const plain = await listen(createAdaptorServer({ fetch }), port)
  const origin = `http://localhost:${plain.port}`
  emulator.state.publicUrl = options.publicUrl ?? origin
  const openTls = async () => {
    if (tlsPort === undefined) return undefined
    const serverOptions = loadCertificate(certificateDirectory)
    return listen(createAdaptorServer({ fetch, createServer: createTlsServer, serverOptions }), tlsPort)
  }
  const tls = await openTls().catch(async error => {
    await plain.stop()
    throw error
  })
  const stop = async () => {
    await plain.stop()
    await tls?.stop()
  }
  return { ...emulator, origin, tlsPort: tls?.port, stop }
}
