import { confirmOrder, confirmPrice } from '@shop/shared/order/endpoints.ts'
import { type INSTRUMENT, type InstrumentName, type Labels, prometheusName } from './instruments.ts'

type LabelOf<Name extends InstrumentName> = keyof Labels<Name> & string
type Match<Name extends InstrumentName> = { [Label in LabelOf<Name>]?: string }

const labelName = (label: string) => label.replaceAll('.', '_')

/** PromQL for the series of an instrument, whose labels match regular expressions. */
function series<Name extends InstrumentName>(name: Name, match: Match<Name> = {}, suffix = ''): string {
  const filters = Object.entries(match).map(([label, value]) => `${labelName(label)}=~"${value}"`)
  return `${prometheusName(name)}${suffix}{${filters.join(',')}}`
}

type Timed = {
  [Name in InstrumentName]: (typeof INSTRUMENT)[Name]['kind'] extends 'timed' ? Name : never
}[InstrumentName]

const by = (labels: readonly string[]) => (labels.length > 0 ? ` by (${labels.map(labelName).join(', ')})` : '')

/** PromQL: how many a second. */
const rate = <Name extends Timed>(name: Name, labels: LabelOf<Name>[] = [], match: Match<Name> = {}): string =>
  `sum${by(labels)} (rate(${series(name, match, '_count')}[5m]))`

/** PromQL: the duration that a share of them does not exceed, in seconds. */
const quantile = <Name extends Timed>(
  share: number,
  name: Name,
  labels: LabelOf<Name>[] = [],
  match: Match<Name> = {},
) => `histogram_quantile(${share}, sum${by(['le', ...labels])} (rate(${series(name, match, '_bucket')}[5m])))`

/** PromQL: of what all processes tell alike, or one of them, the highest. */
const highest = <Name extends InstrumentName>(name: Name, labels: LabelOf<Name>[] = [], match: Match<Name> = {}) =>
  `max${by(labels)} (${series(name, match)})`

const OURS = { 'http.response.status_code': '5..' }
const CHECK = ['shop.check', 'shop.of'] as ('shop.check' | 'shop.of')[]

interface Panel {
  title: string
  unit: 'seconds' | 'perSecond' | 'share' | 'bytes' | 'count'
  /** PromQL by what its lines are called; `{{label}}` stands for a label's value. */
  lines: Record<string, string>
}

const failedShare = `(${rate('requestDuration', [], OURS)} or vector(0)) / ${rate('requestDuration')}`

/** The dashboards, from top to bottom: first what customers feel, then what waits, then the machines. */
export const PANELS: readonly Panel[] = [
  {
    title: 'Orders placed a second',
    unit: 'perSecond',
    lines: {
      'bank transfer': rate('requestDuration', [], {
        'http.route': confirmPrice.path,
        'http.response.status_code': '200',
      }),
      wallet: rate('requestDuration', [], { 'http.route': confirmOrder.path, 'http.response.status_code': '200' }),
    },
  },
  {
    title: 'Checks that are red',
    unit: 'count',
    lines: { '{{shop_check}}': `${highest('checkRed', ['shop.check'])} > 0` },
  },
  {
    title: 'Answers that were failures of ours',
    unit: 'share',
    lines: { share: failedShare },
  },
  {
    title: 'Time to answer, 99 of 100 requests',
    unit: 'seconds',
    lines: { '{{http_route}}': `topk(10, ${quantile(0.99, 'requestDuration', ['http.route'])})` },
  },
  {
    title: 'Requests a second',
    unit: 'perSecond',
    lines: { '{{http_response_status_code}}': rate('requestDuration', ['http.response.status_code']) },
  },
  {
    title: 'How long the oldest has waited',
    unit: 'seconds',
    lines: {
      '{{shop_check}} {{shop_of}}': highest('checkValue', CHECK, {
        'shop.check': 'outboxDue|gatewaySilent|slipConfirming|supplierUnanswered|unclaimed|messagesFailing',
      }),
    },
  },
  {
    title: 'Work for outside services, runs a second',
    unit: 'perSecond',
    lines: {
      '{{shop_outbox_kind}} {{shop_outcome}}': rate('outboxDuration', ['shop.outbox.kind', 'shop.outcome']),
    },
  },
  {
    title: 'Time of outside services, 95 of 100 calls',
    unit: 'seconds',
    lines: { '{{server_address}}': quantile(0.95, 'outsideDuration', ['server.address']) },
  },
  {
    title: 'Calls to outside services that failed, a second',
    unit: 'perSecond',
    lines: {
      '{{server_address}} {{error_type}}': rate('outsideDuration', ['server.address', 'error.type'], {
        'error.type': '.+',
      }),
      '{{server_address}} {{http_response_status_code}}': rate(
        'outsideDuration',
        ['server.address', 'http.response.status_code'],
        OURS,
      ),
    },
  },
  {
    title: 'Time of jobs, the longest of an hour',
    unit: 'seconds',
    lines: {
      '{{shop_job}}': `histogram_quantile(1, sum by (le, shop_job) (increase(${series('jobDuration', {}, '_bucket')}[1h])))`,
    },
  },
  {
    title: 'Runs of jobs that failed, an hour',
    unit: 'count',
    lines: {
      '{{shop_job}}': `sum by (shop_job) (increase(${series('jobDuration', { 'shop.outcome': 'failed' }, '_count')}[1h]))`,
    },
  },
  {
    title: 'Connections to the database, of one process',
    unit: 'count',
    lines: {
      '{{db_client_connection_state}}': highest('connections', ['db.client.connection.state']),
      'may have': highest('connectionsMax'),
      'wait for one': highest('connectionsPending'),
    },
  },
  {
    title: 'How old the replica is',
    unit: 'seconds',
    lines: { replica: highest('checkValue', [], { 'shop.check': 'replica' }) },
  },
  { title: 'Requests under way', unit: 'count', lines: { all: `sum (${series('activeRequests')})` } },
  { title: 'Memory, of one process', unit: 'bytes', lines: { highest: highest('memory') } },
  {
    title: 'Event loop: how late, of one process',
    unit: 'seconds',
    lines: { '99 of 100 timers': highest('eventLoopDelay') },
  },
  { title: 'Event loop: how busy, of one process', unit: 'share', lines: { highest: highest('eventLoopUse') } },
]

interface Alert {
  /** PromQL that has a value while somebody is needed. */
  when: string
  /** How long it must be so, in seconds. */
  forSeconds: number
  /** `page` wakes somebody, `ticket` waits for the morning. */
  severity: 'page' | 'ticket'
  summary: string
}

/** What wakes somebody, by its name in Prometheus and at Google. `/pulse` has the same checks and stays the alarm of last resort. */
export const ALERTS = {
  ShopCheckRed: {
    when: `${highest('checkRed', ['shop.check'])} == 1`,
    forSeconds: 60,
    severity: 'page',
    summary: 'A check of the shop is red: docs/operations/watch.md says what to do for each',
  },
  ShopAnswersWithFailures: {
    when: `${failedShare} > 0.02`,
    forSeconds: 120,
    severity: 'page',
    summary: 'More than 2 % of the answers of five minutes were failures of ours',
  },
  ShopMetricsMissing: {
    when: `absent(${series('checkRed')})`,
    forSeconds: 300,
    severity: 'page',
    summary: 'No process of the shop tells its metrics any more',
  },
  ShopSlow: {
    when: `${quantile(0.99, 'requestDuration')} > 2`,
    forSeconds: 600,
    severity: 'ticket',
    summary: 'One of a hundred requests takes longer than two seconds',
  },
  ShopWaitsForDatabase: {
    when: `${highest('connectionsPending')} > 0`,
    forSeconds: 300,
    severity: 'ticket',
    summary: 'Requests have waited for a connection to the database for five minutes: docs/operations/scale.md',
  },
  ShopProcessBusy: {
    when: `${highest('eventLoopUse')} > 0.85`,
    forSeconds: 600,
    severity: 'ticket',
    summary: 'A process has been busy for ten minutes, another instance is due: docs/operations/scale.md',
  },
} as const satisfies Record<string, Alert>
