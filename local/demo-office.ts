// What the people of the demo shop's office did in its last days: top-ups, prices, settings.
import { listBenefits, saveBenefits } from '@shop/shared/agent/endpoints.ts'
import {
  listManagedGames,
  listManagedPackages,
  saveGame,
  savePackage,
  savePrices,
} from '@shop/shared/catalogue/manage-endpoints.ts'
import { askErasure } from '@shop/shared/privacy/endpoints.ts'
import { saveOption } from '@shop/shared/settings/endpoints.ts'
import type { OptionName } from '@shop/shared/settings/option.ts'
import { decideStatementLine, listStatementLines } from '@shop/shared/statement/endpoints.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { decideTopUp, getTopUpForStaff, saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import { regular } from './demo-accounts.ts'
import { demoOptions } from './demo-catalogue.ts'
import type { Act, DemoDesk } from './demo-desk.ts'

const ACCOUNT = 1

const PAYER: Record<string, string> = { 'demo-agent': 'นาย ปิติ ตัวแทนทอง', 'demo-agent2': 'น.ส. ชูใจ ตัวแทนเงิน' }

interface TopUp {
  ago: number
  agent: string
  baht: number
  /** What the slip shows instead. */
  shownBaht?: number
  decided?: { by: string; as: 'approve' | 'reject'; after: number; reason?: string }
}

/** Two that were decided, and three that wait; the last one's slip shows another amount. */
const asked: readonly TopUp[] = [
  {
    ago: 3000,
    agent: 'demo-agent',
    baht: 1000,
    shownBaht: 100,
    decided: { by: 'demo-manager2', as: 'reject', after: 30, reason: 'ยอดในสลิปไม่ตรง และเงินไม่เข้าบัญชีร้าน' },
  },
  { ago: 1800, agent: 'demo-agent2', baht: 1500, decided: { by: 'demo-manager', as: 'approve', after: 18 } },
  { ago: 38, agent: 'demo-agent', baht: 2500 },
  { ago: 21, agent: 'demo-agent2', baht: 800 },
  { ago: 12, agent: 'demo-agent', baht: 1500, shownBaht: 1050 },
]

export function topUps(desk: DemoDesk): Act[] {
  return asked.flatMap(({ ago, agent, baht, shownBaht = baht, decided }): Act[] => {
    const made = { id: '' }
    const amountSatang = baht * 100
    const ask = async () => {
      const slipId = await desk.slip(desk.as(agent), {
        amountSatang,
        shownSatang: shownBaht * 100,
        to: ACCOUNT,
        name: PAYER[agent],
      })
      const body = { amountSatang, slipId, receivingAccountId: ACCOUNT }
      Object.assign(made, await desk.as(agent).call(saveTopUp, { body }))
      await desk.runJobs()
      // The money on the refused one's slip never came.
      if (decided?.as !== 'reject') await desk.bankTells(ACCOUNT, shownBaht * 100, { secondsAgo: 120 })
    }
    const decide = async () => {
      const { by, as: status, reason } = decided!
      const { version } = await desk.as(by).call(getTopUpForStaff, { params: { id: made.id } })
      await desk.as(by).call(decideTopUp, { body: { id: made.id, version, status, reason } })
    }
    return [{ ago, run: ask }, ...(decided ? [{ ago: ago - decided.after, run: decide }] : [])]
  })
}

async function setOption(
  desk: DemoDesk,
  optionName: OptionName,
  optionValue: string,
  fromValue = demoOptions[optionName],
) {
  await desk.as('demo-admin').call(saveOption, { body: { optionName, optionValue, fromValue } })
}

async function changeGame(desk: DemoDesk, uid: string, code: string, change: Record<string, unknown>) {
  const games = await desk.as(uid).call(listManagedGames, {})
  const {
    no: _no,
    packageCount: _count,
    updatedAt: _at,
    updatedByName: _by,
    ...game
  } = games.find(each => each.code === code)!
  await desk.as(uid).call(saveGame, { body: { ...game, ...change } })
}

async function findPackage(desk: DemoDesk, uid: string, code: string, name: string) {
  const games = await desk.as(uid).call(listManagedGames, {})
  const gameId = games.find(each => each.code === code)!.id
  const { rows } = await desk
    .as(uid)
    .call(listManagedPackages, { params: { gameId }, query: { page: 1, pageSize: 100 } })
  return rows.find(each => each.name === name)!
}

async function describe(desk: DemoDesk, uid: string, [code, name]: readonly [string, string], desc: string) {
  const { id, version, gameId, isActive } = await findPackage(desk, uid, code, name)
  await desk.as(uid).call(savePackage, { body: { id, version, gameId, name, desc, isActive } })
}

/** Changes a package's price for those who transfer; with a day, from that day on. */
async function price(
  desk: DemoDesk,
  uid: string,
  [code, name]: readonly [string, string],
  baht: number,
  fromDay?: string,
) {
  const { id, version, masterPackage } = await findPackage(desk, uid, code, name)
  const change = fromDay ? { nextPriceSatang: baht * 100, nextDay: fromDay } : { priceSatang: baht * 100 }
  const prices = masterPackage.map(each => (each.payment === 'bank' ? { ...each, ...change } : each))
  await desk.as(uid).call(savePrices, { body: { packageId: id, version, prices } })
}

/** Sets the last day on which a package is sold, so many days from then. */
async function endSale(desk: DemoDesk, uid: string, [code, name]: readonly [string, string], days: number) {
  const { id, version, masterPackage } = await findPackage(desk, uid, code, name)
  const endDay = bangkokDay(new Date(desk.now().getTime() + days * DAY_MS))
  const prices = masterPackage.map(each => ({ ...each, endDay }))
  await desk.as(uid).call(savePrices, { body: { packageId: id, version, prices } })
}

async function discount(desk: DemoDesk, uid: string, name: string, baht: number) {
  const { rows } = await desk.as(uid).call(listBenefits, { query: { package: name, page: 1, pageSize: 10 } })
  const row = rows.find(each => each.package === name)!
  const details = row.details.map((each, index) => (index === 0 ? { ...each, discountSatang: baht * 100 } : each))
  await desk.as(uid).call(saveBenefits, { body: { rows: [{ packageId: row.packageId, details }], allowsFree: false } })
}

/** Money that is the shop's own: somebody says so of the bank's line. */
async function setAside(desk: DemoDesk, uid: string, amountSatang: number) {
  await desk.bankTells(ACCOUNT, amountSatang)
  const { rows } = await desk
    .as(uid)
    .call(listStatementLines, { query: { noSaleOrder: 'true', page: 1, pageSize: 100 } })
  const { id, version } = rows.find(each => each.amountSatang === amountSatang)!
  const body = { step: 'ignore' as const, version, reason: 'เงินทอนร้านฝากเข้าบัญชีเอง' }
  await desk.as(uid).call(decideStatementLine, { params: { id }, body })
}

export function office(desk: DemoDesk): Act[] {
  const tomorrow = () => bangkokDay(new Date(desk.now().getTime() + DAY_MS))
  return [
    {
      ago: 4100,
      run: () =>
        describe(
          desk,
          'demo-manager2',
          ['genshin', 'Blessing of the Welkin Moon'],
          'รับ 300 คริสตัลทันที และวันละ 90 นาน 30 วัน',
        ),
    },
    {
      ago: 4090,
      run: () =>
        describe(desk, 'demo-manager2', ['honkai', 'Express Supply Pass'], 'รับ 300 ชาร์ดทันที และวันละ 90 นาน 30 วัน'),
    },
    {
      ago: 4080,
      run: () => describe(desk, 'demo-manager2', ['mlbb', 'Weekly Diamond Pass'], 'รับเพชรทุกวัน 7 วัน ต้องเข้าเกมรับเอง'),
    },
    { ago: 3500, run: () => setOption(desk, 'CONTACT_PHONE', '02-123-4568') },
    { ago: 3490, run: () => setOption(desk, 'CONTACT_PHONE', demoOptions.CONTACT_PHONE, '02-123-4568') },
    { ago: 2900, run: () => changeGame(desk, 'demo-manager', 'roblox', { usualMinutes: { from: 15, to: 45 } }) },
    { ago: 2890, run: () => price(desk, 'demo-manager', ['valorant', '2,050 VP'], 615) },
    { ago: 2200, run: () => setAside(desk, 'demo-manager', 300_000) },
    { ago: 1560, run: () => discount(desk, 'demo-manager', '3,650 VP', 12) },
    { ago: 1400, run: () => price(desk, 'demo-manager2', ['codm', '880 CP'], 345) },
    { ago: 1180, run: () => endSale(desk, 'demo-manager2', ['mlbb', 'Weekly Diamond Pass × 3 (รวมโบนัสรายวัน)'], 6) },
    { ago: 1170, run: () => endSale(desk, 'demo-manager2', ['codm', '2,400 CP'], 2) },
    { ago: 700, run: () => setOption(desk, 'COMPANY_NAME', 'บริษัท คราม เติมเกม จำกัด (สำนักงานใหญ่)') },
    // A customer who bought some weeks ago wants to be forgotten.
    { ago: 410, run: () => desk.as(regular(12)).call(askErasure, {}) },
    {
      ago: 330,
      run: () =>
        changeGame(desk, 'demo-manager2', 'genshin', { searchWords: ['เกนชิน', 'เก็นชิน', 'เก็นชินอิมแพกต์', 'คริสตัล'] }),
    },
    { ago: 110, run: () => price(desk, 'demo-manager', ['pubg', '660 UC'], 299, tomorrow()) },
  ]
}
