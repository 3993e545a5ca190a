import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { UNSENT } from '@shop/shared/chat/chat.ts'
import { CHECK_NAMES, type CheckFact, type CheckName, isOver } from '@shop/shared/health/check.ts'
import { UNMAILED } from '@shop/shared/mail/mail.ts'
import { findLastLines } from '../backlog/store.ts'
import { findUnclaimed } from '../chat/order-facts.ts'
import type { Sql } from '../database/database.ts'
import { factsOf, log } from '../http/log.ts'
import { JOBS, type Job, pulseOf } from '../jobs.ts'
import type { OutboxKind } from '../outbox/outbox.ts'
import { findSafeMode, noticeRestore } from '../outbox/safe-mode.ts'
import { findOptions } from '../settings/store.ts'
import type { Shop } from '../shop.ts'
import { findLastCheckRuns, NIGHTLY_CHECK } from './check-run.ts'
import { failingSince, latestSecondsOf } from './job-state.ts'
import { awaitJobs, findPulses, type PulseRow } from './pulse.ts'
import { findRetriedSince, findTrace } from './traces.ts'

interface Facts {
  shop: Pick<Shop, 'db' | 'reports' | 'suppliers'>
  now: Date
  pulses: Map<string, PulseRow>
  /** How many requests waited for a connection before anything was measured. */
  waiting: number
}
type Measure = (facts: Facts) => CheckFact[] | Promise<CheckFact[]>

/** A job that fails may succeed the next time; after this it counts. */
const FAILING_SECONDS = 120
const DUE_SECONDS = 180
const CONFIRMING_SECONDS = 1800
const UNANSWERED_SECONDS = 600
const UNCLAIMED_SECONDS = 300
/** A machine that sends an account's lines is silent for this long at most, however quiet the day. */
const SILENT_SECONDS = 86_400
/** This many requests of one process wait for a connection in a rush, and are still answered in time. */
const WAITING = 40
/** With the outbox's pauses a message was tried five or six times by then. */
const MESSAGES_SECONDS = 210
/** Above what the clocks of two machines that follow the time may differ by. */
const APART_SECONDS = 60
/** A replica that reports can't read for so long needs somebody; until then the database serves them. */
const REPLICA_SECONDS = 120

/** How many jobs of a kind may be given up in an hour. What holds money up is told at once. */
const OUTBOX: Record<OutboxKind, { label: string; mostDead: number }> = {
  'slip.check': { label: 'ตรวจสลิป', mostDead: 0 },
  'supplier.deliver': { label: 'สั่งเติมกับผู้จำหน่าย', mostDead: 0 },
  'supplier.ask': { label: 'ถามผลจากผู้จำหน่าย', mostDead: 0 },
  'charge.ask': { label: 'ถามผลการชำระเงิน', mostDead: 0 },
  'charge.end': { label: 'ยกเลิกการชำระเงินที่ค้าง', mostDead: 0 },
  'chat.tell': { label: 'เตรียมข้อความ LINE', mostDead: 0 },
  'chat.send': { label: 'ส่งข้อความ LINE', mostDead: 20 },
  'chat.hear': { label: 'รับข้อความ LINE', mostDead: 20 },
  'owner.tell': { label: 'แจ้งเจ้าของบัญชี', mostDead: 20 },
  'mail.send': { label: 'ส่งอีเมล', mostDead: 20 },
  'account.erase': { label: 'ลบข้อมูลตามคำขอ', mostDead: 0 },
  'play.step': { label: 'เดินคำสั่งซื้อทดสอบ', mostDead: 20 },
  'webhook.send': { label: 'แจ้งเหตุการณ์ให้เครื่องของตัวแทน', mostDead: 20 },
}
const OUTBOX_KINDS = Object.keys(OUTBOX) as OutboxKind[]

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
async function ofKinds(
  db: Sql,
  text: string,
  values: unknown[],
  factOf: (kind: OutboxKind, row: unknown) => CheckFact,
) {
  const rows = await db.query<{ kind: OutboxKind }>({ text, values })
  return OUTBOX_KINDS.map(kind =>
    factOf(
      kind,
      rows.find(row => row.kind === kind),
    ),
  )
}

const oldest = async (facts: Facts, text: string, values: unknown[], limit: number): Promise<CheckFact[]> => {
  const [row] = await facts.shop.db.query<{ since: Date | null }>({ text, values })
  return [{ of: null, label: null, value: secondsSince(facts.now, row!.since), limit }]
}

/** What is measured for each check, and what is too much. Nothing here calls anybody outside; each reads an index's end. */
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
      `SELECT k.kind, d.due_at AS since FROM unnest($1::text[]) AS k (kind) CROSS JOIN LATERAL (
        SELECT due_at FROM outbox WHERE kind = k.kind AND state = 'waiting' AND due_at <= $2 ORDER BY due_at LIMIT 1) d`,
      [OUTBOX_KINDS, now],
      (kind, row) => ({
        of: kind,
        label: OUTBOX[kind].label,
        value: secondsSince(now, (row as { since: Date } | undefined)?.since ?? null),
        limit: DUE_SECONDS,
      }),
    ),
  outboxDead: ({ shop: { db }, now }) =>
    ofKinds(
      db,
      `SELECT kind, count(*)::int AS n FROM outbox WHERE state = 'dead' AND settled_at > $1::timestamptz - interval '1 hour'
      GROUP BY kind`,
      [now],
      (kind, row) => ({
        of: kind,
        label: OUTBOX[kind].label,
        value: (row as { n: number } | undefined)?.n ?? 0,
        limit: OUTBOX[kind].mostDead,
      }),
    ),
  async messagesFailing({ shop: { db }, now }) {
    const facts: CheckFact[] = []
    for (const [kind, { service, unreachable }] of Object.entries(MESSAGES)) {
      const { succeededAt } = await findTrace(db, service, unreachable)
      const since = await findRetriedSince(db, kind as keyof typeof MESSAGES, succeededAt)
      const { label } = OUTBOX[kind as keyof typeof MESSAGES]
      facts.push({ of: kind, label, value: secondsSince(now, since), limit: MESSAGES_SECONDS })
    }
    return facts
  },
  slipConfirming: facts =>
    oldest(facts, `SELECT min(created_at) AS since FROM slip_check WHERE state = 'confirming'`, [], CONFIRMING_SECONDS),
  supplierUnanswered: facts =>
    oldest(
      facts,
      `SELECT min(sent_at) AS since FROM supplier_attempt WHERE state IN ('sending', 'unknown') AND NOT is_with_staff`,
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
      db.query<{ id: number }>({
        text: `SELECT receiving_account_id AS id FROM feed_key
          WHERE revoked_at IS NULL AND last_used_at IS NOT NULL AND (expires_at IS NULL OR expires_at > $1)`,
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
  async clockApart({ shop: { db } }) {
    // The process's own clock, which `now` follows outside of tests.
    const before = Date.now()
    const [row] = await db.query<{ ms: number }>({
      text: 'SELECT extract(epoch FROM clock_timestamp()) * 1000.0 AS ms',
    })
    const apartMs = Math.abs(Number(row!.ms) - (before + Date.now()) / 2)
    return [{ of: null, label: null, value: Math.round(apartMs / 1000), limit: APART_SECONDS }]
  },
  poolWaiting: ({ waiting }) => [{ of: null, label: null, value: waiting, limit: WAITING }],
  async replica({ shop: { reports } }) {
    const state = await reports.look()
    return state ? [{ of: null, label: null, value: state.seconds, limit: REPLICA_SECONDS }] : []
  },
} satisfies Record<CheckName, Measure>

/** However often somebody looks, it costs the database one look in this time. */
const FRESH_MS = 5000

export interface CheckResult {
  name: CheckName
  isRed: boolean
  facts: CheckFact[]
}

/** Measures everything that is watched, in the order of the shared table. */
export async function findChecks(shop: Facts['shop'], now: Date): Promise<CheckResult[]> {
  const { waiting } = shop.db.connections()
  const kept = await findPulses(shop.db)
  const unseen = Object.keys(JOBS)
    .map(pulseOf)
    .filter(name => !kept.has(name))
  if (unseen.length > 0) await awaitJobs(shop.db, unseen, now)
  const facts = { shop, now, waiting, pulses: unseen.length > 0 ? await findPulses(shop.db) : kept }
  const results: CheckResult[] = []
  // One after the other, because a database in need must not get ten questions at once.
  for (const name of CHECK_NAMES) {
    const found = await (MEASURE[name] as Measure)(facts)
    results.push({ name, isRed: found.some(isOver), facts: found })
  }
  return results
}

/** Returns a look at everything that is watched, which is as fresh as it must be; null while nothing can be measured. */
export function rememberChecks(shop: Facts['shop'] & Pick<Shop, 'now'>): () => Promise<CheckResult[] | null> {
  let last: { at: number; found: Promise<CheckResult[] | null> } | undefined
  return () => {
    const at = shop.now().getTime()
    if (last && Math.abs(at - last.at) < FRESH_MS) return last.found
    const found = findChecks(shop, new Date(at)).catch((error: unknown) => {
      log('ERROR', 'pulse not measured', { cause: factsOf(error) })
      last = undefined
      return null
    })
    last = { at, found }
    return found
  }
}
