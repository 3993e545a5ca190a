// The suppliers of the demo shop: what it buys there, what it bought in its last days, and what that cost.
import { NO_PLAYER } from '@shop/shared/catalogue/catalogue.ts'
import { listManagedGames } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import type { PriceRule } from '@shop/shared/catalogue/price-rule.ts'
import { changePriceRules } from '@shop/shared/cost/endpoints.ts'
import { takeRefundAsCredit } from '@shop/shared/credit/endpoints.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import type { Sql } from 'functions/src/database/database.ts'
import { currencyRate, supplier } from 'functions/src/supplier/tables.ts'
import { regular } from './demo-accounts.ts'
import { type Bought, deliver, type Goods, pay, place, playerOf, spend } from './demo-buying.ts'
import type { Act, DemoDesk } from './demo-desk.ts'
import { AUTOMATIC_GAME, CODES_WARNING, demoCodes, demoSuppliers, demoTopUps } from './supplier/demo.ts'
import type { Fault } from './supplier/faults.ts'
import { SATANG_PER_UNIT } from './supplier/register.ts'

/** Codes stand below what is delivered to an account. */
const CODES_FROM = 20

/** SEAGM delivers the packages of one game and could deliver another's; GamesDrop sells codes of a third, in dollars. @param since when that began */
export async function insertDemoSuppliers(tx: Sql, since: Date): Promise<void> {
  for (const { id, category, name, priceSatang } of demoTopUps)
    await tx.query({
      text: `UPDATE package p SET cost_satang = $3, follows_cost = $5, sources = jsonb_build_array(jsonb_build_object('supplier', 'seagm', 'sku', $4::text, 'costSatang', NULL)),
          is_automatic = $5 FROM game g
        WHERE g.id = p.game_id AND g.code = $1 AND p.name = $2`,
      values: [category.id, name, priceSatang, id, category.id === AUTOMATIC_GAME],
    })
  await insertSupplierCodes(tx, since)
  await tx.orm.insert(supplier).values(demoSuppliers.map(({ name }) => ({ name, isOn: true })))
}

async function insertSupplierCodes({ orm, query }: Sql, at: Date): Promise<void> {
  const rate = { currency: 'USD', satangPerUnit: String(SATANG_PER_UNIT.USD), source: 'demo-manager', at }
  await orm.insert(currencyRate).values(rate).onConflictDoNothing()
  for (const [index, { id: sku, category, name, priceSatang, bankBaht, walletBaht }] of demoCodes.entries())
    await query({
      text: `WITH made AS (
          INSERT INTO package (game_id, name, position, cost_satang, follows_cost, delivers, sources, is_automatic, warning, redeem_help)
          SELECT id, $2, $3, $4, true, 'code', jsonb_build_array(jsonb_build_object('supplier', 'gamesdrop', 'sku', $5::text, 'costSatang', NULL)),
            true, $6, $7 FROM game WHERE code = $1 RETURNING id)
        INSERT INTO package_price (package_id, payment, price_satang, start_day, is_active)
        SELECT made.id, p.payment, p.price, '2026-01-01', true FROM made, (VALUES ('bank', $8::int), ('wallet', $9::int)) AS p (payment, price)`,
      values: [
        category.id,
        name,
        CODES_FROM + index,
        priceSatang,
        sku,
        CODES_WARNING,
        'เปิด roblox.com/redeem เข้าสู่ระบบ แล้ววางรหัส',
        bankBaht * 100,
        walletBaht * 100,
      ],
    })
}

interface Sale {
  ago: number
  /** The uid of a customer, or of an agent who pays from the wallet. */
  buyer: string
  goods: Goods
  /** Without it the goods are a code. */
  player?: string
  by?: GatewayMethod | 'wallet'
}

const [CODE_800, CODE_2000] = demoCodes.map(({ name }) => name) as [string, string]

const SALES: readonly Sale[] = [
  { ago: 4180, buyer: regular(2), goods: ['codm', '880 CP'], player: '6712008834', by: 'promptpay' },
  { ago: 2710, buyer: 'demo-agent', goods: ['codm', '880 CP'], player: '6731900276', by: 'wallet' },
  { ago: 2040, buyer: regular(11), goods: ['roblox', CODE_800], by: 'promptpay' },
  { ago: 1260, buyer: regular(8), goods: ['codm', '80 CP'], player: '6745513098', by: 'truemoney' },
  { ago: 395, buyer: regular(10), goods: ['roblox', CODE_2000] },
  { ago: 82, buyer: regular(4), goods: ['codm', '420 CP'], player: '6768842015', by: 'promptpay' },
]

/** Somebody buys what a supplier delivers, pays a minute later, and has it some seconds after that. */
function sale(desk: DemoDesk, { ago, buyer, goods, player, by }: Sale, fault?: Fault): { acts: Act[]; bought: Bought } {
  const bought = {} as Bought
  const buy = async () => {
    if (by === 'wallet') return void (await spend(desk, buyer, goods, { player: [player!] }))
    const offer = await desk.findOffer(...goods)
    const chosen = player
      ? { ...offer, ...playerOf([player]) }
      : { ...offer, playerId: NO_PLAYER, acceptedWarning: CODES_WARNING }
    Object.assign(bought, await place(desk, desk.as(buyer), chosen, by))
  }
  const payAndBuy = async () => {
    if (fault) registerOf(desk, 'seagm').faults.push(fault)
    if (by !== 'wallet') await pay(desk, bought)
    await desk.runJobs()
  }
  const acts = [
    { ago, run: buy },
    { ago: ago - 1, run: payAndBuy },
    { ago: ago - 1.1, run: desk.suppliersTell },
  ]
  return { acts, bought }
}

/** What suppliers delivered. One player was not found there, and one package had become dearer than it may be. */
export function bySuppliers(desk: DemoDesk): Act[] {
  const unknown = sale(
    desk,
    { ago: 1530, buyer: regular(9), goods: ['codm', '420 CP'], player: '10020', by: 'promptpay' },
    'player',
  )
  const dearer = sale(desk, { ago: 2980, buyer: regular(6), goods: ['codm', '80 CP'], player: '6719930041' }, 'price')
  const giveBack = async () => {
    const { by, order } = unknown.bought
    const reason = 'ผู้จำหน่ายไม่พบ Player ID นี้ ลูกค้าขอเงินคืน'
    for (const [uid, status] of [
      ['demo-staff', 'processing'],
      ['demo-staff', 'failed'],
      ['demo-manager', 'refunded'],
    ] as const)
      await desk.set(uid, order.orderNo, status, reason)
    await by.call(takeRefundAsCredit, { params: { orderNo: order.orderNo } })
  }
  return [
    ...SALES.flatMap(each => sale(desk, each).acts),
    ...unknown.acts,
    { ago: 1505, run: giveBack },
    ...dearer.acts,
    { ago: 2970, run: () => deliver(desk, 'demo-staff2', dearer.bought.order.orderNo) },
  ]
}

const registerOf = (desk: DemoDesk, name: SupplierName) => desk.suppliers.find(each => each.name === name)!.register

/** Products that cost another price until then, in satang less than today. */
const CHANGES = [
  { ago: 2650, at: 'seagm', name: '880 CP', fromSatang: -1000 },
  { ago: 1900, at: 'seagm', name: '660 UC', fromSatang: 600 },
  { ago: 800, at: 'gamesdrop', name: CODE_2000, fromSatang: -1600 },
] as const

/** The shop reads the suppliers' lists now and then; a manager lets the prices of one game follow its costs. */
export function costs(desk: DemoDesk): Act[] {
  const raise = ({ at, name, fromSatang }: (typeof CHANGES)[number], direction: 1 | -1) => {
    registerOf(desk, at).products.find(each => each.name === name)!.priceSatang += direction * fromSatang
  }
  const begin = async () => {
    for (const change of CHANGES) raise(change, 1)
    await desk.readSuppliers()
  }
  return [
    { ago: 4310, run: begin },
    { ago: 3050, run: () => ruleBankPrices(desk, 'demo-manager') },
    ...CHANGES.map(change => ({
      ago: change.ago,
      run: async () => {
        raise(change, -1)
        await desk.readSuppliers()
      },
    })),
    ...[1430, 20].map(ago => ({ ago, run: desk.readSuppliers })),
  ]
}

async function ruleBankPrices(desk: DemoDesk, uid: string): Promise<void> {
  const games = await desk.as(uid).call(listManagedGames, {})
  const gameId = games.find(({ code }) => code === AUTOMATIC_GAME)!.id
  const rule: PriceRule = { target: 'bank', basisPoints: 2500, fixedSatang: 0, leastSatang: 500, rounding: 'baht' }
  const body = { gameId, rules: [rule], applies: false }
  const { mark } = await desk.as(uid).call(changePriceRules, { body })
  await desk.as(uid).call(changePriceRules, { body: { ...body, mark } })
}
