import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import type { ToldCharge as HeardCharge } from '@shop/shared/gateway/gateway.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { GatewayName } from '@shop/shared/provider-names.ts'

declare module '../shop/shop.ts' {
  interface Shop {
    /** null when nothing is collected by a payment gateway. */
    gateway: Gateway | null
  }
}

/** What the shop asks a gateway to collect. */
export interface ChargeRequest {
  /** The shop's own id of the charge, which the gateway keeps and lists. */
  chargeId: string
  method: GatewayMethod
  amountSatang: Satang
  /** What the gateway's own pages and lists show: the order's or the top-up's number. */
  description: string
  /** When the charge must end by itself, where the gateway can do that. */
  expiresAt: Date
  /** Where a buyer comes back to after paying on another page or in another app. */
  returnUrl: string
  /** Where the gateway writes to the buyer, if it asks for an address. */
  email: string
}

/** How a buyer pays a waiting charge: with a QR code that is shown to them, or on the page or app that an address opens. */
export type Pay = { by: 'qr'; svg: string } | { by: 'qrText'; text: string } | { by: 'page'; url: string }

/** How a charge stands at a gateway: as it is decided on, with what only the gateway knows. */
export type ChargeState =
  | { kind: 'waiting'; pay: Pay | null; expiresAt: Date | null }
  | Extract<HeardCharge['state'], { kind: 'paid' | 'expired' }>
  | { kind: 'failed'; code: string | null }

/** A charge as a gateway's client reads it. */
export interface ToldCharge extends HeardCharge {
  createdAt: Date
  state: ChargeState
}

/** Why there is no answer about a charge. */
export type GatewayFailure =
  /** It takes no such charge: the amount, the method or the account's permissions. */
  | { kind: 'refused'; code: string | null }
  /** It takes nothing from this shop: wrong keys, or the account is closed. */
  | { kind: 'barred'; code: string | null }
  | { kind: 'missing' }
  /** Too many questions; `retryAt` when it said so. */
  | { kind: 'busy'; retryAt: Date | null }
  /** No whole answer, or one that can't be read: it may have happened or not. */
  | { kind: 'silent' }

export type ChargeAnswer = { kind: 'charge'; charge: ToldCharge } | GatewayFailure

/** A page of the gateway's own list; `isWhole` is false when charges of the period are missing from it. */
export type ChargeList = { kind: 'list'; charges: ToldCharge[]; isWhole: boolean } | GatewayFailure

/** A service that collects money for the shop. None of its calls throws: every failure on the way is an answer. */
export interface Gateway {
  name: GatewayName
  /** Whether its key moves real money. */
  isLive: boolean
  /** The methods that it collects by, with the least and most that one charge may have. */
  methods: Readonly<Partial<Record<GatewayMethod, { leastSatang: Satang; mostSatang: Satang }>>>
  /** Whether the same request makes one charge, however often it is sent. */
  makesOnce: boolean
  /** Makes a charge. After silence it may exist: `list` finds it by the shop's id. */
  create(request: ChargeRequest): Promise<ChargeAnswer>
  read(reference: string): Promise<ChargeAnswer>
  /** Ends a waiting charge and tells how it stands then: a payment that was faster wins. */
  end(reference: string): Promise<ChargeAnswer>
  /**
   * Returns which charge a webhook is about, if it is about one; null when the message is not the gateway's or is older than
   * five minutes. What it says of the charge is not read.
   */
  hear(headers: Headers, rawBody: Buffer, now: Date): { reference: string | null } | null
  /** All charges that were made in a period, the oldest first. */
  list(period: { from: Date; to: Date }): Promise<ChargeList>
  /** Asks whether the keys are right, which moves nothing. */
  standing(): Promise<{ kind: 'ok' } | { kind: 'refused'; httpStatus: number } | { kind: 'silent' }>
}
