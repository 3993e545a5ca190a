import { type PlayerCheck, playerCheckLabel } from '@shop/shared/catalogue/player-check.ts'
import { UNSENT } from '@shop/shared/chat/chat.ts'
import type { HealthState, ServiceName } from '@shop/shared/health/health.ts'
import { SERVICE_NAMES } from '@shop/shared/health/health.ts'
import { UNMAILED } from '@shop/shared/mail/mail.ts'
import { gatewayLabel, type SupplierName, supplierLabel } from '@shop/shared/provider-names.ts'
import { REJECTION } from '@shop/shared/supplier/supplier.ts'
import { addSeconds, formatShort } from '@shop/shared/time.ts'
import { pulseOfCheck } from '../catalogue/player-lookup.ts'
import { findChannel, findLostRooms, findQuota, findRooms } from '../chat/store.ts'
import type { Sql } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { countUnknownCharges } from '../gateway/store.ts'
import { JOBS, type Job, pulseOf } from '../jobs/jobs.ts'
import { findPulses, type PulseRow } from '../pulse/pulse.ts'
import { findOptions } from '../settings/store.ts'
import type { Shop } from '../shop/shop.ts'
import { countAsksOfMonth, findStop } from '../slipcheck/store.ts'
import { findSupplier } from '../supplier/store.ts'
import { failingSince, lateSince } from './job-state.ts'
import { findOutboxState, findRetriedSince, findTrace, NO_TRACE, type Trace, withFailure } from './traces.ts'

export interface Health extends Trace {
  state: HealthState
  detail: string | null
}

interface Facts {
  shop: Shop
  now: Date
  pulses: Map<string, PulseRow>
}
type Find = (facts: Facts) => Health | Promise<Health>

const missing: Health = { ...NO_TRACE, state: 'missing', detail: null }
const off = (trace: Trace = NO_TRACE): Health => ({ ...trace, failingSince: null, state: 'off', detail: null })

/** Judges a service that is on by what it left behind. */
function judge(trace: Trace, detail: string | null = null): Health {
  if (trace.failingSince) return { ...trace, state: 'failing', detail }
  return { ...trace, state: trace.succeededAt ? 'works' : 'unused', detail }
}

const judgePulse = (pulse: PulseRow | undefined): Health => judge(pulse ?? NO_TRACE)

const WORST_FIRST: readonly HealthState[] = ['failing', 'works', 'unused', 'off', 'missing']

/** Returns the health of the worst of several, named together with all that do as badly. */
function worstOf(all: readonly Health[]): Health {
  const worst = WORST_FIRST.flatMap(state => all.filter(each => each.state === state))[0]!
  const details = all.filter(({ state }) => state === worst.state).map(({ detail }) => detail)
  return { ...worst, detail: details.filter(Boolean).join(' · ') || null }
}

/** Those who can be asked for players. */
const checksOf = ({ config, suppliers }: Pick<Shop, 'config' | 'suppliers'>): PlayerCheck[] => [
  ...(config.PLAYER_LOOKUP_URL ? (['midasbuy'] as const) : []),
  ...(config.G2BULK_URL ? (['g2bulk'] as const) : []),
  ...Object.values(suppliers).flatMap(({ name, capabilities }) => (capabilities.validates === 'none' ? [] : [name])),
]

async function healthOfSupplier(db: Sql, name: SupplierName, now: Date): Promise<Health> {
  const [row, trace] = await Promise.all([findSupplier(db, name), findTrace(db, 'supplier', name)])
  const isBalanceNewer = row.balanceAt && (!trace.succeededAt || row.balanceAt > trace.succeededAt)
  const seen = isBalanceNewer ? { ...trace, succeededAt: row.balanceAt } : trace
  const label = supplierLabel(name)
  if (!row.isOn) return off(seen)
  const failing = (since: Date, why: string) =>
    judge({ ...seen, failedAt: since, failingSince: since }, `${label}: ${why}`)
  if (row.stoppedAt && row.stoppedFor) return failing(row.stoppedAt, REJECTION[row.stoppedFor].text)
  if (row.brokenUntil && row.brokenUntil > now)
    return failing(seen.failedAt ?? now, `ไม่ได้คำตอบที่แน่นอนหลายครั้ง พักถึง ${formatShort(row.brokenUntil)}`)
  return judge(seen, label)
}

/** A gateway that is busy for a moment still works. */
const SILENT_SECONDS = 120
/** A job that is due for this long is not worked on. */
const DUE_SECONDS = 300

/** The table of what is looked at for each service. Nothing here calls anybody outside. */
const FIND = {
  async database({ shop, now }) {
    await shop.db.query({ text: sql`SELECT` })
    return judge({ ...NO_TRACE, succeededAt: now })
  },
  jobs({ pulses, now }) {
    const found = Object.entries<Job>(JOBS).map(([name, job]) => ({ job, pulse: pulses.get(pulseOf(name)) }))
    const known = found.flatMap(({ job, pulse }) => (pulse ? [{ job, pulse }] : []))
    const failing = known.flatMap(({ job, pulse }) => {
      const since = failingSince(job, pulse, now) ?? lateSince(job, pulse, now)
      return since ? [{ title: job.title, since }] : []
    })
    const times = (of: 'succeededAt' | 'failedAt') =>
      known.flatMap(({ pulse }) => pulse[of] ?? []).reduce<Date | null>((a, b) => (a && a > b ? a : b), null)
    const since = failing.map(({ since }) => since).reduce<Date | null>((a, b) => (a && a < b ? a : b), null)
    const trace = { succeededAt: times('succeededAt'), failedAt: times('failedAt'), failingSince: since }
    return judge(trace, failing.length > 0 ? failing.map(({ title }) => title).join(', ') : null)
  },
  async outbox({ shop, now }) {
    const { dueSince, doneAt, deadAt } = await findOutboxState(shop.db, now)
    const isStuck = dueSince !== null && addSeconds(dueSince, DUE_SECONDS) < now
    return judge({ succeededAt: doneAt, failedAt: deadAt, failingSince: isStuck ? dueSince : null })
  },
  async slip({ shop: { db, slipProvider, config }, now }) {
    if (!slipProvider) return missing
    const { name } = slipProvider
    const [trace, stop, used] = await Promise.all([
      findTrace(db, 'slip', name),
      findStop(db, name, now),
      countAsksOfMonth(db, name, now),
    ])
    const quota = config.SLIP_MONTHLY_QUOTA
    const reasons = [
      stop && `ผู้ตรวจสลิปปฏิเสธ (รหัส ${stop.code ?? '–'}) ลองใหม่ ${formatShort(stop.until)}`,
      used >= quota && 'โควตาของเดือนนี้หมดแล้ว',
    ].filter(Boolean)
    const failingSince = trace.failingSince ?? (reasons.length > 0 ? (trace.succeededAt ?? now) : null)
    return judge(
      { ...trace, failingSince },
      [...reasons, `เดือนนี้ใช้ ${used.toLocaleString('en-US')} จาก ${quota.toLocaleString('en-US')} ครั้ง`].join(' · '),
    )
  },
  async supplier({ shop: { db, suppliers }, now }) {
    const all = await Promise.all(Object.values(suppliers).map(({ name }) => healthOfSupplier(db, name, now)))
    if (all.length === 0) return missing
    return worstOf(all)
  },
  async gateway({ shop: { db, gateway }, pulses, now }) {
    if (!gateway) return missing
    const { count, silentSince } = await countUnknownCharges(db, now)
    const detail = [gatewayLabel(gateway.name), count > 0 && `ยังไม่รู้ผลการชำระ ${count} รายการ`]
    const isSilent = silentSince !== null && addSeconds(silentSince, SILENT_SECONDS) <= now
    const trace = withFailure(pulses.get('gateway') ?? NO_TRACE, isSilent ? silentSince : null)
    return judge(trace, detail.filter(Boolean).join(' · '))
  },
  async lineMessaging({ shop: { db, chat } }) {
    if (!chat) return missing
    const sent = await findTrace(db, 'lineMessaging', UNSENT.unreachable)
    const [channel, quota, retried] = await Promise.all([
      findChannel(db),
      findQuota(db),
      findRetriedSince(db, 'chat.send', sent.succeededAt),
    ])
    const trace = [channel.lastErrorAt, quota.fullAt, retried].reduce(withFailure, sent)
    return judge(trace, channel.lastError ?? (quota.fullAt ? UNSENT.quotaFull : null))
  },
  async lineGroup({ shop: { db, chat } }) {
    if (!chat) return missing
    const [rooms, lost] = await Promise.all([findRooms(db), findLostRooms(db)])
    const lostAt = lost[0]?.lostAt ?? null
    if (lostAt) {
      const names = lost.map(({ groupName }) => groupName).join(', ')
      return judge({ ...NO_TRACE, failedAt: lostAt, failingSince: lostAt }, `ร้านถูกนำออกจากกลุ่ม ${names}`)
    }
    if (rooms.length === 0) return missing
    return { ...NO_TRACE, state: 'works', detail: rooms.map(({ groupName }) => groupName).join(', ') }
  },
  lineLogin: ({ shop, pulses }) => (shop.lineLogin ? judgePulse(pulses.get('lineLogin')) : missing),
  async playerLookup({ shop, pulses }) {
    const known = checksOf(shop)
    if (known.length === 0) return missing
    const all = known.map(by => {
      const found = judgePulse(pulses.get(pulseOfCheck(by)))
      return { ...found, detail: known.length > 1 || found.state === 'failing' ? playerCheckLabel(by) : null }
    })
    const worst = worstOf(all)
    const { CHECK_MIDASBUY: isOn } = await findOptions(shop.db)
    return isOn ? worst : off(worst)
  },
  async mail({ shop: { db, mail } }) {
    if (!mail) return missing
    const sent = await findTrace(db, 'mail', UNMAILED.unreachable)
    return judge(withFailure(sent, await findRetriedSince(db, 'mail.send', sent.succeededAt)))
  },
} satisfies Record<ServiceName, Find>

/** Tells how every service does, in the order of the shared table. */
export async function findHealth(shop: Shop, now: Date): Promise<(Health & { name: ServiceName })[]> {
  const facts = { shop, now, pulses: await findPulses(shop.db) }
  return Promise.all(SERVICE_NAMES.map(async name => ({ name, ...(await (FIND[name] as Find)(facts)) })))
}
