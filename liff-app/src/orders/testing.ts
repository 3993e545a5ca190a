import type { OrderView } from '@shop/shared/order/endpoints.ts'

const TOKEN = 'abcdefghijklmnopqrstuv'

/** An order that waits for 149.37 baht, 15 minutes from 14:05 in Bangkok; it is 14:05:28. */
export const order: OrderView = {
  orderNo: 'KT2611-00482100',
  status: 'waiting_payment',
  game: { code: 'pubg', name: 'PUBG Mobile', picture: '/pubg.svg' },
  package: { id: 12, name: '325 UC' },
  playerId: '5123456789',
  playerName: 'Namkhao_TH',
  fields: [{ name: 'field1', label: 'Player ID', value: '5123456789' }],
  payment: 'bank',
  quantity: 1,
  priceSatang: 149_00,
  tailSatang: 37,
  amountSatang: 149_37,
  receivingAccount: {
    id: 1,
    code: '004',
    bankName: 'กสิกรไทย',
    logo: null,
    accountName: 'บจก. คราม เติมเกม',
    accountNo: '0123456789',
    branch: '',
    hasPromptPay: false,
  },
  promptPay: null,
  createdAt: '2026-11-20T07:05:00.000Z',
  expiresAt: '2026-11-20T07:20:00.000Z',
  transferReportedAt: null,
  slipId: null,
  paidAt: null,
  endedAt: null,
  deliveryReference: null,
  reason: null,
  trackToken: TOKEN,
  usualMinutes: { from: 5, to: 15 },
  canReport: true,
  canCancel: true,
  timeline: [],
  nowDate: '2026-11-20T07:05:28.000Z',
}
