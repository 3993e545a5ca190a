import { keysOf } from '@shop/shared/table.ts'
import * as z from 'zod'
import { within } from '../asking/within.ts'
import { askJson } from '../http/ask-json.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** What Patroni says of the database's machines, where there is one. */
    patroni: LookAtPatroni
  }
}

/** What Patroni says of one of the database's machines. */
export interface PatroniMember {
  host: string
  /** Null when it did not answer in time. */
  told: {
    isLeader: boolean
    /** Whether it runs, and follows the leader's log if it is not the leader. */
    isWell: boolean
    /** How far its copy is behind the leader's log, in bytes; null where that is not known. */
    bytes: number | null
    /** Since when it has not reached etcd, in seconds by its own clock. */
    unseenSeconds: number | null
    /** How far its clock is ahead of ours. */
    aheadMs: number | null
  } | null
}

/** What is wrong with a cluster, by name. */
export const CLUSTER_FLAW = {
  noLeader: { label: 'ไม่มีเครื่องหลัก', words: 'no machine leads, so nothing can be written' },
  noMajority: { label: 'etcd ไม่มีเสียงข้างมาก', words: 'etcd has no majority, so no standby can take over' },
  silent: { label: 'Patroni ไม่ตอบ', words: 'Patroni does not answer' },
  notFollowing: { label: 'เครื่องสำรองไม่ตามเครื่องหลัก', words: "does not follow the leader's log" },
  behind: { label: 'เครื่องสำรองตามหลังมาก', words: 'is far behind the leader' },
} as const satisfies Record<string, { label: string; words: string }>
export type ClusterFlaw = keyof typeof CLUSTER_FLAW
export const CLUSTER_FLAWS = keysOf(CLUSTER_FLAW)

/** Patroni asks etcd every ten seconds, and a leader gives up after thirty. */
const UNSEEN_SECONDS = 30
/** Four files of the log. */
export const BEHIND_BYTES = 64 * 2 ** 20
const ANSWER_MS = 2000
/** Who looks at the pulse waits no longer; what comes later is told the next time. */
const PATIENCE_MS = 250
const FRESH_MS = 5000
const HALF_SECOND = 500

const reply = z.object({
  state: z.string(),
  role: z.string(),
  replication_state: z.string().optional(),
  cluster_unlocked: z.boolean().optional(),
  dcs_last_seen: z.number().optional(),
  xlog: z.object({ location: z.number(), received_location: z.number() }).partial().optional(),
})

async function askMember(url: string): Promise<{ member: PatroniMember; position: number | null }> {
  const { host, origin } = new URL(url)
  const before = Date.now()
  const answer = await askJson(`${origin}/patroni`, { timeoutMs: ANSWER_MS })
  const told = reply.safeParse(answer?.body).data
  if (!answer || !told) return { member: { host, told: null }, position: null }
  const { state, role, replication_state: following, cluster_unlocked: isUnlocked, dcs_last_seen: seen, xlog } = told
  const isLeader = ['master', 'primary', 'leader', 'standby_leader'].includes(role)
  const date = Date.parse(answer.headers.get('date') ?? '')
  // A header tells whole seconds.
  const theirs = Number.isNaN(date) ? null : date + HALF_SECOND
  return {
    member: {
      host,
      told: {
        isLeader: isLeader && !isUnlocked,
        isWell: state === 'running' && (isLeader || (following ?? 'streaming') === 'streaming'),
        bytes: null,
        unseenSeconds: seen ? Math.max(0, Math.round((theirs ?? Date.now()) / 1000 - seen)) : null,
        aheadMs: theirs === null ? null : theirs - (before + Date.now()) / 2,
      },
    },
    position: (isLeader ? xlog?.location : xlog?.received_location) ?? null,
  }
}

/** Asks Patroni at each of its addresses. Ends within two seconds. */
export async function askPatroni(urls: readonly string[]): Promise<PatroniMember[]> {
  const found = await Promise.all(urls.map(askMember))
  const head = found.find(({ member }) => member.told?.isLeader)?.position ?? null
  return found.map(({ member: { host, told }, position }) => {
    const bytes = told?.isLeader || head === null || position === null ? null : Math.max(0, head - position)
    return { host, told: told && { ...told, bytes } }
  })
}

/** Names the machines in each kind of trouble; trouble of the whole names those that say so. */
export function flawsOfCluster(members: readonly PatroniMember[]): Record<ClusterFlaw, string[]> {
  const answered = members.flatMap(({ host, told }) => (told ? [{ host, ...told }] : []))
  const those = (has: (member: (typeof answered)[number]) => boolean) => answered.filter(has).map(({ host }) => host)
  return {
    noLeader: answered.length > 0 && those(({ isLeader }) => isLeader).length === 0 ? those(() => true) : [],
    noMajority: those(({ unseenSeconds }) => (unseenSeconds ?? 0) > UNSEEN_SECONDS),
    silent: members.filter(({ told }) => !told).map(({ host }) => host),
    notFollowing: those(({ isWell }) => !isWell),
    behind: those(({ bytes }) => (bytes ?? 0) > BEHIND_BYTES),
  }
}

/** The last that Patroni said; empty where the shop has none, and until it first answered. */
export type LookAtPatroni = () => Promise<PatroniMember[]>

export function openPatroni(urls: readonly string[], ask = askPatroni): LookAtPatroni {
  let last: PatroniMember[] = []
  let asked: { at: number; answer: Promise<PatroniMember[]> } | undefined
  return async () => {
    if (urls.length === 0) return []
    if (!asked || performance.now() - asked.at >= FRESH_MS)
      asked = {
        at: performance.now(),
        answer: ask(urls).then(members => {
          last = members
          return members
        }),
      }
    return within(PATIENCE_MS, asked.answer, () => last)
  }
}
