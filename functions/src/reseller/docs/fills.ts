import { API_ERROR, API_ERROR_CODES, apiStatusCode } from '@shop/shared/reseller/errors.ts'
import { PLAY_MONEY_SATANG, PLAY_PACKAGES, PLAY_UNKNOWN_PLAYER } from '@shop/shared/reseller/play.ts'
import type { ENTRY_KINDS } from '@shop/shared/reseller/reseller.ts'
import { API_STATUS, API_STATUSES, KEY_SCOPE, KEY_SCOPES } from '@shop/shared/reseller/reseller.ts'
import { type API_REASONS, V1_ENDPOINTS } from '@shop/shared/reseller/v1-endpoints.ts'
import { MOST_WEBHOOKS, RETRY_SECONDS, WEBHOOK_EVENT, WEBHOOK_EVENTS } from '@shop/shared/webhook/webhook.ts'
import { marked } from 'marked'
import { type LimitName, windowOf } from '../../http/rate-limit.ts'
import { apiMessage } from '../openapi.ts'
import { eventExample } from '../openapi-webhooks.ts'
import { operationOf } from '../operations.ts'
import { type Example, readGuideFile } from './files.ts'
import { codeBlock, escaped, tableOf, tabsOf } from './html.ts'

/** What the guide has from tables of the code, by the names that its sections call for. */

const inline = (markdown: string): string => marked.parseInline(markdown, { async: false })
const code = (text: string): string => `<code>${escaped(text)}</code>`
const thai = (text: string): string => `<span lang="th">${escaped(text)}</span>`
const linkTo = ({ id, tag }: { id: string; tag: string }): string => `<a href="#/${tag}/${id}">${id}</a>`

const REASON: Record<(typeof API_REASONS)[number], string> = {
  delivery_failed: 'Nothing of it could be delivered',
  delivered_in_part: 'Some pieces came; the rest went back to the wallet',
  given_back: 'The shop gave the money back',
  canceled: 'You canceled it',
}

const ENTRY: Record<(typeof ENTRY_KINDS)[number], string> = {
  top_up: 'Money that you brought',
  order: 'An order, by a key or by hand',
  refund: 'Money of an order that came back',
  correction: 'The shop put something right',
}

const scopesTable = (): string =>
  tableOf(
    ['scope', 'on the page', 'calls'],
    KEY_SCOPES.map(scope => {
      const calls = V1_ENDPOINTS.filter(({ allow }) => allow === KEY_SCOPE[scope].allow)
      return [code(scope), thai(KEY_SCOPE[scope].label), calls.map(call => linkTo(operationOf(call))).join(', ')]
    }),
  )

const statusTable = (): string =>
  tableOf(
    ['status', 'final', 'meaning'],
    API_STATUSES.map(status => [
      code(status),
      API_STATUS[status].isFinal ? 'yes' : 'no',
      inline(API_STATUS[status].label),
    ]),
  )

const errorTable = (): string =>
  tableOf(
    ['code', 'status', 'what it means and what to do', 'message'],
    API_ERROR_CODES.map(each => [
      `<a class="anchor" id="error-${each}" href="#error-${each}">${code(each)}</a>`,
      String(apiStatusCode(each)),
      inline(API_ERROR[each].text),
      thai(apiMessage(each)),
    ]),
  )

const named = (head: string, told: Record<string, string>): string =>
  tableOf(
    [head, 'meaning'],
    Object.entries(told).map(([name, text]) => [code(name), inline(text)]),
  )

/** Seconds in the largest unit that fits. */
function spanOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 360) / 10} h`
}

const retryTable = (): string => {
  let sum = 0
  const rows = RETRY_SECONDS.map((seconds, at) => {
    sum += seconds
    return [String(at + 2), `${spanOf(seconds)} after the try before`, `${spanOf(sum)} after the first`]
  })
  return tableOf(['try', 'when', 'together'], [['1', 'at once', ''], ...rows])
}

const playTable = (): string =>
  tableOf(
    ['packageId', 'name', 'what becomes of an order', 'price'],
    PLAY_PACKAGES.map(({ id, name, description, priceSatang }) => [
      code(String(id)),
      escaped(name),
      escaped(description),
      String(priceSatang),
    ]),
  )

const LIMIT: Record<Extract<LimitName, `api${string}`>, string> = {
  apiPricesPerKey: 'lists of games and packages',
  apiReadsPerKey: 'the wallet, its entries and orders',
  apiChecksPerKey: 'player checks',
  apiOrdersPerKey: 'orders and cancels',
  apiCodesPerKey: 'codes',
}

const limitTable = (limits: Record<LimitName, number>): string =>
  tableOf(
    ['calls', 'most per key'],
    (Object.keys(LIMIT) as (keyof typeof LIMIT)[]).map(name => [
      LIMIT[name],
      `${limits[name]} in ${windowOf(name).seconds} seconds`,
    ]),
  )

const QUICK_STARTS = [
  { title: 'Shell', file: 'quickstart.sh', run: 'sh quickstart.sh' },
  { title: 'JavaScript', file: 'quickstart.mjs', run: 'node quickstart.mjs' },
  { title: 'Python', file: 'quickstart.py', run: 'python3 quickstart.py' },
] as const satisfies { title: string; file: Example; run: string }[]
const CLIENTS = [
  { title: 'client.ts', file: 'client.ts', run: 'npm install && node bot.ts orders.csv' },
  { title: 'bot.ts', file: 'bot.ts', run: 'node bot.ts orders.csv' },
] as const satisfies { title: string; file: Example; run: string }[]
/** Where the programs can be fetched from. */
export const EXAMPLES_PATH = '/reseller/docs/examples/'

async function programs(label: string, files: readonly { title: string; file: Example; run: string }[]) {
  const panels = await Promise.all(
    files.map(async ({ title, file, run }) => {
      const text = await readGuideFile(`examples/${file}`)
      const facts = `<p class="file"><a href="${EXAMPLES_PATH}${file}" download>${file}</a> ${code(run)}</p>`
      return { id: file.replace('.', '-'), title, html: facts + codeBlock(text) }
    }),
  )
  return tabsOf(label, panels)
}

/** What the guide tells of one shop. */
export interface GuideFacts {
  /** The shop's address, for what its readers type. */
  origin: string
  /** How often each limit allows a call. */
  limits: Record<LimitName, number>
}

export async function fillsOf({ origin, limits }: GuideFacts): Promise<Record<string, string>> {
  return {
    origin: escaped(origin),
    quickstarts: await programs('Quick starts', QUICK_STARTS),
    clients: await programs('Programs to build on', CLIENTS),
    scopes: scopesTable(),
    statuses: statusTable(),
    reasons: named('reason.code', REASON),
    entries: named('kind', ENTRY),
    errors: errorTable(),
    webhookExample: codeBlock(JSON.stringify(eventExample('order.completed'), null, 2)),
    events: named('type', Object.fromEntries(WEBHOOK_EVENTS.map(event => [event, WEBHOOK_EVENT[event]]))),
    retries: retryTable(),
    limits: limitTable(limits),
    playMoney: (PLAY_MONEY_SATANG / 100).toLocaleString('en'),
    unknownPlayer: PLAY_UNKNOWN_PLAYER,
    testPackages: playTable(),
    mostWebhooks: String(MOST_WEBHOOKS),
  }
}
