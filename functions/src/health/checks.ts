import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { UNSENT } from '@shop/shared/chat/chat.ts'
import { CHECK_NAMES, type CheckFact, type CheckName, isOver } from '@shop/shared/health/check.ts'
import { UNMAILED } from '@shop/shared/mail/mail.ts'
import { AUDIENCE, AUDIENCES } from '@shop/shared/permissions.ts'
import { DAY_MS, formatShort } from '@shop/shared/time.ts'
import { within } from '../asking/within.ts'
import { findLastLines } from '../backlog/store.ts'
import { findUnclaimed } from '../chat/order-facts.ts'
import type { Answering, Sql } from '../database/database.ts'
import { as, orNull, pick, row, sql, type Text, under } from '../database/sql.ts'
import { UNKNOWN_SINCE, unknownCharges } from '../gateway/store.ts'
import { factsOf, log } from '../http/log.ts'
import { findLastCheckRuns, NIGHTLY_CHECK } from '../jobs/check-run.ts'
import { JOBS, type Job, pulseOf } from '../jobs/jobs.ts'
import { jobKindOf, KINDS_FOR_PEOPLE, OUTBOX_KINDS } from '../outbox/job-kind.ts'
import type { OutboxKind } from '../outbox/payload.ts'
import { findSafeMode, noticeRestore } from '../outbox/safe-mode.ts'
import { outbox } from '../outbox/tables.ts'
import { awaitJobs, findPulses, type PulseRow } from '../pulse/pulse.ts'
import { pulseOfSign, SIGN, type SignName, seenAt } from '../pulse/signs.ts'
import { isPromotion } from '../restore/promotion.ts'
import { findOptions } from '../settings/store.ts'
import type { Shop } from '../shop/shop.ts'
import { slipCheck } from '../slipcheck/tables.ts'
import { feedKey } from '../statement/tables.ts'
import { supplierAttempt } from '../supplier/tables.ts'
import { MOST_PERCENT } from './disks.ts'
import { failingSince, latestSecondsOf } from './job-state.ts'
import { CLUSTER_FLAW, CLUSTER_FLAWS, flawsOfCluster, type PatroniMember } from './patroni.ts'
import { findStandbys, type Standbys } from './standbys.ts'
import { findRetriedSince, findTrace } from './traces.ts'

const [work, d] = [under(outbox), under(outbox, 'd')]
const [slips, bought, feeds] = [under(slipCheck), under(supplierAttempt), under(feedKey)]
/** The database's clock, in milliseconds since 1970. */
const CLOCK_MS = 'extract(epoch FROM clock_timestamp()) * 1000.0'

/** What is needed of the shop to measure. */
export type Watched = Pick<
  Shop,
  'db' | 'reports' | 'suppliers' | 'findUnheard' | 'answers' | 'beat' | 'disks' | 'patroni' | 'now'
>

interface Facts {
  shop: Omit<Watched, 'now'>
  now: Date
  pulses: Map<string, PulseRow>
  standbys: Standbys | null
  patroni: PatroniMember[]
  /** How many requests waited for a connection before anything was measured. */
  waiting: number
}
type Measure = (facts: Facts) => CheckFact[] | Promise<CheckFact[]>

/** A job that fails may succeed the next time; after this it counts. */
const FAILING_SECONDS = 120
const DUE_SECONDS = 180
const CONFIRMING_SECONDS = 1800
const UNANSWERED_SECONDS = 600
/** A gateway that is too busy for some minutes needs nobody; from then on buyers ask where their money is. */
const SILENT_GATEWAY_SECONDS = 600
const UNCLAIMED_SECONDS = 300
/** A machine that sends an account's lines is silent for this long at most, however quiet the day. */
const SILENT_SECONDS = 86_400
/** This many requests of one process wait for a connection in a rush, and are still answered in time. */
const WAITING = 40
/** A single one may be somebody's own odd request, and a share of a few says nothing. */
const FEW_FAILURES = 4
const FAILING_SHARE = 0.1
/** PostgreSQL tries again by itself, and a repository may be away for some minutes. */
const ARCHIVE_SECONDS = 600
/** With the outbox's pauses a message was tried five or six times by then. */
const MESSAGES_SECONDS = 210
/** Above what the clocks of two machines that follow the time may differ by. */
export const APART_SECONDS = 5
/** A standby that is so far behind does not catch up by itself, or can not take the database's place soon. */
const LAG_SECONDS = 60
/** A machine that fails once is replaced; what goes to and fro has another cause. */
const PROMOTIONS_A_DAY = 2
/** A replica that reports can't read for so long needs somebody; until then the database serves them. */
const REPLICA_SECONDS = 120

/** What is sent to a service that may be away, and what its failures are called there. */
const MESSAGES = {
  'chat.send': { service: 'lineMessaging', unreachable: UNSENT.unreachable },
  'mail.send': { service: 'mail', unreachable: UNMAILED.unreachable },
} as const

const secondsSince = (now: Date, since: Date | null): number | null =>
  since && Math.max(0, Math.round((now.getTime() - since.getTime()) / 1000))

const jobs = ({ pulses }: Facts) =>
  Object.entries<Job>(JOBS).map(([name, job]) => ({ name, job, pulse: pulses.get(pulseOf(name)) }))

/** Returns one fact about each kind of the outbox's work. */
async function ofKinds<Row extends { kind: OutboxKind }>(
  db: Sql,
  text: Text<Row>,
  values: unknown[],
  factOf: (kind: OutboxKind, row: Row | undefined) => CheckFact,
) {
  const rows = await db.query({ text, values })
  return OUTBOX_KINDS.map(kind =>
    factOf(
      kind,
      rows.find(row => row.kind === kind),
    ),
  )
}

/** The list of columns of `oldest`. @param moment SQL of since when the oldest of its kind has been so */
const sinceOf = (moment: string) => row({ since: orNull(as.instant(moment)) })

const oldest = async (
  facts: Facts,
  text: Text<{ since: Date | null }>,
  values: unknown[],
  limit: number,
): Promise<CheckFact[]> => {
  const [found] = await facts.shop.db.query({ text, values })
  return [{ of: null, label: null, value: secondsSince(facts.now, found!.since), limit }]
}

/** How long ago a sign of life was last seen. */
const since = ({ pulses, now }: Facts, name: SignName): CheckFact[] => [
  { of: null, label: null, value: secondsSince(now, seenAt(pulses, name)), limit: SIGN[name].mostSeconds },
]

/**
 * What is measured for each check, and what is too much. Nothing here but Patroni, which is not waited for, calls anybody
 * outside; each reads an index's end.
 */
const MEASURE = {
  async safeMode({ shop: { db }, now }) {
    await noticeRestore(db, now)
    const { isOn, orderedAt, noticedAt } = await findSafeMode(db)
    const since = secondsSince(now, orderedAt ?? noticedAt ?? now) ?? 0
    return [{ of: null, label: null, value: isOn ? Math.max(1, since) : null, limit: 0 }]
  },
  jobAge: facts =>
    jobs(facts).map(({ name, job, pulse }) => ({
      of: name,
      label: job.title,
      value: secondsSince(facts.now, pulse?.succeededAt ?? pulse?.awaitedSince ?? null),
      limit: latestSecondsOf(job),
    })),
  jobFailing: facts =>
    jobs(facts).map(({ name, job, pulse }) => ({
      of: name,
      label: job.title,
      value: secondsSince(facts.now, pulse ? failingSince(job, pulse, facts.now) : null),
      limit: FAILING_SECONDS,
    })),
  outboxDue: ({ shop: { db }, now }) =>
    ofKinds(
      db,
      sql`SELECT ${row({ kind: as.text<OutboxKind>('k.kind'), since: d.dueAt })} FROM unnest($1::text[]) AS k (kind)
        CROSS JOIN LATERAL (SELECT ${work.dueAt} FROM ${work}
          WHERE ${work.kind} = k.kind AND ${work.state} = 'waiting' AND ${work.dueAt} <= $2 ORDER BY ${work.dueAt} LIMIT 1) d`,
      [OUTBOX_KINDS, now],
      (kind, row) => ({
        of: kind,
        label: jobKindOf(kind).label,
        value: secondsSince(now, row?.since ?? null),
        limit: DUE_SECONDS,
      }),
    ),
  outboxDead: ({ shop: { db }, now }) =>
    ofKinds(
      db,
      sql`SELECT ${row({ ...pick(work, 'kind'), n: as.int('count(*)') })} FROM ${work} WHERE ${work.state} = 'dead'
        AND (${work.kind} = ANY($2) OR ${work.settledAt} > $1::timestamptz - interval '1 hour') GROUP BY ${work.kind}`,
      [now, KINDS_FOR_PEOPLE],
      (kind, row) => ({
        of: kind,
        label: jobKindOf(kind).label,
        value: row?.n ?? 0,
        limit: jobKindOf(kind).mostDead ?? 0,
      }),
    ),
  async messagesFailing({ shop: { db }, now }) {
    const facts: CheckFact[] = []
    for (const [kind, { service, unreachable }] of Object.entries(MESSAGES)) {
      const { succeededAt } = await findTrace(db, service, unreachable)
      const since = await findRetriedSince(db, kind as keyof typeof MESSAGES, succeededAt)
      const { label } = jobKindOf(kind as OutboxKind)
      facts.push({ of: kind, label, value: secondsSince(now, since), limit: MESSAGES_SECONDS })
    }
    return facts
  },
  gatewaySilent: facts =>
    oldest(
      facts,
      sql`SELECT ${sinceOf(`min(${UNKNOWN_SINCE})`)} FROM charge c WHERE ${unknownCharges('$1')}`,
      [facts.now],
      SILENT_GATEWAY_SECONDS,
    ),
  async nobodyHears({ shop }) {
    const unheard = await shop.findUnheard(shop.db)
    return AUDIENCES.map(of => ({ of, label: AUDIENCE[of], value: unheard.includes(of) ? 1 : 0, limit: 0 }))
  },
  slipConfirming: facts =>
    oldest(
      facts,
      sql`SELECT ${sinceOf(`min(${slips.createdAt})`)} FROM ${slips} WHERE ${slips.state} = 'confirming'`,
      [],
      CONFIRMING_SECONDS,
    ),
  supplierUnanswered: facts =>
    oldest(
      facts,
      sql`SELECT ${sinceOf(`min(${bought.sentAt})`)} FROM ${bought}
        WHERE ${bought.state} IN ('sending', 'unknown') AND NOT ${bought.isWithStaff}`,
      [],
      UNANSWERED_SECONDS,
    ),
  async unclaimed({ shop: { db }, now }) {
    const { OPENING_HOURS } = await findOptions(db)
    const late = await findUnclaimed(db, OPENING_HOURS, now, 1)
    const since = late.map(({ dueAt }) => dueAt).reduce<Date | null>((a, b) => (a && a < b ? a : b), null)
    return [{ of: null, label: null, value: secondsSince(now, since), limit: UNCLAIMED_SECONDS }]
  },
  async statementLine({ shop: { db }, now }) {
    const [accounts, keys] = await Promise.all([
      findLastLines(db),
      db.query({
        text: sql`SELECT ${row({ id: feeds.receivingAccountId })} FROM ${feeds}
          WHERE ${feeds.revokedAt} IS NULL AND ${feeds.lastUsedAt} IS NOT NULL
            AND (${feeds.expiresAt} IS NULL OR ${feeds.expiresAt} > $1)`,
        values: [now],
      }),
    ])
    const fed = new Set(keys.map(({ id }) => id))
    return accounts.map(({ receivingAccountId, bankCode, accountNo, lastLineAt }) => ({
      of: String(receivingAccountId),
      label: `${bankOf(bankCode).niceName} ${accountNo.slice(-4)}`,
      value: secondsSince(now, lastLineAt),
      limit: fed.has(receivingAccountId) ? SILENT_SECONDS : null,
    }))
  },
  async booksDiffer({ shop: { db } }) {
    const runs = await findLastCheckRuns(db)
    return Object.entries(NIGHTLY_CHECK).map(([name, { title }]) => ({
      of: name,
      label: title,
      value: runs.get(name)?.differences ?? null,
      limit: 0,
    }))
  },
  async clockApart({ shop: { db }, patroni }) {
    // The process's own clock, which `now` follows outside of tests.
    const before = Date.now()
    const [clock] = await db.query({ text: sql`SELECT ${row({ ms: as.text(CLOCK_MS) })}` })
    const apart = (of: string, label: string, ms: number): CheckFact => {
      return { of, label, value: Math.round(Math.abs(ms) / 1000), limit: APART_SECONDS }
    }
    return [
      apart('database', 'ฐานข้อมูล', Number(clock!.ms) - (before + Date.now()) / 2),
      ...patroni.flatMap(({ host, told }) => (told?.aheadMs == null ? [] : [apart(host, host, told.aheadMs)])),
    ]
  },
  answersFailing({ shop: { answers } }) {
    const { all, failed } = answers.lately()
    return [{ of: null, label: null, value: failed, limit: Math.max(FEW_FAILURES, Math.round(all * FAILING_SHARE)) }]
  },
  archiveFailing: facts =>
    oldest(
      facts,
      sql`SELECT ${sinceOf(`CASE WHEN current_setting('archive_mode') <> 'off'
          AND last_failed_time > coalesce(last_archived_time, '-infinity')
        THEN greatest(last_archived_time, stats_reset) END`)} FROM pg_stat_archiver`,
      [],
      ARCHIVE_SECONDS,
    ),
  poolWaiting: ({ waiting }) => [{ of: null, label: null, value: waiting, limit: WAITING }],
  async replica({ shop: { reports } }) {
    const state = await reports.look()
    return state ? [{ of: null, label: null, value: state.seconds, limit: REPLICA_SECONDS }] : []
  },
  async diskFull({ shop }) {
    const disks = await shop.disks()
    return disks.map(({ path, percent }) => ({ of: path, label: path, value: percent, limit: MOST_PERCENT }))
  },
  backupOld: facts => since(facts, 'backup'),
  standbyMissing({ standbys, pulses, now }) {
    const limit = SIGN.standby.mostSeconds
    if (!standbys) return [{ of: null, label: null, value: null, limit }]
    if (standbys.standbys.length > 0) return [{ of: null, label: null, value: 0, limit }]
    // Another process may have seen one later than this one.
    const seen = [seenAt(pulses, 'standby'), standbys.seenAt].filter(at => at !== null).toSorted((a, b) => +b - +a)
    const missing = seen[0] ?? (standbys.isWaitedFor ? standbys.lookedSince : null)
    return [{ of: null, label: null, value: secondsSince(now, missing), limit }]
  },
  standbyLag: ({ standbys }) =>
    (standbys?.standbys ?? []).map(({ name, sync, seconds }) => ({
      of: name,
      label: [name, sync].filter(Boolean).join(' '),
      value: seconds,
      limit: LAG_SECONDS,
    })),
  promotions({ pulses, now }) {
    const all = [...pulses].flatMap(([name, { succeededAt }]) =>
      isPromotion(name) && succeededAt ? [succeededAt] : [],
    )
    const today = all.filter(at => Math.abs(now.getTime() - at.getTime()) < DAY_MS)
    const last = all.toSorted((a, b) => b.getTime() - a.getTime())[0]
    const label = last ? `ครั้งล่าสุด ${formatShort(last)}` : null
    return [{ of: null, label, value: today.length, limit: PROMOTIONS_A_DAY }]
  },
  cluster({ patroni }) {
    const flaws = flawsOfCluster(patroni)
    if (patroni.length === 0) return []
    return CLUSTER_FLAWS.map(of => ({
      of,
      label: [CLUSTER_FLAW[of].label, ...flaws[of]].join(' '),
      value: flaws[of].length,
      limit: 0,
    }))
  },
  watcherSilent: facts => since(facts, 'watcher'),
} satisfies Record<CheckName, Measure>

/** However often somebody looks, it costs the database one look in this time. */
const FRESH_MS = 5000
/** While a database is slow to answer, what was measured before is told for so long. */
const STALE_MS = 15_000
/** Who looks is answered within two seconds, whatever the database does. */
const WAIT_MS = 600
/** A database that answers is only slow, or asked for the first time: that is no reason to call it away. */
const MORE_MS = 500

export interface CheckResult {
  name: CheckName
  isRed: boolean
  facts: CheckFact[]
}

/** Measures everything that is watched, in the order of the shared table. */
export async function findChecks(shop: Facts['shop'], now: Date): Promise<CheckResult[]> {
  const asked = shop.patroni()
  const { waiting } = shop.db.connections()
  const kept = await findPulses(shop.db)
  const unseen = Object.keys(JOBS)
    .map(pulseOf)
    .filter(name => !kept.has(name))
  if (unseen.length > 0) await awaitJobs(shop.db, unseen, now)
  const pulses = unseen.length > 0 ? await findPulses(shop.db) : kept
  const standbys = await findStandbys(shop.db, now)
  if (standbys && standbys.standbys.length > 0) await shop.beat(pulseOfSign('standby'), async () => {})
  const facts = { shop, now, waiting, pulses, standbys, patroni: await asked }
  const results: CheckResult[] = []
  // One after the other, because a database in need must not get ten questions at once.
  for (const name of CHECK_NAMES) {
    const found = await (MEASURE[name] as Measure)(facts)
    results.push({ name, isRed: found.some(isOver), facts: found })
  }
  return results
}

/** Why nothing was measured: the database does not answer, or none of this process's connections to it. */
export const UNMEASURED = ['database', 'pool'] as const
type Unmeasured = (typeof UNMEASURED)[number]
type Look = CheckResult[] | Unmeasured

/** Returns a look at everything that is watched, which is as fresh as it must be. */
export function rememberChecks(shop: Watched): () => Promise<Look> {
  let last: { at: number; found: Promise<Look> } | undefined
  let measured: { at: number; found: CheckResult[] } | undefined
  async function measure(at: number): Promise<Look> {
    try {
      const found = await findChecks(shop, new Date(at))
      measured = { at, found }
      return found
    } catch (error) {
      log('ERROR', 'pulse not measured', { cause: factsOf(error) })
      last = undefined
      return whyNot(await shop.db.look())
    }
  }
  const whyNot = (seen: Answering): Unmeasured => (seen === 'stuck' ? 'pool' : 'database')
  async function waitMore(found: Promise<Look>): Promise<Look> {
    const seen = await shop.db.look()
    return seen === 'answers' ? within(MORE_MS, found, () => whyNot(seen)) : whyNot(seen)
  }
  const isYoung = (at: number, than: number) => Math.abs(shop.now().getTime() - at) < than
  return () => {
    if (!last || !isYoung(last.at, FRESH_MS)) {
      const at = shop.now().getTime()
      last = { at, found: measure(at) }
    }
    const { found } = last
    const late = () => (measured && isYoung(measured.at, STALE_MS) ? measured.found : waitMore(found))
    return within(WAIT_MS, found, late)
  }
}
