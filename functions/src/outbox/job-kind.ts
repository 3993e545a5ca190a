import { keysOf } from '@shop/shared/table.ts'
import { addSeconds } from '@shop/shared/time.ts'
import type { OutboxKind } from './payload.ts'

/** Who outside of the shop is asked or told by jobs. */
type Party = 'slipProvider' | 'supplier' | 'gateway' | 'line' | 'mail' | 'identityAndFiles' | 'reseller'

/**
 * What it means that nobody outside answers: too many questions, an error of theirs, silence or a lost connection. It never
 * says that something did not happen.
 */
const SILENCE = {
  /** The job asks on with growing pauses, without an end, until they say what is final or a person does. */
  askedOn: 'is asked about until it is known how it ended, or a person says so',
  /** After some time people have it in a list of theirs, and decide. */
  toPeople: 'is decided by people, who have it in their list',
  /** After some time it stands among the messages that were not sent, from where it is sent again. */
  toList: 'stands among the messages that were not sent, to be sent again',
  /** Whoever it was for has it in a list of their own, and is told. */
  toOwner: 'stands in the list of whom it was for, who is told',
} as const satisfies Record<string, string>
type Silence = keyof typeof SILENCE

type JobKind = {
  /** What it does, in words for staff. */
  label: string
  /**
   * How many jobs of the kind may be given up in an hour, where something else tells of each. Null for work that somebody
   * must take up: each waits for a person, and nothing is well until then.
   */
  mostDead: number | null
} & ({ asks: null } | { asks: Party; silence: Silence })

/** The table of all kinds of jobs: whom they ask, what silence means, and what becomes of one that was given up. */
export const JOB_KIND = {
  'slip.check': { label: 'ตรวจสลิป', asks: 'slipProvider', silence: 'toPeople', mostDead: null },
  'supplier.deliver': { label: 'สั่งเติมกับผู้จำหน่าย', asks: 'supplier', silence: 'askedOn', mostDead: null },
  'supplier.ask': { label: 'ถามผลจากผู้จำหน่าย', asks: 'supplier', silence: 'askedOn', mostDead: null },
  'charge.ask': { label: 'ถามผลการชำระเงิน', asks: 'gateway', silence: 'askedOn', mostDead: null },
  'charge.end': { label: 'ยกเลิกการชำระเงินที่ค้าง', asks: 'gateway', silence: 'askedOn', mostDead: null },
  'chat.tell': { label: 'เตรียมข้อความ LINE', asks: null, mostDead: null },
  'chat.send': { label: 'ส่งข้อความ LINE', asks: 'line', silence: 'toList', mostDead: 20 },
  'chat.hear': { label: 'รับข้อความ LINE', asks: null, mostDead: 20 },
  'owner.tell': { label: 'แจ้งเจ้าของบัญชี', asks: null, mostDead: null },
  'mail.send': { label: 'ส่งอีเมล', asks: 'mail', silence: 'toList', mostDead: 20 },
  'account.erase': { label: 'ลบข้อมูลตามคำขอ', asks: 'identityAndFiles', silence: 'askedOn', mostDead: null },
  'play.step': { label: 'เดินคำสั่งซื้อทดสอบ', asks: null, mostDead: 20 },
  'webhook.send': { label: 'แจ้งเหตุการณ์ให้เครื่องของตัวแทน', asks: 'reseller', silence: 'toOwner', mostDead: 20 },
} satisfies Record<OutboxKind, JobKind>
export const jobKindOf = (kind: OutboxKind): JobKind => JOB_KIND[kind]
export const OUTBOX_KINDS = keysOf(JOB_KIND)

/** The kinds of which each job that was given up is somebody's work. */
export const KINDS_FOR_PEOPLE = OUTBOX_KINDS.filter(kind => jobKindOf(kind).mostDead === null)

/** The table of docs/operations/faults.md. */
export function silenceTable(): string {
  const rows = OUTBOX_KINDS.flatMap(kind => {
    const entry: JobKind = JOB_KIND[kind]
    const dead = entry.mostDead === null ? "a person's" : 'listed'
    return entry.asks === null ? [] : [[`\`${kind}\``, entry.asks, SILENCE[entry.silence], dead]]
  })
  const lines = [['job', 'asks', 'after silence it', 'given up it is'], Array(4).fill('---'), ...rows]
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

const FIRST_PAUSE_SECONDS = 20
const MOST_PAUSE_SECONDS = 300
/** Who asks for a longer pause is asked after this time all the same: somebody's money may wait for the answer. */
const MOST_ASKED_FOR_SECONDS = 540

/**
 * Returns when to ask again after no answer: pauses grow by half of the silence, and never end. @param silentSince when
 * the first question remained without an answer @param retryAt when they want to be asked, if they said so
 */
export function askAgainAt(silentSince: Date, retryAt: Date | null, now: Date): Date {
  const half = (now.getTime() - silentSince.getTime()) / 2000
  const own = addSeconds(now, Math.min(Math.max(half, FIRST_PAUSE_SECONDS), MOST_PAUSE_SECONDS))
  const latest = addSeconds(now, MOST_ASKED_FOR_SECONDS)
  if (retryAt === null || retryAt <= own) return own
  return retryAt < latest ? retryAt : latest
}
