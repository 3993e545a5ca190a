import { randomBytes } from 'node:crypto'

/** What can go wrong with a call: the answer, or that there is none. `lost` stores what was asked for before the line is cut. */
export const FAULTS = ['key', 'tooMany', 'broken', 'lost', 'slow', 'hang', 'halfList'] as const
export type Fault = (typeof FAULTS)[number]

/** What can go wrong with a message to the shop. */
export const MESSAGE_FAULTS = ['never', 'twice', 'forged', 'old', 'early'] as const
export type MessageFault = (typeof MESSAGE_FAULTS)[number]

/** A charge, as the gateway knows it. */
export interface Charge {
  id: string
  amountSatang: number
  currency: string
  method: string
  metadata: Record<string, string>
  description: string
  returnUrl: string | null
  createdAt: Date
  expiresAt: Date
  status: 'pending' | 'successful' | 'failed' | 'expired'
  failureCode: string | null
  paidAt: Date | null
}

/** Fee and its tax in satang: 1.65 % and 7 % of that. */
export function feesOf(amountSatang: number): { fee: number; tax: number } {
  const fee = Math.round(amountSatang * 0.0165)
  return { fee, tax: Math.round(fee * 0.07) }
}

const newId = (prefix: string): string => `${prefix}_test_${randomBytes(10).toString('hex').slice(0, 19)}`

/** The gateway's charges, and what is to go wrong next. */
export class Register {
  readonly charges = new Map<string, Charge>()
  /** Taken one by one, by any call of the shop. */
  faults: Fault[] = []
  messageFaults: MessageFault[] = []
  readonly #now: () => Date
  readonly #tell: (key: string, charge: Charge) => Promise<void>

  /** @param tell sends the shop a message about a charge */
  constructor(now: () => Date, tell: (key: string, charge: Charge) => Promise<void>) {
    this.#now = now
    this.#tell = tell
  }

  create(
    asked: Pick<Charge, 'amountSatang' | 'method' | 'metadata' | 'description' | 'returnUrl' | 'expiresAt'>,
  ): Charge {
    const made: Charge = {
      ...asked,
      id: newId('chrg'),
      currency: 'THB',
      createdAt: this.#now(),
      status: 'pending',
      failureCode: null,
      paidAt: null,
    }
    this.charges.set(made.id, made)
    return made
  }

  /** Returns a charge as it is now; its time may be over. */
  find(id: string): Charge | null {
    const charge = this.charges.get(id) ?? null
    if (charge?.status === 'pending' && charge.expiresAt <= this.#now()) charge.status = 'expired'
    return charge
  }

  /** The buyer's bank says yes; that may be after the charge was over. */
  async pay(id: string): Promise<void> {
    await this.#end(id, { status: 'successful', failureCode: null, paidAt: this.#now() })
  }

  async fail(id: string, failureCode = 'payment_rejected'): Promise<void> {
    await this.#end(id, { status: 'failed', failureCode, paidAt: null })
  }

  /** Ends a charge that waits; returns null for one that is over. */
  async expire(id: string): Promise<Charge | null> {
    if (this.find(id)?.status !== 'pending') return null
    await this.#end(id, { status: 'expired', failureCode: null, paidAt: null })
    return this.find(id)
  }

  async #end(id: string, change: Pick<Charge, 'status' | 'failureCode' | 'paidAt'>): Promise<void> {
    const charge = this.find(id)
    if (!charge || charge.status === 'successful') return
    Object.assign(charge, change)
    await this.#tell('charge.complete', charge)
  }
}
