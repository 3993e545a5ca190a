import { ROLES } from '@shop/shared/permissions.ts'
import { account } from '../account/tables.ts'
import { game, gamePackage, gameTag, packagePrice, paymentMethod, receivingAccount } from '../catalogue/tables.ts'
import type { Database } from '../database/database.ts'
import { option } from '../settings/tables.ts'

/** Ids of the fixture shop. Prices: bank 149 baht, wallet 145 baht where sold. */
export const fixture = {
  pubg: { id: 1, code: 'pubg', package: 1, bankSatang: 14_900, walletSatang: 14_500 },
  /** Two inputs. */
  mlbb: { id: 2, code: 'mlbb', package: 2, bankSatang: 4_900 },
  inactiveGame: { id: 3, code: 'closed', package: 3 },
  /** Packages of pubg that can't be bought. */
  package: { inactive: 4, ended: 5, notYet: 6, disabled: 7, walletOnly: 8 },
  accounts: { promptPay: 1, second: 2, closed: 3 },
} as const

export async function seedFixture({ orm, query }: Database, now: Date): Promise<void> {
  await orm.insert(option).values([
    { name: 'PAYMENT_TIME_LIMIT', value: '15' },
    { name: 'CHECK_MIDASBUY', value: 'false' },
    { name: 'ALLOW_GUEST_CHECKOUT', value: 'true' },
  ])
  await orm.insert(paymentMethod).values([
    { code: 'bank', name: 'โอนเงินธนาคาร', position: 1 },
    { code: 'wallet', name: 'Wallet', position: 2 },
  ])
  const own = { accountName: 'บจก. คราม เติมเกม', branch: 'สีลม' }
  await orm.insert(receivingAccount).values([
    { ...own, id: 1, bankCode: '004', accountNo: '0123456789', promptPayId: '0812345678', position: 1 },
    { ...own, id: 2, bankCode: '014', accountNo: '9876543210', position: 2 },
    { ...own, id: 3, bankCode: '002', accountNo: '1112223334', isActive: false, position: 3 },
  ])
  const tags = { regions: ['th'], languages: ['th'], platforms: ['ios'] }
  const oneField = ['Player ID', '', '', '', '']
  await orm.insert(gameTag).values([
    { kind: 'region', code: 'th', name: 'ไทย', position: 1 },
    { kind: 'language', code: 'th', name: 'ไทย', position: 1 },
    { kind: 'platform', code: 'ios', name: 'iOS', position: 1 },
  ])
  await orm.insert(game).values([
    {
      ...tags,
      id: 1,
      code: 'pubg',
      name: 'PUBG Mobile',
      fieldLabels: oneField,
      playerChecks: [{ by: 'midasbuy' as const, gameCode: '' }],
      position: 1,
    },
    {
      ...tags,
      id: 2,
      code: 'mlbb',
      name: 'Mobile Legends',
      fieldLabels: ['User ID', 'Zone ID', '', '', ''],
      position: 2,
    },
    { ...tags, id: 3, code: 'closed', name: 'Closed', fieldLabels: oneField, position: 3, isActive: false },
  ])
  await orm.insert(gamePackage).values([
    { id: 1, gameId: 1, name: '325 UC', position: 1 },
    { id: 2, gameId: 2, name: '86 เพชร', position: 1 },
    { id: 3, gameId: 3, name: 'closed', position: 1 },
    { id: 4, gameId: 1, name: 'inactive', position: 2, isActive: false },
    { id: 5, gameId: 1, name: 'ended', position: 3 },
    { id: 6, gameId: 1, name: 'not yet', position: 4 },
    { id: 7, gameId: 1, name: 'disabled', position: 5 },
    { id: 8, gameId: 1, name: 'wallet only', position: 6 },
  ])
  const sale = { payment: 'bank' as const, priceSatang: 14_900, startDay: '2026-01-01', isActive: true }
  await orm.insert(packagePrice).values([
    { ...sale, packageId: 1 },
    { ...sale, packageId: 1, payment: 'wallet', priceSatang: 14_500 },
    { ...sale, packageId: 2, priceSatang: 4_900 },
    { ...sale, packageId: 3 },
    { ...sale, packageId: 4 },
    { ...sale, packageId: 5, endDay: '2026-11-19' },
    { ...sale, packageId: 6, startDay: '2026-11-21' },
    { ...sale, packageId: 7, isActive: false },
    { ...sale, packageId: 8, payment: 'wallet' },
  ])
  // What tests add comes after the ids above.
  for (const table of ['game', 'package', 'receiving_account'])
    await query({ text: `SELECT setval(pg_get_serial_sequence($1, 'id'), 1000)`, values: [table] })
  await orm.insert(account).values(
    ROLES.map(role => ({
      uid: role,
      username: role,
      providers: ['password'],
      givenName: role,
      email: `${role}@test.shop`,
      emailVerified: true,
      status: 'active' as const,
      role,
      createdAt: now,
    })),
  )
}
