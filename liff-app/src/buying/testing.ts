import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import type { Draft } from '../draft.ts'

export const chosen: GamePackage = {
  id: 12,
  gameId: 1,
  gameCode: 'pubg',
  name: '325 UC',
  desc: '',
  priceSatang: 149_00,
  discountSatang: 0,
  payment: 'bank',
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
