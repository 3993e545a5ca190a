// Orders of the demo shop's last days, from the buyer's choice to the end, told in minutes before now.
import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import type { EndpointInput } from '@shop/shared/endpoint.ts'
import { type AppError, invariant } from '@shop/shared/errors.ts'
import { chargeOrder, confirmCharge } from '@shop/shared/order/charge-endpoints.ts'
import { proposePlayer } from '@shop/shared/order/correction-endpoints.ts'
import { confirmOrder, confirmPrice, type OrderView, reportOrderTransfer } from '@shop/shared/order/endpoints.ts'
import {
  agreeRefundPayee,
  listOwedRefunds,
  sendOwedRefund,
  setRefundPayee,
} from '@shop/shared/statement/refund-endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { regular } from './demo-accounts.ts'
import type { Act, DemoDesk, DeskCaller, SentMoney } from './demo-desk.ts'
import { methodAt } from './demo-gateway.ts'
import { DEMO_PIN } from './demo-wallets.ts'

/** A game's code and the name of one of its packages. */
export type Goods = readonly [game: string, packageName: string]

/** Packages, with what a player types for them that their games know. */
const SOLD: readonly { goods: Goods; player: readonly string[] }[] = [
  { goods: ['freefire', '310 เพชร'], player: ['5120448213'] },
  { goods: ['rov', '230 คูปอง'], player: ['9F2C11A0B7', 'สายฟ้าฟาด'] },
  { goods: ['mlbb', '257 เพชร'], player: ['480113377', '2041'] },
  { goods: ['freefire', '520 เพชร'], player: ['5733190482'] },
  { goods: ['genshin', 'Blessing of the Welkin Moon'], player: ['812345678', 'Asia'] },
  { goods: ['valorant', '475 VP'], player: ['KhaoPad', 'TH01'] },
  { goods: ['roblox', '400 Robux'], player: ['nong_bew2012'] },
  { goods: ['freefire', 'สมาชิกรายเดือน'], player: ['5998120046'] },
  { goods: ['honkai', 'Express Supply Pass'], player: ['801776655', 'Asia'] },
  { goods: ['mlbb', 'Weekly Diamond Pass'], player: ['511200984', '9120'] },
  { goods: ['ragnarok', '300 Nyan Berry'], player: ['20045512', 'Payon', 'MooPing'] },
]

/** A transfer order while it is lived: the acts fill it. */
export interface Bought {
  order: OrderView
  by: DeskCaller
}

export const playerOf = ([playerId, field2, field3]: readonly string[]) => ({ playerId: playerId!, field2, field3 })

/** What a buyer chose, as the shop is asked for it: goods for a player, or a code after its warning. */
export type Chosen = Omit<EndpointInput<typeof confirmPrice>['body'], 'receivingAccountId' | 'termsVersion'>

/** Somebody orders, to pay to one of the shop's accounts or by a method of the gateway. */
export async function place(desk: DemoDesk, by: DeskCaller, chosen: Chosen, payment?: GatewayMethod): Promise<Bought> {
  const asked = { ...chosen, termsVersion: '1' }
  if (!payment) {
    const receivingAccountId = await desk.nextAccount()
    return { by, order: await by.call(confirmPrice, { body: { ...asked, receivingAccountId } }) }
  }
  const order = await by.call(confirmCharge, { body: { ...asked, payment } })
  await by.call(chargeOrder, { params: { orderNo: order.orderNo }, body: { method: payment } })
  return { by, order }
}

const buy = async (desk: DemoDesk, by: DeskCaller, goods: Goods, player: readonly string[], payment?: GatewayMethod) =>
  place(desk, by, { ...(await desk.findOffer(...goods)), ...playerOf(player) }, payment)

/** An agent buys from the wallet. */
export async function spend(
  desk: DemoDesk,
  uid: string,
  goods: Goods,
  more: { player: readonly string[]; quantity?: number },
) {
  const { player, quantity = 1 } = more
  const body = { ...(await desk.findOffer(...goods)), ...playerOf(player), quantity, pin: DEMO_PIN, termsVersion: '1' }
  return desk.as(uid).call(confirmOrder, { body })
}

/** The bank, or the gateway, tells of the money, and the shop finds whose it is. */
export const pay = (desk: DemoDesk, { order }: Bought): Promise<void> =>
  order.receivingAccount
    ? desk.bankTells(order.receivingAccount.id, order.amountSatang)
    : desk.gatewayTakes(order.orderNo)

/** The buyer sends a slip, and the shop asks the bank about it. */
async function report(desk: DemoDesk, { order, by }: Bought, sent: Partial<SentMoney> | null): Promise<void> {
  const to = order.receivingAccount!.id
  const slipId = sent ? await desk.slip(by, { amountSatang: order.amountSatang, to, ...sent }) : undefined
  await by.call(reportOrderTransfer, { params: { orderNo: order.orderNo }, body: { slipId } })
  if (slipId) await desk.runJobs()
}

export async function deliver(desk: DemoDesk, worker: string, orderNo: string): Promise<void> {
  await desk.set(worker, orderNo, 'processing')
  await wait(desk, 4)
  await desk.set(worker, orderNo, 'success', `MB-${orderNo.slice(-5)}`)
}

const wait = (desk: DemoDesk, minutes: number) => desk.moveTo(addSeconds(desk.now(), minutes * 60))

const WORKERS = ['demo-staff', 'demo-staff2', 'demo-manager2']
const AGENTS = ['demo-agent', 'demo-agent2']

/** Orders that were delivered, one about every two and a half hours, the last of them an hour ago; every third is an agent's. */
export function ordinaryDays(desk: DemoDesk): Act[] {
  return Array.from({ length: 28 }, (_, index): Act[] => {
    const ago = 75 + index * 150 + ((index * 37) % 60)
    const { goods, player } = SOLD[index % SOLD.length]!
    const worker = WORKERS[index % WORKERS.length]!
    if (index % 3 === 2) {
      const bought = { orderNo: '' }
      const agent = AGENTS[index % 4 === 0 ? 1 : 0]!
      return [
        {
          ago,
          run: async () => Object.assign(bought, await spend(desk, agent, goods, { player })),
        },
        { ago: ago - 9, run: () => deliver(desk, worker, bought.orderNo) },
      ]
    }
    const buyer = index % 5 === 4 ? desk.guest() : desk.as(regular(1 + ((index * 5) % 12)))
    const method = index % 4 === 1 ? methodAt(index) : undefined
    return boughtAndPaid(desk, {
      ago,
      buyer,
      goods,
      player,
      method,
      next: ({ order }) => deliver(desk, worker, order.orderNo),
    })
  }).flat()
}

interface Paid {
  ago: number
  buyer: DeskCaller
  goods: Goods
  player: readonly string[]
  /** Through the gateway; by transfer without it. */
  method?: GatewayMethod | undefined
  /** By the bank's line after two minutes; with a slip instead. */
  slip?: Partial<SentMoney>
  next?: (bought: Bought) => Promise<unknown>
  /** How many minutes after the order; 12 where nothing is said. */
  nextAfter?: number
}

/** An order that is paid two minutes later, and what follows. */
function boughtAndPaid(desk: DemoDesk, { ago, buyer, goods, player, method, slip, next, nextAfter = 12 }: Paid): Act[] {
  const bought = {} as Bought
  return [
    { ago, run: async () => Object.assign(bought, await buy(desk, buyer, goods, player, method)) },
    { ago: ago - 2, run: () => (slip ? report(desk, bought, slip) : pay(desk, bought)) },
    ...(next ? [{ ago: ago - nextAfter, run: () => next(bought) }] : []),
  ]
}

/** What waits in the queue now, and whose transfers wait to be checked. */
export function waitingWork(desk: DemoDesk): Act[] {
  const claimedBy =
    (uid: string) =>
    ({ order }: Bought) =>
      desk.set(uid, order.orderNo, 'processing')
  const wrong: { bought?: Bought } = {}
  return [
    // Overdue, and with two fields.
    ...boughtAndPaid(desk, {
      ago: 63,
      buyer: desk.as(regular(3)),
      goods: ['genshin', '330 Genesis Crystals'],
      player: ['823004417', 'Asia'],
    }),
    ...boughtAndPaid(desk, {
      ago: 26,
      buyer: desk.as(regular(5)),
      goods: ['rov', '470 คูปอง'],
      player: ['7A0D33E19C', 'เงาพราย'],
      next: claimedBy('demo-manager2'),
      nextAfter: 24,
    }),
    ...boughtAndPaid(desk, {
      ago: 22,
      buyer: desk.guest(),
      goods: ['freefire', '1,060 เพชร'],
      player: ['5440912387'],
      slip: { name: 'น.ส. ปนัดดา ฟ้าใส' },
      next: claimedBy('demo-staff2'),
      nextAfter: 21,
    }),
    {
      ago: 17,
      run: () => spend(desk, 'demo-agent', ['freefire', '310 เพชร'], { player: ['5661203948'], quantity: 3 }),
    },
    ...boughtAndPaid(desk, {
      ago: 14,
      buyer: desk.as(regular(1)),
      goods: ['mlbb', '568 เพชร'],
      player: ['480113377', '2041'],
      slip: { name: 'นาย ณัฐ วงศ์ดี' },
    }),
    ...boughtAndPaid(desk, { ago: 9, buyer: desk.guest(), goods: ['pubg', '325 UC'], player: ['5123456789'] }),
    ...boughtAndPaid(desk, {
      ago: 5,
      buyer: desk.as(regular(8)),
      goods: ['valorant', '1,000 VP'],
      player: ['MintChoco', '9999'],
    }),
    // The wrong player, whom the buyer has corrected since.
    ...boughtAndPaid(desk, {
      ago: 95,
      buyer: desk.as(regular(2)),
      goods: ['freefire', '520 เพชร'],
      player: ['5555555555'],
      nextAfter: 25,
      next: async bought => {
        wrong.bought = bought
        await desk.set('demo-staff', bought.order.orderNo, 'processing')
        await wait(desk, 5)
        await desk.set('demo-staff', bought.order.orderNo, 'failed', 'Player ID ไม่ถูกต้อง')
      },
    }),
    {
      ago: 19,
      run: async () => {
        const { by, order } = wrong.bought!
        await by.call(proposePlayer, { params: { orderNo: order.orderNo }, body: { playerId: '5555855512' } })
      },
    },
    ...reported(desk, {
      ago: 16,
      buyer: desk.as('demo-customer'),
      goods: ['roblox', '800 Robux'],
      player: ['jaidee_play'],
    }),
    ...reported(desk, {
      ago: 11,
      buyer: desk.guest(),
      goods: ['honkai', '330 Oneiric Shard'],
      player: ['801776655', 'Asia'],
      slip: { fault: 'receiver', name: 'นาย วิทยา เร่งรีบ' },
    }),
  ]
}

/** An order whose buyer says that the money was sent; nobody has seen it yet. */
function reported(desk: DemoDesk, { ago, buyer, goods, player, slip }: Paid): Act[] {
  const bought = {} as Bought
  return [
    { ago, run: async () => Object.assign(bought, await buy(desk, buyer, goods, player)) },
    { ago: ago - 3, run: () => report(desk, bought, slip ?? null) },
    // Without a slip it is the bank that knows more: some satang are missing.
    ...(slip
      ? []
      : [{ ago: ago - 4, run: () => desk.bankTells(bought.order.receivingAccount!.id, bought.order.priceSatang) }]),
  ]
}

/** Money that fits nothing by itself, of today and yesterday. */
export function strayMoney(desk: DemoDesk): Act[] {
  const late = {} as Bought
  const twice = {} as Bought
  const bring = (bought: Bought, amountSatang?: number) =>
    desk.bankTells(bought.order.receivingAccount!.id, amountSatang ?? bought.order.amountSatang)
  const order =
    (bought: Bought, uid: string, { goods, player }: (typeof SOLD)[number]) =>
    async () =>
      Object.assign(bought, await buy(desk, desk.as(uid), goods, player))
  return [
    { ago: 290, run: order(late, regular(9), SOLD[2]!) },
    { ago: 205, run: () => bring(late, late.order.priceSatang) },
    { ago: 430, run: order(twice, regular(4), SOLD[3]!) },
    { ago: 428, run: () => pay(desk, twice) },
    { ago: 426, run: () => bring(twice) },
    { ago: 415, run: () => deliver(desk, 'demo-staff2', twice.order.orderNo) },
    { ago: 1205, run: () => desk.bankTells(1, 50_000) },
  ]
}

/** Orders that could not be delivered: two refunds were sent, two are still owed, for different reasons. */
export function refunds(desk: DemoDesk): Act[] {
  const failed = (ago: number, buyer: DeskCaller, sold: (typeof SOLD)[number], reason: string) =>
    boughtAndPaid(desk, {
      ago,
      buyer,
      ...sold,
      nextAfter: 70,
      next: async ({ order: { orderNo } }) => {
        await desk.set('demo-staff', orderNo, 'processing')
        await wait(desk, 6)
        await desk.set('demo-staff', orderNo, 'failed', reason)
        await wait(desk, 15)
        await desk.set('demo-manager', orderNo, 'refunded', reason)
      },
    })
  const oldest = async (uid: string) =>
    (await desk.as(uid).call(listOwedRefunds, { query: { sent: 'false', page: 1, pageSize: 1 } })).rows[0]!
  /** The oldest that is owed goes back to who paid, as its buyer told by telephone. */
  const send = async (uid: string, reference: string) => {
    const { id, payer, payeeVersion } = await oldest(uid)
    const accountNo = `405123${payer!.account!.replaceAll('x', '')}`
    const account = { bankCode: payer!.bankCode, accountNo, accountName: payer!.name!, payeeVersion }
    const named = await desk.as(uid).call(setRefundPayee, { params: { id }, body: account })
    const body = { receivingAccountId: 1, reference, payeeVersion: named.payeeVersion }
    await desk.as(uid).call(sendOwedRefund, { params: { id }, body })
  }
  /** Its buyer wants it on another account: it waits for a second manager. */
  const nameOther = async () => {
    const { id, payeeVersion } = await oldest('demo-manager')
    const account = { bankCode: '014', accountNo: '9871112233', accountName: 'มานะ อดทน', payeeVersion }
    const body = { ...account, reason: 'บัญชีเดิมถูกปิดไปแล้ว' }
    await desk.as('demo-manager').call(setRefundPayee, { params: { id }, body })
  }
  /** A manager asks for the second one, who has not answered yet. */
  const askSecond = async () => {
    const { id, payeeVersion } = await oldest('demo-manager')
    const body = { payeeVersion, isSlipCompared: false }
    const asked = desk.as('demo-manager').call(agreeRefundPayee, { params: { id }, body })
    const code = await asked.then(
      () => 'OK',
      ({ code }: AppError) => code,
    )
    invariant(code === 'SECOND_WORD_NEEDED', `another account takes a second person, not ${code}`)
  }
  return [
    ...failed(3900, desk.as(regular(6)), SOLD[6]!, 'แพ็กเกจหมดที่ผู้จำหน่าย ลูกค้าขอเงินคืน'),
    { ago: 3700, run: () => send('demo-manager', 'KBANK 20261 0412') },
    ...failed(2600, desk.as(regular(10)), SOLD[1]!, 'เซิร์ฟเวอร์เกมปิดปรับปรุงทั้งวัน'),
    { ago: 2380, run: () => send('demo-manager2', 'KBANK 20261 0733') },
    ...failed(1320, desk.as(regular(7)), SOLD[8]!, 'บัญชีเกมอยู่คนละภูมิภาค เติมให้ไม่ได้'),
    { ago: 1200, run: nameOther },
    { ago: 52, run: askSecond },
    ...failed(240, desk.guest(), SOLD[9]!, 'ลูกค้ากรอก Zone ID ผิดและขอเงินคืน'),
  ]
}
