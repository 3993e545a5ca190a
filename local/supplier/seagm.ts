import { toDecimalText } from '@shop/shared/money.ts'
import { signSeagm } from 'functions/src/supplier/seagm.ts'
import { type Answer, type Api, type Call, HIDDEN_BY_ANY, REFUSED_BY_ANY, type Site } from './api.ts'
import type { Fault } from './faults.ts'
import type { Booked, Product, Progress } from './register.ts'

/** What the demo shop enters with. */
export const SEAGM_KEYS = { uid: '10000', secretKey: 'demo-supplier-secret-key' }
const CLOCK_SECONDS = 120

const STATUS_CODE: Record<Progress, number> = {
  waiting: 10001,
  sending: 10002,
  delivered: 10003,
  failed: 10004,
  refunded: 10005,
  undocumented: 10999,
}
const REASON: Partial<Record<Progress, string>> = { failed: 'Invalid account', refunded: 'Out of service' }

const said = (code: number, data?: unknown): Answer => ({
  status: code,
  body: { code, msg: code < 300 ? 'OK' : `Error ${code}`, ...(data !== undefined && { data }) },
})
const refused = (info_code: number, info_message: string): Answer => ({
  status: 400,
  body: { code: 400, msg: 'Error 400', error_info: { info_code, info_message } },
})
const DUPLICATE = refused(20099, 'Duplicate order.')

/** What the shop gets when a fault keeps a purchase from being booked. */
const REFUSED: Partial<Record<Fault, Answer>> = {
  ...REFUSED_BY_ANY,
  tooMany: said(429),
  key: said(401),
}
/** What the shop gets when a purchase is booked but a fault hides that from the shop. */
const BOOKED_BUT: Partial<Record<Fault, Answer>> = {
  ...HIDDEN_BY_ANY,
  repeated: DUPLICATE,
  unknownCode: said(299),
}

const viewProduct = ({ id, name, category, priceSatang, fields }: Product, isDearer: boolean) => ({
  id,
  name,
  category_id: category.id,
  unit_price: toDecimalText(priceSatang * (isDearer ? 2 : 1)),
  currency: 'THB',
  fields: fields.map(field => ({ name: field, label: field, type: 'input' })),
})

/** Speaks as SEAGM's API for top-ups and cards. */
export function seagmApi({ register, now, tell }: Site): Api {
  /** Half of the cards have the names that one client knows, the others those of another. */
  const viewCards = (booked: Booked) =>
    register
      .codesOf(booked)
      .slice(0, sentOf(booked))
      .map((code, at) => {
        const serial = `S${booked.id}${at}`
        return at % 2 === 0
          ? { card_number: code, card_pin: '', serial, expired: '2031-12-31' }
          : { number: code, pin: null, serial_number: serial, validDate: '2031-12-31 23:59:59' }
      })
  const sentOf = (booked: Booked) => booked.quantity - (booked.fault === 'partial' ? 1 : 0)

  function viewBooked(booked: Booked): Record<string, string | number> {
    const progress = register.progressOf(booked)
    const sent = progress === 'delivered' ? sentOf(booked) : 0
    return {
      id: booked.id,
      mch_order_id: booked.reference,
      type_id: booked.product.id,
      buy_amount: booked.quantity,
      pay_amount: toDecimalText(booked.costSatang),
      currency: 'THB',
      send_amount: sent,
      status_code: STATUS_CODE[progress],
      refunded_reason: REASON[progress] ?? '',
      timestamp: Math.floor(now().getTime() / 1000),
    }
  }

  const callbackOf: Api['callbackOf'] = (booked, change) => {
    const view = { ...viewBooked(booked), ...(change === 'outdated' && { status_code: STATUS_CODE.sending }) }
    const params = Object.fromEntries(Object.entries(view).map(([name, value]) => [name, String(value)]))
    const signature = signSeagm(params, change === 'forged' ? 'somebody else' : SEAGM_KEYS.secretKey)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return { headers, body: new URLSearchParams({ ...params, signature }).toString() }
  }
  /** A callback has no cards in it. */
  const viewOrder = (booked: Booked) =>
    booked.product.delivers === 'code' ? { ...viewBooked(booked), cards: viewCards(booked) } : viewBooked(booked)

  const sellsAs = (isCard: boolean) => (each: Product) => (each.delivers === 'code') === isCard

  async function buy({ params }: Call, isCard: boolean): Promise<Answer> {
    const {
      type_id,
      buy_amount,
      mch_order_id: reference = '',
      uid: _uid,
      timestamp: _time,
      signature: _sign,
      ...fields
    } = params
    const product = register.products.filter(sellsAs(isCard)).find(({ id }) => id === type_id)
    if (!product) return refused(20077, "Type doesn't exist.")
    if (register.booked.has(reference)) return DUPLICATE
    const fault = register.faults.shift() ?? null
    const quantity = Number(buy_amount)
    const refusal = REFUSED[fault as Fault]
    if (refusal) return refusal
    if (fault === 'noBalance' || register.balanceSatang < product.priceSatang * quantity) return said(402)
    const booked = register.book(reference, product, quantity, fields, fault)
    if (fault === 'callbackFirst') await tell(callbackOf(booked, 'outdated')!)
    if (fault === 'slow') await new Promise(resolve => setTimeout(resolve, 100))
    return BOOKED_BUT[fault as Fault] ?? said(201, viewOrder(booked))
  }

  function statusOf(reference: string): Answer {
    const booked = register.booked.get(reference)
    if (!booked || booked.hiddenFor > 0) {
      if (booked) booked.hiddenFor--
      return said(404)
    }
    booked.asks++
    return said(200, viewOrder(booked))
  }

  function productOf(id: string | undefined, isCard: boolean): Answer {
    const [fault] = register.faults
    const found = register.products.filter(sellsAs(isCard)).find(each => each.id === id)
    if (fault === 'gone' || fault === 'price') register.faults.shift()
    return found && fault !== 'gone' ? said(200, viewProduct(found, fault === 'price')) : said(404)
  }

  function listProducts(categoryId: string | undefined, isCard: boolean): Answer {
    const products = register.products.filter(sellsAs(isCard)).filter(({ category }) => category.id === categoryId)
    return said(
      200,
      products.map(each => viewProduct(each, false)),
    )
  }

  return {
    environmentAt: origin => ({
      SEAGM_BASE_URL: origin,
      SEAGM_UID: SEAGM_KEYS.uid,
      SEAGM_SECRET_KEY: SEAGM_KEYS.secretKey,
    }),
    matches: path => path.startsWith('/v1/'),
    referenceOf: ({ params }) => params.mch_order_id ?? null,
    answer(call) {
      const [, , noun, id, part] = call.path.split('/')
      const { signature, ...params } = call.params
      const age = Math.abs(now().getTime() / 1000 - Number(params.timestamp))
      if (params.uid !== SEAGM_KEYS.uid) return said(401)
      if (age > CLOCK_SECONDS || signature !== signSeagm(params, SEAGM_KEYS.secretKey)) return said(409)
      if (noun === 'me')
        return said(200, { id: SEAGM_KEYS.uid, balance: toDecimalText(register.balanceSatang), currency: 'THB' })
      const [kind, what] = (noun ?? '').split('-')
      const isCard = kind === 'card'
      if (kind !== 'recharge' && !isCard) return said(404)
      if (what === 'orders') return call.method === 'POST' ? buy(call, isCard) : statusOf(id ?? '')
      if (what === 'types') return productOf(id, isCard)
      const sold = register.products.filter(sellsAs(isCard))
      const categories = new Map(sold.map(({ category }) => [category.id, category]))
      return part ? listProducts(id, isCard) : said(200, [...categories.values()])
    },
    callbackOf,
  }
}
