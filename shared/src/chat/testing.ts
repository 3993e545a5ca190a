import type { NewsFacts } from '../account/news.ts'
import { BACKLOG_KINDS } from '../backlog/backlog.ts'
import type { MessageFacts } from './message.ts'
import type { ToldOrder } from './order-messages.ts'
import { TROUBLE_KINDS } from './trouble.ts'

/** Ten UTF-16 units that people read as five letters. */
const MARKED = 'น้ำกี่ที่'
const filled = (units: number) => MARKED.repeat(units).slice(0, units)

/** The longest that is let in anywhere, of names and amounts. */
export const LONG = {
  name: filled(200),
  text: filled(1000),
  amountSatang: 99_999_999_99,
  now: new Date('2026-11-20T05:00:00.000Z'),
  longAgo: new Date('2026-09-30T05:00:00.000Z'),
}

export const toldOrder = (change: Partial<ToldOrder> = {}): ToldOrder => ({
  orderNo: 'KT2611-04821937',
  status: 'paid',
  statusAt: LONG.now,
  queueNo: 128,
  gameCode: 'pubg',
  gameName: 'PUBG Mobile',
  packageName: '325 UC',
  quantity: 1,
  delivers: 'top_up',
  playerId: '5123456789',
  playerName: 'Namkhao_TH',
  fields: [],
  amountSatang: 149_37,
  bankCode: '004',
  createdAt: new Date(LONG.now.getTime() - 20 * 60_000),
  paidAt: new Date(LONG.now.getTime() - 3 * 60_000),
  redone: 0,
  deliveryReference: null,
  reason: null,
  payment: 'bank',
  creditBackSatang: 0,
  playerChange: null,
  reduction: null,
  ...change,
})

const longOrder = (change: Partial<ToldOrder> = {}): ToldOrder =>
  toldOrder({
    statusAt: LONG.longAgo,
    queueNo: 2_147_483_647,
    gameCode: 'g'.repeat(60),
    gameName: LONG.name,
    packageName: LONG.name,
    quantity: 9_999,
    playerId: LONG.name,
    playerName: LONG.name,
    amountSatang: LONG.amountSatang,
    createdAt: LONG.longAgo,
    paidAt: LONG.longAgo,
    fields: Array.from({ length: 6 }, () => ({ label: LONG.name, value: LONG.name })),
    bankCode: '999',
    redone: 99,
    deliveryReference: filled(200),
    reason: LONG.text,
    playerChange: LONG.text,
    ...change,
  })

const topUp = {
  no: 'WT2611-04821937',
  agentName: LONG.name,
  amountSatang: LONG.amountSatang,
  createdAt: LONG.longAgo,
  balanceSatang: LONG.amountSatang,
  hasSlip: false,
  payment: 'truemoney' as const,
  reason: LONG.text,
}

const move = {
  label: LONG.name,
  amountSatang: LONG.amountSatang,
  subjectName: LONG.name,
  note: LONG.text,
  byName: LONG.name,
  at: LONG.longAgo,
}

const LONGEST_NEWS: NewsFacts = {
  way: 'password',
  via: 'outside',
  orderNo: 'KT2611-04821937',
  bought: LONG.text,
  amountSatang: LONG.amountSatang,
  isLast: true,
  count: 10_001,
  asked: LONG.text,
  reason: LONG.text,
}

const movers = Array.from({ length: 30 }, () => ({ name: LONG.name, count: 10_001, sumSatang: LONG.amountSatang }))

/** Of each kind the facts that make the largest message. */
export const LONGEST_FACTS: { [K in keyof MessageFacts]: MessageFacts[K] } = {
  orderPaid: { order: longOrder(), isHeld: true, now: LONG.now },
  orderUnclaimed: { order: longOrder(), isHeld: true, now: LONG.now },
  orderCorrected: {
    order: longOrder({ status: 'failed' }),
    proposed: Array.from({ length: 6 }, () => ({ label: LONG.name, value: LONG.name })),
  },
  refundAsked: { order: longOrder({ status: 'failed' }) },
  orderEnded: { order: longOrder({ status: 'failed' }) },
  orderRevived: { order: longOrder({ status: 'paid' }) },
  topUpEntered: { topUp },
  topUpApproved: { topUp },
  topUpRejected: { topUp },
  pinLocked: { lock: { at: LONG.longAgo, until: null } },
  ownerNews: {
    news: { kind: 'spentAfterChange', at: LONG.longAgo, byShop: false, facts: LONGEST_NEWS },
    contact: { line: LONG.name, phone: LONG.name, email: LONG.name },
    url: `https://liff.line.me/1234567890-AbcdEfgh/user/${LONG.name}`,
  },
  ownerUntold: {
    news: { kind: 'passwordReset', at: LONG.longAgo, byShop: true, facts: {} },
    name: LONG.name,
    uid: 'line%3AU'.padEnd(128, '0'),
  },
  trouble: { kind: 'moneyWithoutLine', detail: LONG.text },
  valueMoved: { move, secondName: LONG.name, isAlone: true },
  fileWaits: { move },
  secondWordNeeded: { move },
  movesOfDay: { movers, now: LONG.now },
  digest: {
    waiting: BACKLOG_KINDS.map(kind => ({ kind, count: 10_001, oldest: LONG.longAgo })),
    troubles: TROUBLE_KINDS,
    movers,
    now: LONG.now,
  },
  orderStatus: { orders: Array.from({ length: 5 }, () => longOrder()), now: LONG.now },
  claimed: { order: longOrder(), name: LONG.name },
  completed: { order: longOrder(), name: LONG.name, untold: 'guest' },
  cardOld: { order: longOrder(), isHeld: true, now: LONG.now },
  alreadyCompleted: { order: longOrder(), name: LONG.name },
  referenceCorrected: { order: longOrder(), before: filled(200) },
  numberWanted: { digits: '04821937', typed: Array.from({ length: 3 }, () => `เสร็จ KT2611-04821937 ${filled(400)}`) },
  referenceWanted: { order: longOrder() },
  presserUnknown: { orderNo: 'KT2611-04821937' },
  refused: { orderNo: 'KT2611-04821937', why: LONG.text },
  codeAccepted: { purpose: 'person', name: LONG.name, role: 'manager' },
  codeRefused: { why: LONG.text },
  roomLost: {},
  notStaff: {},
}
