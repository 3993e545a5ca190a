import { type Game, type GameOffer, type GamePackage, getGameOffer } from '@shop/shared/catalogue/endpoints.ts'
import { PAYMENT_METHOD, type PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { fake } from '@shop/web/testing.tsx'
import type { Draft } from '../draft.ts'
import { order } from '../orders/testing.ts'
import type { OfferedMethod } from '../settings/limits.ts'
import type { ShownTerms } from '../settings/terms.ts'

export const chosen: GamePackage = {
  id: 12,
  gameId: 1,
  gameCode: 'pubg',
  name: '325 UC',
  desc: '',
  priceSatang: 149_00,
  discountSatang: 0,
  payment: 'bank',
  delivers: 'top_up',
  warning: '',
  isOut: false,
}

export const game: Game = {
  id: 1,
  code: 'pubg',
  oldCodes: [],
  name: 'PUBG Mobile',
  desc: '',
  picture: '/pubg.svg',
  regions: [],
  languages: [],
  platforms: [],
  searchWords: ['พับจี'],
  fields: [
    { name: 'field1', label: 'Player ID', format: { kind: 'digits', min: 5, max: 12 } },
    { name: 'field2', label: 'Server', format: { kind: 'choices', choices: ['Asia', 'Europe'] } },
  ],
  playerHint: '',
  playerHintPicture: '',
  isPlayerChecked: false,
  fromSatang: 35_00,
  usualMinutes: { from: 5, to: 15 },
}

export const terms: ShownTerms = {
  version: '1',
  body: 'การเติมเกม\n- ร้านเติมแพ็กเกจที่เลือก\n\nการชำระเงิน\n- โอนให้ตรงทุกสตางค์',
  publishedAt: '2026-11-20T00:00:00.000Z',
}

export const draft: Draft = {
  gameCode: 'pubg',
  playerId: '5123456789',
  playerName: 'Namkhao_TH',
  bank: 1,
  paymentMethod: 'bank',
  package: 12,
  actualPrice: 149_00,
}

/** Fakes what the shop offers of the game: two packages by transfer, but for what a test is about. */
export const fakeOffer = (change: Partial<GameOffer> | (() => Partial<GameOffer>) = {}) =>
  fake(getGameOffer, () => ({
    game,
    regions: [],
    packages: [chosen, { ...chosen, id: 13, name: '660 UC', priceSatang: 315_00 }],
    methods: [{ code: 'bank' as const, name: 'โอนผ่านธนาคาร', image: '' }],
    accounts: [order.receivingAccount!],
    ...(typeof change === 'function' ? change() : change),
  }))

/** A payment method that can be used now. */
export const methodOf = (code: PaymentCode, more: Partial<OfferedMethod> = {}): OfferedMethod => ({
  code,
  name: PAYMENT_METHOD[code].name,
  opening: null,
  ...more,
})
