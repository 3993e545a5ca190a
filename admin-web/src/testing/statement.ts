import type { LineCandidate, LineDetails, StatementLineView } from '@shop/shared/statement/endpoints.ts'
import { listStatementAccounts } from '@shop/shared/statement/endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { staff } from './site.tsx'

export const NOW = '2026-11-20T07:00:00.000Z'
export const DAY = '2026-11-20'
export const manager = { ...staff, uid: 'u-manager', role: 'manager' as const }

const accounts = [
  {
    id: 7,
    bankCode: '004',
    accountNo: '0123455678',
    accountName: 'บจก. คราม',
    isActive: true,
    waiting: 5,
    latestDay: DAY,
  },
  {
    id: 8,
    bankCode: '014',
    accountNo: '9876541111',
    accountName: 'บจก. คราม',
    isActive: false,
    waiting: 0,
    latestDay: null,
  },
]
export const fakeAccounts = () => fake(listStatementAccounts, () => accounts)

const uuidOf = (kind: string, number: number) => `01a1f903-${kind}-7b09-91c6-${String(number).padStart(12, '0')}`

export function lineOf(number: number, some: Partial<StatementLineView> = {}): StatementLineView {
  return {
    id: uuidOf('0001', number),
    no: number,
    receivingAccountId: 7,
    day: DAY,
    at: '2026-11-20T06:58:04.000Z',
    precisionSeconds: 1,
    amountSatang: 27_900,
    balanceSatang: null,
    detail: 'น.ส. ปวีณา ร.',
    fromBank: '014',
    fromAccount: 'x7713',
    channel: 'Internet',
    source: { kind: 'feed', id: uuidOf('0006', 1), name: 'ตัวดึงรายการ SCB', byName: null },
    chain: 'unknown',
    disputedAt: null,
    state: 'unmatched',
    version: 1,
    target: null,
    decidedByName: null,
    decidedAt: null,
    reason: null,
    candidates: 2,
    fitting: 1,
    goesBack: false,
    ...some,
  }
}

export function candidateOf(number: number, some: Partial<LineCandidate> = {}): LineCandidate {
  return {
    target: { kind: 'order', id: uuidOf('0002', number), no: `KT2611-0000480${number}` },
    title: 'Mobile Legends · 568 เพชร',
    picture: null,
    status: 'waiting_payment',
    amountSatang: 27_900,
    differenceSatang: 0,
    createdAt: '2026-11-20T06:51:00.000Z',
    slipId: null,
    reasons: [{ tone: 'ok', text: 'บัญชีเดียวกัน' }],
    needs: 'nothing',
    isBest: false,
    goesBackFor: null,
    ...some,
  }
}

/** The details of a line, whose first candidate is the best unless it is impossible. */
export function detailsOf(
  line: StatementLineView,
  [first, ...others]: LineCandidate[] = [],
  undoBarrier: string | null = null,
  gapNote: string | null = null,
): LineDetails {
  const isOpen = line.state === 'unmatched'
  return {
    line,
    candidates: first ? [{ ...first, isBest: first.needs !== 'impossible' }, ...others] : [],
    steps: isOpen ? ['match', 'creditWallet', 'oweRefund', 'ignore'] : undoBarrier === null ? ['undo'] : [],
    payers: [],
    payout: null,
    undoBarrier,
    gapNote,
    history: [],
  }
}
