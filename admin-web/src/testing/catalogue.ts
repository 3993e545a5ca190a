import { listLanguages, listPlatforms, listRegions } from '@shop/shared/catalogue/endpoints.ts'
import {
  listManagedPackages,
  listQmsGames,
  type ManagedGame,
  type ManagedPackage,
} from '@shop/shared/catalogue/manage-endpoints.ts'
import { fake } from '@shop/web/testing.tsx'
import { server, staff } from './site.tsx'

export const manager = { ...staff, uid: 'u-manager', role: 'manager' as const }

const saved = { version: 3, updatedAt: '2026-11-20T07:00:00.000Z', updatedByName: 'วิภา ผู้จัดการ' }

export const pubg: ManagedGame = {
  id: 1,
  no: 1,
  code: 'pubg',
  name: 'PUBG Mobile',
  desc: 'เติม UC',
  qmsGameId: 'QMS-101',
  picture: '/files/pubg.webp',
  searchWords: ['พับจี'],
  regions: ['th'],
  languages: ['th'],
  platforms: ['android'],
  oldCodes: [],
  fieldsOn: [true, false, false, false, false],
  fieldLabels: ['Player ID', '', '', '', ''],
  fieldFormats: [{ kind: 'digits', min: 5, max: 12 }, null, null, null, null],
  playerHint: 'ดูที่โปรไฟล์',
  playerHintPicture: '',
  playerChecks: [],
  usualMinutes: { from: 5, to: 15 },
  isActive: true,
  packageCount: 2,
  sale: { gap: null, fromDay: null },
  ...saved,
}
export const rov: ManagedGame = { ...pubg, id: 2, no: 2, code: 'rov', name: 'RoV', searchWords: [], isActive: false }
export const freefire: ManagedGame = { ...pubg, id: 3, no: 3, code: 'freefire', name: 'Free Fire', searchWords: [] }

const price = { startDay: '2026-08-24', endDay: null, isActive: true, nextPriceSatang: null, nextDay: null }

export const uc60: ManagedPackage = {
  id: 11,
  gameId: 1,
  no: 1,
  name: '60 UC',
  desc: '',
  isActive: true,
  costSatang: null,
  delivers: 'top_up',
  sources: [],
  followsCost: false,
  isBelowCost: false,
  isAutomatic: false,
  warning: '',
  redeemHelp: '',
  lowStock: 0,
  masterPackage: [
    { payment: 'bank', priceSatang: 3500, ...price },
    { payment: 'wallet', priceSatang: 3300, ...price },
  ],
  minPriceSatang: 3300,
  maxPriceSatang: 3500,
  payments: ['bank', 'wallet'],
  ...saved,
}
export const uc325: ManagedPackage = {
  ...uc60,
  id: 12,
  no: 2,
  name: '325 UC',
  masterPackage: [],
  minPriceSatang: null,
  maxPriceSatang: null,
  payments: [],
}

/** Answers for the lists that the form of a game chooses from. */
export const gameChoices = () => [
  fake(listQmsGames, () => [{ game_id: 'QMS-101', game_sdesc: 'PUBG Mobile (UC)' }]),
  fake(listRegions, () => [{ code: 'th', name: 'ไทย' }]),
  fake(listLanguages, () => [{ code: 'th', name: 'ไทย' }]),
  fake(listPlatforms, () => [{ code: 'android', name: 'Android' }]),
]

/** Serves the packages of PUBG Mobile; `asked` collects the queries. */
export function servePackages(
  rows: ManagedPackage[] = [uc60, uc325],
  asked: URLSearchParams[] = [],
  total = rows.length,
) {
  server.use(
    fake(listManagedPackages, (_, url) => {
      asked.push(url.searchParams)
      return { rows, total, nowDate: '2026-11-20T07:00:00.000Z', game: { ...pubg, packageCount: total } }
    }),
  )
}
