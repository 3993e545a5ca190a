import type { Satang } from '../money.ts'
import type { ApiStatus } from './reseller.ts'

/** The test mode of the API: made-up packages of a made-up game, each of which goes one way, and play money. */

/** What a play wallet begins with; making a test key fills it up again. */
export const PLAY_MONEY_SATANG: Satang = 1_000_000
export const PLAY_MOST_PIECES = 100
export const PLAY_GAME = { code: 'test', name: 'Test game', label: 'Player ID', min: 4, max: 12 } as const
/** A player whom the made-up game does not have. */
export const PLAY_UNKNOWN_PLAYER = '404404'

interface PlayEntry {
  id: number
  name: string
  description: string
  delivers: 'top_up' | 'code'
  priceSatang: Satang
  /** The states that an order goes through after `waiting`, and how many seconds it stays in each one before. */
  way: readonly { to: ApiStatus; afterSeconds: number }[]
  /** How many of the pieces come in the end. */
  deliveredOf: (quantity: number) => number
}

const processing = { to: 'processing', afterSeconds: 1 } as const
const all = (quantity: number): number => quantity
const none = (): number => 0

/** The table of the made-up packages. Their ids are public. */
export const PLAY_PACKAGE = {
  succeeds: {
    id: 2_000_000_001,
    name: 'Succeeds',
    description: 'Is completed after three seconds',
    delivers: 'top_up',
    priceSatang: 10_000,
    way: [processing, { to: 'completed', afterSeconds: 2 }],
    deliveredOf: all,
  },
  fails: {
    id: 2_000_000_002,
    name: 'Fails',
    description: 'Is put on hold after three seconds, and fails five seconds later: the money is back',
    delivers: 'top_up',
    priceSatang: 10_000,
    way: [processing, { to: 'on_hold', afterSeconds: 2 }, { to: 'failed', afterSeconds: 5 }],
    deliveredOf: none,
  },
  waits: {
    id: 2_000_000_003,
    name: 'Waits',
    description: 'Waits until you cancel it',
    delivers: 'top_up',
    priceSatang: 10_000,
    way: [],
    deliveredOf: none,
  },
  half: {
    id: 2_000_000_004,
    name: 'Delivers half',
    description: 'Is completed with half of its pieces after three seconds; the money of the others is back',
    delivers: 'top_up',
    priceSatang: 10_000,
    way: [processing, { to: 'completed', afterSeconds: 2 }],
    deliveredOf: quantity => Math.max(1, Math.floor(quantity / 2)),
  },
  codes: {
    id: 2_000_000_005,
    name: 'Codes',
    description: 'Is completed with made-up codes after three seconds',
    delivers: 'code',
    priceSatang: 5_000,
    way: [processing, { to: 'completed', afterSeconds: 2 }],
    deliveredOf: all,
  },
} as const satisfies Record<string, PlayEntry>

const entries: readonly PlayEntry[] = Object.values(PLAY_PACKAGE)
export const PLAY_PACKAGES = entries

export const findPlayPackage = (id: number): PlayEntry | null => entries.find(each => each.id === id) ?? null

/** What a play order has come to. */
export interface PlayProgress {
  status: ApiStatus
  step: number
  delivered: number
  refundedSatang: Satang
  isOver: boolean
}

/** Returns what becomes of an order with its next step; null when its way has none. */
export function nextPlay(order: {
  packageId: number
  quantity: number
  priceSatang: Satang
  step: number
}): PlayProgress | null {
  const sold = findPlayPackage(order.packageId)
  const next = sold?.way[order.step]
  if (!sold || !next) return null
  const isOver = order.step === sold.way.length - 1
  const delivered = isOver ? sold.deliveredOf(order.quantity) : 0
  const missing = order.quantity - delivered
  return {
    status: next.to,
    step: order.step + 1,
    delivered,
    refundedSatang: isOver ? (order.priceSatang / order.quantity) * missing : 0,
    isOver,
  }
}
