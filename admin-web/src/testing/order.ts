import type { StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'

export const NOW = '2026-11-20T07:00:00.000Z'
export const ORDER_NO = 'KT2611-04821937'

/** A paid order that waits for somebody. */
export const order: StaffOrderView = {
  orderNo: ORDER_NO,
  status: 'paid',
  game: { code: 'pubg', name: 'PUBG Mobile', picture: '/files/games/pubg.svg' },
  package: { id: 1, name: '325 UC' },
  playerId: '5123456789',
  playerName: null,
  fields: [{ name: 'field1', label: 'Player ID', value: '5123456789' }],
  payment: 'bank',
  quantity: 1,
  priceSatang: 14900,
  tailSatang: 37,
  amountSatang: 14937,
  receivingAccount: null,
  createdAt: '2026-11-20T06:30:00.000Z',
  expiresAt: '2026-11-20T06:45:00.000Z',
  transferReportedAt: '2026-11-20T06:42:00.000Z',
  slipId: null,
  slipCheck: null,
  slipVerdict: null,
  slipOthers: [],
  paidAt: NOW,
  endedAt: null,
  deliveryReference: null,
  reason: null,
  usualMinutes: { from: 5, to: 15 },
  canReport: false,
  canCancel: false,
  buyer: { uid: null, name: null, email: null, tel: null },
  claimedBy: null,
  claimedByName: null,
  claimedAt: null,
  sameAmountOrderNo: null,
  statementLineId: null,
  commands: ['refund', 'fail', 'claim'],
  timeline: [],
  nowDate: NOW,
}
