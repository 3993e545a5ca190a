// The shop's own API at a time of one's choosing: what the demo shop did in its last days is done through it.
import { randomBytes, randomUUID } from 'node:crypto'
import { isOwnLineAccount } from '@shop/shared/account/account.ts'
import { listPackages, listReceivingAccounts } from '@shop/shared/catalogue/endpoints.ts'
import { createClient } from '@shop/shared/client.ts'
import type { EndpointInput, EndpointShape, Reply } from '@shop/shared/endpoint.ts'
import { invariant } from '@shop/shared/errors.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { addSeconds, bangkokDay } from '@shop/shared/time.ts'
import { hashSecret } from 'functions/src/account/caller.ts'
import type { TokenVerifier } from 'functions/src/account/token.ts'
import { readConfig } from 'functions/src/config/config.ts'
import { readSuppliers } from 'functions/src/cost/following.ts'
import { DEMO_PROJECT } from 'functions/src/environment/environment.ts'
import { chargeAskHandler, chargeEndHandler } from 'functions/src/gateway/asking.ts'
import { RATE_LIMIT } from 'functions/src/http/rate-limit.ts'
import { supplierAskHandler, supplierDeliveryHandler } from 'functions/src/order/delivering/supplier-delivery.ts'
import { lockChargedOrder } from 'functions/src/order/paying/charged-order.ts'
import { expireOrders } from 'functions/src/order/paying/expiry.ts'
import { orderOfSlip } from 'functions/src/order/paying/slip-subject.ts'
import { createDrain } from 'functions/src/outbox/drain.ts'
import { slipCheckHandler } from 'functions/src/slipcheck/check.ts'
import { createApp } from 'functions/src/start/app.ts'
import { openShop } from 'functions/src/start/open-shop.ts'
import { matchLines } from 'functions/src/statement/matching.ts'
import { watchSuppliers } from 'functions/src/supplier/watch.ts'
import { insertSlip } from 'functions/src/upload/store.ts'
import { topUpOfSlip } from 'functions/src/wallet/slip-subject.ts'
import { lockChargedTopUp } from 'functions/src/wallet/top-up-charge.ts'
import { uuidv7 } from 'uuidv7'
import { openOutside } from './demo-outside.ts'
import { DEMO_PAYER, drawSlip, slipQrText } from './demo-slip.ts'
import { tellMovements } from './demo-statement.ts'
import { demoLine } from './line-emulator/demo.ts'
import type { Fault } from './slip-provider/register.ts'
import type { RunningSupplier } from './supplier/server.ts'

/** Nobody is slowed down in the past. */
const UNLIMITED = Object.fromEntries(Object.values(RATE_LIMIT).map(({ variable }) => [variable, '1000000']))

const CHARGE_OWNERS = { order: lockChargedOrder, topUp: lockChargedTopUp }

/** Somebody at the desk; each call is made at the desk's time. */
export interface DeskCaller {
  /** Under which the shop keeps what is theirs. */
  key: string
  call<E extends EndpointShape>(endpoint: E, input: Omit<EndpointInput<E>, 'idempotencyKey'>): Promise<Reply<E>>
}

/** Something that somebody did so many minutes before now. */
export interface Act {
  ago: number
  run: () => Promise<unknown>
}

export interface DemoDesk {
  /** From now on it is that time; the shop's jobs of the time between are done. */
  moveTo(at: Date): Promise<void>
  now(): Date
  /** A person with an account. */
  as(uid: string): DeskCaller
  /** A machine of an agent's, by the token of its key. */
  machine(token: string): DeskCaller
  /** Another guest every time. */
  guest(): DeskCaller
  /** A slip of a transfer, as its sender uploads it; the bank knows the transfer unless it is told otherwise. */
  slip(owner: DeskCaller, sent: SentMoney): Promise<string>
  /** The bank shows money on an account, now or some seconds ago, and the shop looks whose it is. @param detail the bank's own words */
  bankTells(accountId: number, amountSatang: number, more?: { secondsAgo?: number; detail?: string }): Promise<void>
  /** The buyer of an order pays its newest charge in the app of their bank. */
  gatewayTakes(orderNo: string): Promise<void>
  suppliers: readonly RunningSupplier[]
  /** Suppliers tell what they have delivered meanwhile. */
  suppliersTell(): Promise<void>
  /** The shop reads the suppliers' lists, and its balances there. */
  readSuppliers(): Promise<void>
  /** Staff say what became of an order. */
  set(uid: string, orderNo: string, status: string, text?: string): Promise<void>
  /** What is sold of a game under that name. */
  findOffer(gameCode: string, packageName: string): Promise<{ gameId: number; packageId: number }>
  /** One of the shop's accounts, another one each time. */
  nextAccount(): Promise<number>
  /** Asks the bank about the slips that were handed in, and delivers what needs nobody. */
  runJobs(): Promise<void>
  close(): Promise<void>
}

export interface SentMoney {
  amountSatang: number
  /** The shop's account. */
  to: number
  /** What the slip shows; without it the same. */
  shownSatang?: number
  fault?: Fault
  name?: string
}

/** @param databaseUrl of the demo shop, whose past is not told in LINE: what was put down for it is deleted in the end */
export async function openDesk(databaseUrl: string, filesDir: string): Promise<DemoDesk> {
  let time = new Date()
  const now = () => time
  const outside = await openOutside(now, async (path, message) => {
    await app.request(path, { method: 'POST', ...message })
  })
  const { bank, gateway, suppliers } = outside
  const config = readConfig({
    NODE_ENV: 'development',
    GCLOUD_PROJECT: DEMO_PROJECT,
    FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:1',
    DATABASE_URL: databaseUrl,
    FILES_DIR: filesDir,
    CATALOGUE_CHECK_MS: '0',
    // Nothing is sent from here, but what is to be told is put down.
    LINE_CHANNEL_ACCESS_TOKEN: demoLine.messagingChannel.accessToken,
    LINE_CHANNEL_SECRET: demoLine.messagingChannel.secret,
    ...outside.environment,
    ...UNLIMITED,
  })
  // Nobody signs in: a token is the uid.
  const verifyToken: TokenVerifier = async uid => ({
    uid,
    email: null,
    emailVerified: true,
    provider: isOwnLineAccount(uid) ? 'custom' : 'password',
    name: null,
    signedInAt: time,
    lineLink: null,
  })
  const shop = { ...(await openShop(config, now)), verifyToken }
  const app = createApp(shop)
  let orders = 0
  let packages: Promise<Reply<typeof listPackages>> | undefined
  let accounts: Promise<Reply<typeof listReceivingAccounts>> | undefined
  // Of the shop's jobs only these matter in the past.
  const drain = createDrain(shop, {
    'slip.check': slipCheckHandler({ order: orderOfSlip, topUp: topUpOfSlip }),
    'supplier.deliver': supplierDeliveryHandler,
    'supplier.ask': supplierAskHandler,
    'charge.ask': chargeAskHandler(CHARGE_OWNERS),
    'charge.end': chargeEndHandler(CHARGE_OWNERS),
  })

  function caller(key: string, headers: Record<string, string>): DeskCaller {
    const fetch = async (path: string | URL | Request, init?: RequestInit) => app.request(String(path), init)
    const client = createClient({ baseUrl: '', headers: () => headers, fetch })
    const call = client.call as unknown as (endpoint: EndpointShape, input: object) => Promise<never>
    return { key, call: (endpoint, input) => call(endpoint, { ...input, idempotencyKey: randomUUID() }) }
  }
  const as = (uid: string) => caller(`u:${uid}`, { authorization: `Bearer ${uid}` })

  let last = uuidv7()
  /** The ledger goes by the database's clock: what was posted since the last time is dated by the desk's. */
  async function dateLedger(): Promise<void> {
    await shop.db.query({
      text: `WITH fresh AS (UPDATE ledger_transaction SET at = $2 WHERE id > $1 RETURNING id)
        UPDATE ledger_entry e SET at = $2 FROM fresh WHERE e.transaction_id = fresh.id`,
      values: [last, time],
    })
    last = uuidv7()
  }

  return {
    as,
    now,
    machine: token => caller(token, { authorization: `Bearer ${token}` }),
    async moveTo(at) {
      await dateLedger()
      time = at
      await expireOrders(shop)
    },
    guest() {
      const secret = randomBytes(16).toString('base64url')
      return caller(`g:${hashSecret(secret)}`, { 'guest-key': secret })
    },
    async findOffer(gameCode, packageName) {
      packages ??= as('demo-staff').call(listPackages, {})
      const found = (await packages).find(each => each.gameCode === gameCode && each.name === packageName)
      invariant(found, `the demo shop sells ${packageName} of ${gameCode}`)
      return { gameId: found.gameId, packageId: found.id }
    },
    async nextAccount() {
      accounts ??= as('demo-staff').call(listReceivingAccounts, {})
      return (await accounts)[orders++ % (await accounts).length]!.id
    },
    async slip({ key }, { amountSatang, shownSatang = amountSatang, to, fault, name = DEMO_PAYER.name }) {
      const reference = bangkokDay(time).replaceAll('-', '') + randomBytes(8).toString('hex').toUpperCase()
      const payer = { ...DEMO_PAYER, name }
      const [receiver] = await shop.db.query<{ bankCode: string; accountNo: string; name: string; promptPayId: null }>({
        text: `SELECT bank_code AS "bankCode", account_no AS "accountNo", account_name AS name, NULL AS "promptPayId"
          FROM receiving_account WHERE id = $1`,
        values: [to],
      })
      const sent = { amountSatang: shownSatang, at: addSeconds(time, -60), payer, receiver: receiver! }
      bank.add({ sendingBank: '014', reference, ...sent }, fault ? [fault] : [])
      const body = await drawSlip('014', reference, sent)
      const id = uuidv7()
      const fileKey = `slips/${id}.jpg`
      await shop.files.write(fileKey, body, 'image/jpeg')
      const picture = {
        fileKey,
        pictureHash: null,
        width: 720,
        height: 1280,
        byteSize: body.byteLength,
        qrText: slipQrText('014', reference),
      }
      const from = { sendingBank: '014', bankReference: reference }
      await insertSlip(shop.db, { id, uploaderKey: key, ...picture, ...from, usedFor: null, createdAt: time })
      return id
    },
    async bankTells(accountId, amountSatang, { secondsAgo = 0, detail } = {}) {
      const movement = { at: addSeconds(time, -secondsAgo), amountSatang, detail }
      await shop.db.transaction(tx => tellMovements(tx, accountId, [movement], time))
      await matchLines(shop)
    },
    async gatewayTakes(orderNo) {
      const charge = [...gateway.register.charges.values()].findLast(({ description }) => description === orderNo)
      invariant(charge, 'an order through the gateway has a charge')
      await gateway.register.pay(charge.id)
      await drain.run()
    },
    suppliers,
    async suppliersTell() {
      for (const each of suppliers) await each.tellDue()
      await drain.run()
    },
    async readSuppliers() {
      await readSuppliers(shop)
      await watchSuppliers(shop)
    },
    runJobs: () => drain.run(),
    async set(uid, orderNo, status, text) {
      const body = { orderNo, status: status as 'paid', reason: text, deliveryReference: text }
      await as(uid).call(updateOrderStatus, { body })
    },
    async close() {
      await drain.close()
      await shop.keyUse.flush()
      await dateLedger()
      // In LINE nobody is told today of what is over; the group of the staff hears of what waits for them.
      await shop.db.query({
        text: `DELETE FROM outbox j WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.status = 'paid'
          AND j.payload->>'event' = 'orderPaid' AND j.payload->>'id' = o.id::text)`,
      })
      await Promise.all([outside.stop(), shop.db.close()])
    },
  }
}
