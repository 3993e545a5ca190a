import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import { createApiOrder } from '@shop/shared/reseller/v1-endpoints.ts'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished } from 'vitest'
import { openDrain } from '../start/outbox-kind.ts'
import { createChatShop } from '../testing/chat.ts'
import { fixture } from '../testing/fixture.ts'
import { addKey, machineOf } from '../testing/machine.ts'
import { openRandom, type Random, testAtRandom } from '../testing/random.ts'
import { addAccount, type TestShop } from '../testing/shop.ts'
import { openTurns } from '../testing/turns.ts'
import { addWallet } from '../testing/wallet.ts'
import { addEndpoint, endpointOf, messagesOf } from '../testing/webhook.ts'
import type { Answer, Post } from './post.ts'
import { switchOff } from './sending-store.ts'
import { newSecret } from './sign.ts'
import { renewSecret, switchOn } from './store.ts'

const AGENTS = ['agent', 'agent-2', 'agent-3']

/** What a reseller's machine may do with a delivery, and whether it has it then. */
const FAULTS: { does: string; isTaken: boolean; answer: Answer | null }[] = [
  { does: 'is broken', isTaken: false, answer: { status: 500, retryAfter: null } },
  { does: 'is busy for ten minutes', isTaken: false, answer: { status: 429, retryAfter: '600' } },
  { does: 'is away', isTaken: false, answer: { error: 'unreachable' } },
  { does: 'takes it, and its answer is lost', isTaken: true, answer: { error: 'broken' } },
  { does: 'takes it, and the shop dies', isTaken: true, answer: null },
]

interface Machine {
  uid: string
  id: string
  url: string
  /** The newest first, of which the shop may sign with the first two. */
  secrets: string[]
  /** Whether its owner, or the shop, ever switched it off. */
  wasOff: boolean
}

interface Taken {
  machine: Machine
  webhookId: string
  body: string
  isAnswered: boolean
}

/** Receivers that fail as the draw says, until told to be well. */
function openMachines(it: TestShop, { pick, below, tell }: Random) {
  const machines: Machine[] = []
  const taken: Taken[] = []
  const state = { areWell: false }
  const isSigned = ({ secrets }: Machine, { headers, body }: Post) => {
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    const signed = secrets.map(secret => new Webhook(secret).sign(headers['webhook-id']!, at, body))
    return headers['webhook-signature']!.split(' ').some(each => signed.includes(each))
  }
  it.shop.webhooks = {
    check: async () => null,
    async send(post) {
      const machine = machines.find(({ url }) => url === post.url)!
      const webhookId = post.headers['webhook-id']!
      expect(isSigned(machine, post), `${webhookId} is signed for ${post.url}`).toBe(true)
      const fault = state.areWell || below(2) === 0 ? null : pick(FAULTS)!
      tell(`${post.url} ${fault?.does ?? 'takes'} ${post.body}`)
      if (!fault || fault.isTaken) taken.push({ machine, webhookId, body: post.body, isAnswered: !fault })
      if (fault?.answer === null) throw new Error('the shop died')
      return fault?.answer ?? { status: 204, retryAfter: null }
    },
  }
  return { machines, taken, state }
}

/** The states to which staff take an order, and how many events each change is told by. */
const NEXT: Partial<Record<OrderStatus, readonly [to: OrderStatus, events: number][]>> = {
  paid: [['processing', 1]],
  processing: [
    ['success', 1],
    ['failed', 1],
    ['paid', 0],
  ],
  // The order, and the money that is back on the wallet.
  failed: [['refunded', 2]],
}

interface Bought {
  uid: string
  orderNo: string
  status: OrderStatus
}

const NAME = 'events and receivers that fail at random, two drains at once: each arrives, and only where it belongs'

testAtRandom(NAME, { size: 30 }, async random => {
  const { size, isWhole, below, pick, tell } = random
  const it = await createChatShop()
  onTestFinished(() => it.close())
  // The ledger's moments are the database's own.
  it.clock.now = new Date()
  const { machines, taken, state } = openMachines(it, random)
  const programs = new Map<string, ReturnType<typeof machineOf>>()
  for (const uid of AGENTS) {
    if (uid !== 'agent') await addAccount(it, uid, 'agent')
    await addWallet(it.db, { uid, balanceSatang: 100_000_000, pin: '1234', now: it.clock.now })
    programs.set(uid, machineOf(it.request, (await addKey(it, uid)).token))
  }
  const turns = openTurns(openRandom(random, size, tell))
  const drains = ['one', 'two'].map(name => openDrain(turns.serverOf(it.shop, `server ${name}`)))
  const both = () => Promise.all(drains.map(each => each.run()))
  const orders: Bought[] = []
  let put = 0

  const addMachine = async () => {
    const uid = pick(AGENTS)!
    if (machines.filter(each => each.uid === uid).length === 3) return
    const url = `https://machine-${machines.length + 1}.example/hook`
    const { id, secret } = await addEndpoint(it, uid, { url })
    machines.push({ uid, id, url, secrets: [secret], wasOff: false })
    tell(`${uid} adds ${url}`)
  }
  const buy = async () => {
    const uid = pick(AGENTS)!
    const body = { ref: `ref-${orders.length}`, packageId: fixture.pubg.package, playerId: '51', quantity: 1 } as never
    const placed = await programs.get(uid)!(createApiOrder, { body })
    expect(placed.status).toBe(200)
    orders.push({ uid, orderNo: placed.body.id, status: 'paid' })
    tell(`${uid} buys ${orders.length}`)
  }
  const goOn = async () => {
    const order = pick(orders.filter(({ status }) => NEXT[status]))
    if (!order) return
    const [status, events] = pick(NEXT[order.status]!)!
    const change = { orderNo: order.orderNo, status, reason: 'ตรวจแล้ว', deliveryReference: 'REF' }
    await it.as('manager').call(updateOrderStatus, { body: change })
    order.status = status
    let listening = 0
    for (const { uid, id } of machines) if (uid === order.uid && (await endpointOf(it, id)).isOn) listening++
    put += events * listening
    tell(`order ${orders.indexOf(order) + 1} becomes ${status}, ${listening} listen`)
  }
  const turn = async () => {
    const machine = pick(machines)
    if (!machine) return
    const { isOn } = await endpointOf(it, machine.id)
    machine.wasOff = true
    await (isOn ? switchOff(it.db, machine.id, 'owner', it.clock.now) : switchOn(it.db, machine.id))
    tell(`${machine.url} is switched ${isOn ? 'off' : 'on'}`)
  }
  const renew = async () => {
    const machine = pick(machines)
    if (!machine) return
    const secret = newSecret()
    await renewSecret(it.db, machine.id, it.shop.vouchers!.sealText(machine.id, secret), it.clock.now)
    machine.secrets.unshift(secret)
    machine.secrets.splice(2)
    tell(`${machine.url} has a new secret`)
  }
  const wait = async () => {
    it.clock.advance(below(900))
    await both()
  }
  for (let step = 0; step < size * 6; step++)
    await pick([addMachine, buy, buy, goOn, goOn, goOn, goOn, turn, renew, wait, wait])!()

  state.areWell = true
  tell('every machine is well')
  for (let hour = 0; hour < 30; hour++) {
    it.clock.advance(3600)
    await both()
  }
  const messages = await messagesOf(it)
  expect(messages).toHaveLength(put)
  expect(messages.filter(({ state: each }) => each === 'waiting')).toEqual([])
  const byId = new Map(messages.map(message => [`msg_${message.id}`, message]))
  for (const { machine, webhookId, body } of taken)
    expect(byId.get(webhookId)).toMatchObject({ endpointId: machine.id, body })
  const answered = taken.filter(({ isAnswered }) => isAnswered).map(({ webhookId }) => webhookId)
  // Who has answered is not told again; without an answer it may come twice, and is never left out.
  expect(new Set(answered).size).toBe(answered.length)
  expect(new Set(answered)).toEqual(
    new Set(messages.filter(({ state: each }) => each === 'done').map(({ id }) => `msg_${id}`)),
  )
  for (const { id, wasOff } of machines) {
    const { offFor } = await endpointOf(it, id)
    const untold = messages.filter(({ endpointId, state: each }) => endpointId === id && each !== 'done')
    if (!wasOff && !offFor) expect(untold).toEqual([])
  }
  // Otherwise nothing was tried.
  if (!isWhole) return
  expect(answered.length).toBeGreaterThan(0)
  expect(taken.length).toBeGreaterThan(answered.length)
})
