// The Auth emulator's own process: firebase-tools' server, with accounts that outlive it. See `auth-emulator.ts`.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { projectId } from './auth-emulator.ts'

type Account = { localId: string } & Record<string, unknown>
/** The part of firebase-tools' in-memory project that we use (its version is pinned). */
interface ProjectState {
  users: Map<string, Account>
  overwriteUserWithLocalId(localId: string, fields: Account): void
}

const require = createRequire(import.meta.url)
makeValidatorsWhenCalled()
const { createApp } = require('firebase-tools/lib/emulator/auth/server.js') as {
  createApp(projectId: string, mode: undefined, states: Map<string, ProjectState>): Promise<RequestListener>
}
const { AgentProjectState } = require('firebase-tools/lib/emulator/auth/state.js') as {
  AgentProjectState: new (projectId: string) => ProjectState
}

const port = Number(process.env.AUTH_EMULATOR_PORT)
const accountsFile = process.env.AUTH_ACCOUNTS_FILE

const project = new AgentProjectState(projectId)
loadAccounts()
const app = await createApp(projectId, undefined, new Map([[projectId, project]]))
const server = createServer((request, response) => {
  // Every change comes in by such a request; saving at once is what lets accounts survive a kill.
  if (request.method !== 'GET' && request.method !== 'OPTIONS') response.once('finish', saveSoon)
  app(request, response)
})
server.listen(port, '127.0.0.1', () => process.send?.('ready'))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    save()
    process.exit(0)
  })
}

/** The emulator would make the validators of a hundred operations first: 12 of its 14 seconds of processor time. */
function makeValidatorsWhenCalled(): void {
  type Middleware = (spec: object, options: object) => unknown
  const requireAsEmulator = createRequire(require.resolve('firebase-tools/lib/emulator/auth/server.js'))
  const exegesis = requireAsEmulator('exegesis-express') as { middleware: Middleware }
  const { middleware } = exegesis
  exegesis.middleware = (spec, options) => middleware(spec, { ...options, lazyCompileValidationSchemas: true })
}

function loadAccounts(): void {
  if (!accountsFile || !existsSync(accountsFile)) return
  const accounts = JSON.parse(readFileSync(accountsFile, 'utf8')) as Account[]
  for (const account of accounts) project.overwriteUserWithLocalId(account.localId, account)
}

let pending: NodeJS.Timeout | undefined

function saveSoon(): void {
  pending ??= setTimeout(save, 100)
}

function save(): void {
  clearTimeout(pending)
  pending = undefined
  if (!accountsFile) return
  writeFileSync(`${accountsFile}.new`, JSON.stringify([...project.users.values()]))
  renameSync(`${accountsFile}.new`, accountsFile)
}
