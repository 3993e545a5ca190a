import type { OrderStatus } from '../order/status.ts'
import type { Action } from '../permissions.ts'
import { keysOf } from '../table.ts'
import type { AuditAction } from './action.ts'
import type { Piece } from './sentence.ts'

/**
 * The entries of the log that the first page tells among the latest events, with what a reader must be allowed to
 * see. What happens to orders and approved top-ups is told from themselves, because the log has no word of what the
 * shop did alone.
 */
const NEWS: Partial<Record<AuditAction, Action>> = {
  'topUp.reject': 'wallet.look',
  'topUp.correct': 'wallet.look',
  'statement.import': 'statement.look',
  'price.save': 'catalogue.manage',
  'price.copy': 'catalogue.manage',
  'package.save': 'catalogue.manage',
  'package.bulk': 'catalogue.manage',
  'package.import': 'catalogue.manage',
  'game.save': 'catalogue.manage',
  'change.undo': 'catalogue.manage',
  'discount.save': 'agent.manage',
  'tier.save': 'agent.manage',
  'agent.create': 'agent.manage',
  'agent.setStatus': 'agent.manage',
  'agent.mapTier': 'agent.manage',
  'option.save': 'settings.manage',
  'terms.publish': 'settings.manage',
  'paymentMethod.save': 'settings.pay',
  'receivingAccount.save': 'settings.pay',
  'banner.save': 'settings.pay',
  'account.setRole': 'audit.view',
}

/** Returns the entries of which somebody may read among the latest events. */
export const newsFor = (may: (action: Action) => boolean): AuditAction[] =>
  keysOf(NEWS).filter(action => may(NEWS[action]!))

/** The changes of an order that are news; claims come and go too often. */
export const TOLD_STATUSES = ['paid', 'success', 'failed', 'refunding', 'refunded'] as const satisfies OrderStatus[]
export type ToldStatus = (typeof TOLD_STATUSES)[number]

interface Move {
  orderNo: string
  from: OrderStatus | null
  to: ToldStatus
  /** Whether the shop did it alone. */
  isAlone: boolean
}

const MOVED: Record<ToldStatus, (order: Piece, move: Move) => Piece[]> = {
  paid: (order, { from, isAlone }) => {
    if (from === null) return ['ซื้อ ', order, ' ด้วย Wallet']
    if (from === 'failed') return ['ส่ง ', order, ' กลับเข้าคิวให้เติมใหม่']
    return isAlone ? ['พบเงินของ ', order] : ['ยืนยันว่าได้รับเงินของ ', order]
  },
  success: order => ['เติม ', order, ' สำเร็จ'],
  failed: order => ['เติม ', order, ' ไม่สำเร็จ'],
  refunding: order => ['สั่งคืนเงินของ ', order],
  refunded: order => ['คืนเงินของ ', order, ' แล้ว'],
}

/** The sentence of a change of an order, without who made it. */
export const sentenceOfMove = (move: Move): Piece[] =>
  MOVED[move.to]({ subject: `order:${move.orderNo}`, name: move.orderNo }, move)
