import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { BlockList } from 'node:net'
import { formatBaht } from '@shop/shared/money.ts'
import * as z from 'zod'
import { askJson } from '../../http/ask-json.ts'
import { DOCTOR_HEADER, doctorProof } from '../../http/ready.ts'
import type { Supplier } from '../../supplier/provider.ts'
import { BUCKET_RIGHT, BUCKET_ROLE } from '../../upload/files.ts'
import { judgeClock } from './database-checks.ts'
import { type Finding, note, ok, type Patient, skipped, wrong } from './patient.ts'

const TIMEOUT_MS = 10_000

const reasonOf = (error: unknown): string => {
  const { message = String(error), cause } = (error ?? {}) as { message?: string; cause?: unknown }
  const inner = cause ? reasonOf(cause) : ''
  return inner || message.split('\n')[0]!.slice(0, 300)
}

const STEP = { write: 'written', read: 'read', remove: 'deleted' } as const

/** Writes, reads and deletes a small file where the slips go. */
export async function checkFiles({ config, openFiles }: Patient): Promise<Finding> {
  const place = config.FILES_BUCKET ? `FILES_BUCKET ${config.FILES_BUCKET}` : `FILES_DIR ${config.FILES_DIR}`
  const key = `doctor/${randomUUID()}.txt`
  const body = Buffer.from('written by doctor')
  let step: keyof typeof STEP = 'write'
  try {
    const files = await openFiles()
    await files.write(key, body, 'text/plain')
    step = 'read'
    const read = await files.read(key)
    if (!read || !body.equals(read)) return wrong(`${place}: what was written is not what is read.`)
    step = 'remove'
    await files.remove(key)
    return ok(place)
  } catch (error) {
    const right = config.FILES_BUCKET
      ? `The service account needs ${BUCKET_RIGHT[step]} there (role ${BUCKET_ROLE})`
      : 'The folder must be there and be writable for the server'
    return wrong(`${place}: a file can not be ${STEP[step]}. ${right}. It says: ${reasonOf(error)}`)
  }
}

/** Signs a token as for somebody who comes with LINE; nobody is signed in by that. */
export async function checkSigning({ identityProvider }: Patient): Promise<Finding> {
  try {
    await identityProvider.createCustomToken('doctor', {})
    return ok()
  } catch (error) {
    return wrong(
      'No token can be signed, so nobody signs in with LINE. The service account needs iam.serviceAccounts.signBlob on ' +
        'itself (role Service Account Token Creator), and the IAM Credentials API must be enabled; outside of Google, ' +
        `GOOGLE_APPLICATION_CREDENTIALS names its key. Google says: ${reasonOf(error)}`,
    )
  }
}

export async function checkAccounts({ identityProvider, config }: Patient): Promise<Finding> {
  try {
    await identityProvider.findUserByEmail('doctor@example.invalid')
    return ok(`project ${config.GCLOUD_PROJECT}`)
  } catch (error) {
    return wrong(
      `The accounts of GCLOUD_PROJECT ${config.GCLOUD_PROJECT} can not be read. Is Authentication switched on there, and has ` +
        `the service account firebaseauth.users.get (role Firebase Authentication Admin)? Google says: ${reasonOf(error)}`,
    )
  }
}

export async function checkSlipProvider({ config, services: { slipProvider } }: Patient): Promise<Finding> {
  if (!slipProvider) return skipped('SLIP_PROVIDER is off: staff look at every slip')
  const standing = await slipProvider.standing()
  const keys = config.slipProvider ? Object.keys(config.slipProvider.keys[0]!).join(' and ') : 'its keys'
  if (standing.kind === 'silent') return wrong(`SLIP_PROVIDER ${slipProvider.name} does not answer.`)
  if (standing.kind === 'refused')
    return wrong(`SLIP_PROVIDER ${slipProvider.name} refuses ${keys} (${standing.httpStatus}).`)
  const { left } = standing
  if (left === 0) return note(`${slipProvider.name} has no questions left: further slips go to staff.`)
  return ok(left === null ? slipProvider.name : `${slipProvider.name}, ${left} questions left`)
}

export async function checkSupplierBalances({ config, services: { suppliers } }: Patient): Promise<Finding[]> {
  const all = Object.values(suppliers)
  if (all.length === 0) return [skipped('SUPPLIER is off: staff deliver every order')]
  return Promise.all(all.map(supplier => judgeBalance(config, supplier)))
}

async function judgeBalance(config: Patient['config'], supplier: Supplier): Promise<Finding> {
  const balance = await supplier.balance()
  const chosen = config.suppliers.find(({ name }) => name === supplier.name)
  const keys = chosen ? Object.keys(chosen.keys[0]!).join(', ') : 'its keys'
  if (balance === null)
    return wrong(`SUPPLIER ${supplier.name} tells no balance. Are ${keys} right, and is this address on its list?`)
  return ok(`${supplier.name}, ${formatBaht(balance)} baht`)
}

export async function checkGateway({ config, services: { gateway } }: Patient): Promise<Finding> {
  if (!gateway) return skipped('GATEWAY is off: people pay by bank transfer and wallet')
  const standing = await gateway.standing()
  if (standing.kind === 'silent') return wrong(`GATEWAY ${gateway.name} does not answer.`)
  const key = config.gateway ? Object.keys(config.gateway.keys[0]!)[0]! : 'its key'
  if (standing.kind === 'refused') return wrong(`GATEWAY ${gateway.name} refuses ${key} (${standing.httpStatus}).`)
  return ok(gateway.name)
}

export async function checkMail({ services: { mail } }: Patient): Promise<Finding> {
  if (!mail) return skipped('SMTP_URL is not set: the shop sends no mail')
  const answer = await mail.greet()
  if (answer.kind === 'accepted') return ok('the mail server lets the shop in')
  return wrong(`SMTP_URL: the mail server does not let the shop in. It says: ${answer.message}`)
}

const ready = z.object({ ok: z.boolean(), schema: z.string().nullable(), caller: z.string().optional() })
/** An address of documentation (RFC 5737), which nobody calls from. */
const MADE_UP = '203.0.113.77'

/** Asks the server through the storefront's address, as a customer's browser does, and looks whom it takes for the caller. */
export async function checkStorefront({ config, now }: Patient): Promise<Finding[]> {
  const url = new URL('/ready', config.STOREFRONT_URL).href
  const before = Date.now()
  const reply = await askJson(url, {
    headers: { [DOCTOR_HEADER]: doctorProof(config.TOTP_KEY[0]!, now()), 'x-forwarded-for': MADE_UP },
    timeoutMs: TIMEOUT_MS,
  })
  if (!reply) return [wrong(`STOREFRONT_URL: nothing answers at ${url}.`)]
  const told = ready.safeParse(reply.body)
  if (!told.success)
    return [wrong(`STOREFRONT_URL: ${url} is answered by something else than the server (${reply.status}).`)]
  const date = Date.parse(reply.headers.get('date') ?? '')
  const clock = Number.isNaN(date) ? [] : [judgeClock('the storefront', date, before)]
  if (!told.data.ok) return [wrong(`STOREFRONT_URL: the server at ${url} has another schema than its own.`), ...clock]
  const { address } = await lookup(new URL(url).hostname)
  return [judgeCaller(told.data.caller, config.PROXIES_IN_FRONT, address), ...(await judgeFront(config)), ...clock]
}

/** Asks for something that the server gives only to what comes through its front. */
async function judgeFront(config: Patient['config']): Promise<Finding[]> {
  if (config.FRONT_SECRET.length === 0) return []
  const reply = await askJson(new URL('/openapi.json', config.STOREFRONT_URL).href, { timeoutMs: TIMEOUT_MS })
  if (reply?.status === 200) return [ok('the front proves itself')]
  return [
    wrong(
      `FRONT_SECRET: the server refuses what comes through STOREFRONT_URL (${reply?.status ?? 'no answer'}). The front must ` +
        'write one of its secrets into X-Front-Secret.',
    ),
  ]
}

const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateNetworks.addSubnet(network, bits)

/** Callers of IPv6 are told as their network. */
const isPrivate = (address: string): boolean =>
  /^(::1$|0:0:0:0::|f[cde])/.test(address) || privateNetworks.check(address)

/** Two wrong counts of proxies show: callers who choose their address, and guests who all come from a proxy. */
export function judgeCaller(caller: string | undefined, proxies: number, storefrontAddress: string): Finding {
  if (caller === undefined)
    return wrong('The server has another TOTP_KEY than this command was given, so it does not tell whom it sees.')
  if (caller === MADE_UP)
    return wrong(`PROXIES_IN_FRONT ${proxies} is too high: callers choose the address they are counted under.`)
  if (isPrivate(caller) && !isPrivate(storefrontAddress))
    return wrong(
      `PROXIES_IN_FRONT ${proxies} is too low: the server takes this machine for ${caller}, an address of a proxy. All ` +
        'guests would share one limit.',
    )
  return ok(`the server sees this machine as ${caller}; that must be its own address, not a proxy's`)
}
