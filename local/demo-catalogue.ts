// What the demo shop sells. Prices are baht; game art is our own drawing in demo-art/.

import type { GameCheck } from '@shop/shared/catalogue/player-check.ts'
import type { PlayerFormat } from '@shop/shared/catalogue/player-format.ts'
import type { OptionName } from '@shop/shared/settings/option.ts'
import { demoLine } from './line-emulator/demo.ts'

export interface DemoGame {
  code: string
  name: string
  description: string
  /** Labels of its inputs, the player id's first. */
  fields: string[]
  regions: string[]
  languages: string[]
  platforms: string[]
  usualMinutes: [number, number]
  searchWords: string[]
  /** How the fields are typed, in their order; what is left out takes any text. */
  formats?: (PlayerFormat | null)[]
  /** Where the player finds the first of them, in words and as a picture of `demo-art/hints`. */
  hint?: { text: string; picture: string }
  playerChecks?: GameCheck[]
  qmsGameId?: string
  /** Name, price by bank transfer, price from the wallet. */
  packages: [name: string, bankBaht: number, walletBaht: number][]
}

const digits = (min: number, max: number): PlayerFormat => ({ kind: 'digits', min, max })
const profileHint = { text: 'เปิดเกม แตะรูปโปรไฟล์ รหัสอยู่ใต้ชื่อผู้เล่น', picture: 'player-id' }
const servers: PlayerFormat = { kind: 'choices', choices: ['Asia', 'America', 'Europe', 'TW, HK, MO'] }

const everywhere = { regions: ['th'], languages: ['th', 'en'], platforms: ['android', 'ios'] }

export const demoGames: readonly DemoGame[] = [
  {
    ...everywhere,
    code: 'pubg',
    name: 'PUBG Mobile',
    description: 'เติม UC เข้าไอดีโดยตรงด้วย Player ID',
    fields: ['Player ID'],
    regions: ['th', 'global'],
    usualMinutes: [5, 15],
    searchWords: ['พับจี', 'พับจีโมบาย', 'UC', 'battlegrounds'],
    formats: [digits(5, 12)],
    hint: profileHint,
    playerChecks: [
      { by: 'midasbuy', gameCode: '' },
      { by: 'g2bulk', gameCode: 'pubgm' },
    ],
    qmsGameId: 'QMS-101',
    packages: [
      ['60 UC', 35, 33],
      ['325 UC', 149, 145],
      ['660 UC', 315, 305],
      ['1,800 UC', 789, 770],
      ['3,850 UC', 1575, 1540],
      ['8,100 UC', 3150, 3080],
    ],
  },
  {
    ...everywhere,
    code: 'rov',
    name: 'RoV',
    description: 'เติมคูปองด้วย OpenID',
    fields: ['OpenID', 'ชื่อในเกม'],
    usualMinutes: [5, 10],
    searchWords: ['อาร์โอวี', 'อารีน่าออฟเวเลอร์', 'arena of valor', 'คูปอง'],
    hint: { text: 'เปิดเกม แตะการตั้งค่า เลือกบัญชี แล้วคัดลอก OpenID', picture: 'open-id' },
    qmsGameId: 'QMS-104',
    packages: [
      ['90 คูปอง', 39, 38],
      ['230 คูปอง', 100, 97],
      ['470 คูปอง', 200, 194],
      ['740 คูปอง', 300, 291],
      ['1,200 คูปอง', 500, 485],
    ],
  },
  {
    ...everywhere,
    code: 'freefire',
    name: 'Free Fire',
    description: 'เติมเพชรด้วย Player ID',
    fields: ['Player ID'],
    usualMinutes: [5, 15],
    searchWords: ['ฟรีฟายร์', 'ฟรีไฟร์', 'ฟีฟาย', 'FF', 'เพชร'],
    formats: [digits(5, 12)],
    hint: profileHint,
    playerChecks: [{ by: 'g2bulk', gameCode: 'freefire' }],
    qmsGameId: 'QMS-103',
    packages: [
      ['100 เพชร', 34, 33],
      ['310 เพชร', 99, 96],
      ['520 เพชร', 165, 160],
      ['1,060 เพชร', 329, 320],
      ['2,180 เพชร', 660, 641],
      ['สมาชิกรายเดือน', 299, 290],
    ],
  },
  {
    ...everywhere,
    code: 'mlbb',
    name: 'Mobile Legends',
    description: 'เติมเพชรด้วย User ID และ Zone ID',
    fields: ['User ID', 'Zone ID'],
    regions: ['th', 'sea'],
    usualMinutes: [5, 20],
    searchWords: ['โมบายเลเจนด์', 'ML', 'MLBB', 'เพชร'],
    formats: [digits(5, 12), digits(4, 5)],
    hint: { text: 'เปิดเกม แตะรูปโปรไฟล์ ตัวเลขหน้าวงเล็บคือ User ID ในวงเล็บคือ Zone ID', picture: 'user-zone' },
    playerChecks: [{ by: 'g2bulk', gameCode: 'mlbb' }],
    qmsGameId: 'QMS-102',
    packages: [
      ['86 เพชร', 49, 48],
      ['172 เพชร', 95, 92],
      ['257 เพชร', 139, 135],
      ['568 เพชร', 279, 271],
      ['Weekly Diamond Pass', 65, 63],
      ['Weekly Diamond Pass × 3 (รวมโบนัสรายวัน)', 189, 184],
      ['2,010 เพชร', 1090, 1060],
    ],
  },
  {
    code: 'genshin',
    name: 'Genshin Impact',
    description: 'เติม Genesis Crystals ด้วย UID และเซิร์ฟเวอร์',
    fields: ['UID', 'Server'],
    regions: ['asia', 'global'],
    languages: ['th', 'en'],
    platforms: ['android', 'ios', 'pc', 'console'],
    usualMinutes: [10, 30],
    searchWords: ['เกนชิน', 'เก็นชิน', 'คริสตัล'],
    formats: [digits(9, 10), servers],
    hint: { text: 'UID อยู่มุมล่างขวาของจอในเกม', picture: 'uid-right' },
    qmsGameId: 'QMS-105',
    packages: [
      ['60 Genesis Crystals', 35, 34],
      ['330 Genesis Crystals', 175, 170],
      ['980 Genesis Crystals', 499, 485],
      ['1,980 Genesis Crystals', 1050, 1020],
      ['Blessing of the Welkin Moon', 179, 174],
    ],
  },
  {
    code: 'valorant',
    name: 'VALORANT',
    description: 'เติม VP ด้วย Riot ID',
    fields: ['Riot ID', 'Tagline'],
    regions: ['th'],
    languages: ['th', 'en'],
    platforms: ['pc'],
    usualMinutes: [5, 30],
    searchWords: ['วาโลแรนท์', 'วาโล', 'VP', 'riot'],
    formats: [
      { kind: 'text', min: 3, max: 16 },
      { kind: 'text', min: 3, max: 5 },
    ],
    hint: { text: 'ชื่อหน้าเครื่องหมาย # คือ Riot ID ด้านหลังคือ Tagline', picture: 'riot-id' },
    packages: [
      ['475 VP', 155, 151],
      ['1,000 VP', 310, 301],
      ['2,050 VP', 620, 602],
      ['3,650 VP', 1080, 1050],
    ],
  },
  {
    code: 'roblox',
    name: 'Roblox',
    description: 'เติม Robux ด้วยชื่อผู้ใช้',
    fields: ['Username'],
    regions: ['global'],
    languages: ['en'],
    platforms: ['android', 'ios', 'pc', 'console'],
    usualMinutes: [15, 60],
    searchWords: ['โรบล็อก', 'โรบัค', 'robux'],
    formats: [{ kind: 'text', min: 3, max: 20 }],
    hint: { text: 'เปิดหน้าโปรไฟล์ ชื่อผู้ใช้ขึ้นต้นด้วย @ อยู่ใต้ชื่อที่แสดง ใส่โดยไม่มี @', picture: 'username' },
    packages: [
      ['400 Robux', 179, 174],
      ['800 Robux', 355, 345],
      ['1,700 Robux', 715, 695],
      ['4,500 Robux', 1790, 1740],
    ],
  },
  {
    ...everywhere,
    code: 'codm',
    name: 'Call of Duty: Mobile',
    description: 'เติม CP ด้วย Player ID',
    fields: ['Player ID'],
    regions: ['th', 'sea'],
    usualMinutes: [5, 20],
    searchWords: ['คอลออฟดิวตี้', 'CP', 'call of duty', 'COD'],
    formats: [digits(5, 20)],
    hint: profileHint,
    packages: [
      ['80 CP', 35, 34],
      ['420 CP', 179, 174],
      ['880 CP', 349, 339],
      ['2,400 CP', 899, 875],
    ],
  },
  {
    code: 'honkai',
    name: 'Honkai: Star Rail',
    description: 'เติม Oneiric Shard ด้วย UID และเซิร์ฟเวอร์',
    fields: ['UID', 'Server'],
    regions: ['asia', 'global'],
    languages: ['th', 'en'],
    platforms: ['android', 'ios', 'pc', 'console'],
    usualMinutes: [10, 30],
    searchWords: ['ฮงไก', 'สตาร์เรล', 'HSR', 'star rail'],
    formats: [digits(9, 10), servers],
    hint: { text: 'UID อยู่มุมล่างซ้ายของจอในเกม', picture: 'uid-left' },
    packages: [
      ['60 Oneiric Shard', 35, 34],
      ['330 Oneiric Shard', 175, 170],
      ['1,090 Oneiric Shard', 525, 510],
      ['Express Supply Pass', 179, 174],
    ],
  },
  {
    ...everywhere,
    code: 'ragnarok',
    name: 'Ragnarok Origin',
    description: 'เติม Nyan Berry ด้วย Player ID และเซิร์ฟเวอร์',
    fields: ['Player ID', 'Server', 'ชื่อตัวละคร'],
    languages: ['th'],
    usualMinutes: [10, 30],
    searchWords: ['แร็กนาร็อก', 'โร', 'RO', 'ragnarok'],
    formats: [digits(5, 20), { kind: 'choices', choices: ['Prontera', 'Payon', 'Geffen'] }],
    hint: profileHint,
    packages: [
      ['60 Nyan Berry', 35, 34],
      ['300 Nyan Berry', 169, 164],
      ['980 Nyan Berry', 529, 514],
      ['1,980 Nyan Berry', 1050, 1020],
    ],
  },
]

export const demoReceivingAccounts = [
  {
    bankCode: '004',
    accountNo: '0123456789',
    accountName: 'บจก. คราม เติมเกม',
    accountNameEn: 'KHRAM TERM GAME CO., LTD.',
    branch: 'สีลม',
    promptPayId: '0812345678',
  },
  {
    bankCode: '014',
    accountNo: '9876543210',
    accountName: 'บจก. คราม เติมเกม',
    accountNameEn: 'KHRAM TERM GAME CO., LTD.',
    branch: 'สยาม',
    promptPayId: '0105566000111',
  },
  {
    bankCode: '002',
    accountNo: '1112223334',
    accountName: 'บจก. คราม เติมเกม',
    accountNameEn: 'KHRAM TERM GAME CO., LTD.',
    branch: 'อโศก',
    promptPayId: null,
  },
] as const

/** Limits in baht. A tier pays so much less for a package, but never more than a share of its price. */
export const demoTiers = [
  {
    name: 'Gold',
    description: 'ตัวแทนยอดสูง',
    max: 50_000,
    minTopUp: 500,
    maxPerOrder: 10_000,
    maxItems: 10,
    discountBaht: 10,
    discountShare: 0.11,
  },
  {
    name: 'Silver',
    description: 'ตัวแทนทั่วไป',
    max: 20_000,
    minTopUp: 300,
    maxPerOrder: 5_000,
    maxItems: 5,
    discountBaht: 5,
    discountShare: 0.055,
  },
] as const

export const demoOptions: Record<OptionName, string> = {
  PAYMENT_TIME_LIMIT: '15',
  CHECK_MIDASBUY: 'true',
  ALLOW_GUEST_CHECKOUT: 'true',
  SHOP_CREDIT: 'true',
  CREDIT_PIN_ABOVE: '1000',
  GUEST_ORDERS_PER_ADDRESS_AND_HOUR: '0',
  REQUIRE_ADMIN_TOTP: 'false',
  TWO_PERSON_APPROVAL_AMOUNT: '20000',
  CURRENCY_MARGIN: '2',
  LINE_OA_ID: demoLine.officialAccount.basicId,
  STAFF_HOURS: '',
  STAFF_DIGEST_MINUTES: '0',
  OPENING_HOURS: '',
  COMPANY_NAME: 'บริษัท คราม เติมเกม จำกัด',
  COMPANY_ADDRESS: '99 ถนนสีลม แขวงสีลม\nเขตบางรัก กรุงเทพมหานคร 10500',
  CONTACT_PHONE: '02-123-4567',
  CONTACT_EMAIL: 'hello@kraam.example',
}
