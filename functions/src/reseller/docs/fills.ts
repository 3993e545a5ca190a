import { API_ERROR, API_ERROR_CODES, apiStatusCode } from '@shop/shared/reseller/errors.ts'
import { PLAY_MONEY_SATANG, PLAY_PACKAGES, PLAY_UNKNOWN_PLAYER } from '@shop/shared/reseller/play.ts'
import { API_STATUS, API_STATUSES, KEY_SCOPE, KEY_SCOPES } from '@shop/shared/reseller/reseller.ts'
import { V1_ENDPOINTS } from '@shop/shared/reseller/v1-endpoints.ts'
import { keysOf } from '@shop/shared/table.ts'
import { MOST_WEBHOOKS, RETRY_SECONDS } from '@shop/shared/webhook/webhook.ts'
import { marked } from 'marked'
import { type LimitName, windowOf } from '../../http/rate-limit.ts'
import { apiMessage } from '../openapi.ts'
import { eventExample } from '../openapi-webhooks.ts'
import { operationOf } from '../operations.ts'
import { type Example, readGuideFile } from './files.ts'
import { codeBlock, escaped, tableOf, tabsOf } from './html.ts'
import type { Words } from './words.ts'

/** What the guide has from tables of the code, by the names that its sections call for. */

const inline = (markdown: string): string => marked.parseInline(markdown, { async: false })
const code = (text: string): string => `<code>${escaped(text)}</code>`
const thai = (text: string): string => `<span lang="th">${escaped(text)}</span>`
const linkTo = ({ id, tag }: { id: string; tag: string }): string => `<a href="#/${tag}/${id}">${id}</a>`

const scopesTable = ({ heads }: Words): string =>
  tableOf(
    [heads.scope, heads.onPage, heads.calls],
    KEY_SCOPES.map(scope => {
      const calls = V1_ENDPOINTS.filter(({ allow }) => allow === KEY_SCOPE[scope].allow)
      return [code(scope), thai(KEY_SCOPE[scope].label), calls.map(call => linkTo(operationOf(call))).join(', ')]
    }),
  )

const statusTable = ({ heads, yes, no, statuses }: Words): string =>
  tableOf(
    ['status', heads.final, heads.meaning],
    API_STATUSES.map(status => [code(status), API_STATUS[status].isFinal ? yes : no, inline(statuses[status])]),
  )

const errorTable = ({ heads }: Words): string =>
  tableOf(
    ['code', 'status', heads.todo, heads.message],
    API_ERROR_CODES.map(each => [
      `<a class="anchor" id="error-${each}" href="#error-${each}">${code(each)}</a>`,
      String(apiStatusCode(each)),
      inline(API_ERROR[each].text),
      thai(apiMessage(each)),
    ]),
  )

const named = (head: string, told: Record<string, string>, { heads }: Words): string =>
  tableOf(
    [head, heads.meaning],
    Object.entries(told).map(([name, text]) => [code(name), inline(text)]),
  )

/** Seconds in the largest unit that fits. */
function spanOf(seconds: number, words: Words): string {
  if (seconds < 60) return words.seconds(seconds)
  if (seconds < 3600) return words.minutes(Math.round(seconds / 60))
  return words.hours(Math.round(seconds / 360) / 10)
}

const retryTable = (words: Words): string => {
  const { heads, atOnce, afterBefore, afterFirst } = words
  let sum = 0
  const rows = RETRY_SECONDS.map((seconds, at) => {
    sum += seconds
    return [String(at + 2), afterBefore(spanOf(seconds, words)), afterFirst(spanOf(sum, words))]
  })
  return tableOf([heads.try, heads.when, heads.together], [['1', atOnce, ''], ...rows])
}

const playTable = ({ heads }: Words): string =>
  tableOf(
    ['packageId', heads.name, heads.becomes, heads.price],
    PLAY_PACKAGES.map(({ id, name, description, priceSatang }) => [
      code(String(id)),
      escaped(name),
      escaped(description),
      String(priceSatang),
    ]),
  )

const limitTable = (limits: Record<LimitName, number>, words: Words): string =>
  tableOf(
    [words.heads.calls, words.heads.most],
    keysOf(words.limits).map(name => [words.limits[name], words.perWindow(limits[name], windowOf(name).seconds)]),
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

async function programs(label: string, files: readonly { title: string; file: Example; run: string }[], copy: string) {
  const panels = await Promise.all(
    files.map(async ({ title, file, run }) => {
      const text = await readGuideFile(`examples/${file}`)
      const facts = `<p class="file"><a href="${EXAMPLES_PATH}${file}" download>${file}</a> ${code(run)}</p>`
      return { id: file.replace('.', '-'), title, html: facts + codeBlock(text, copy) }
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

export async function fillsOf({ origin, limits }: GuideFacts, words: Words): Promise<Record<string, string>> {
  const { copy } = words
  return {
    origin: escaped(origin),
    quickstarts: await programs(words.quickStarts, QUICK_STARTS, copy),
    clients: await programs(words.clients, CLIENTS, copy),
    scopes: scopesTable(words),
    statuses: statusTable(words),
    reasons: named('reason.code', words.reasons, words),
    entries: named('kind', words.entries, words),
    errors: errorTable(words),
    webhookExample: codeBlock(JSON.stringify(eventExample('order.completed'), null, 2), copy),
    events: named('type', words.events, words),
    retries: retryTable(words),
    limits: limitTable(limits, words),
    playMoney: (PLAY_MONEY_SATANG / 100).toLocaleString('en'),
    unknownPlayer: PLAY_UNKNOWN_PLAYER,
    testPackages: playTable(words),
    mostWebhooks: String(MOST_WEBHOOKS),
  }
}
