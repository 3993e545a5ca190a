/** What can go wrong with a call: the answer, or that there is none. `lost` stores what was asked for before the line is cut. */
export const FAULTS = ['key', 'tooMany', 'broken', 'lost', 'slow', 'hang', 'halfList'] as const
export type Fault = (typeof FAULTS)[number]

/** What can go wrong with a message to the shop. `early` comes before what it tells has happened. */
export const MESSAGE_FAULTS = ['never', 'late', 'twice', 'forged', 'old', 'early'] as const
export type MessageFault = (typeof MESSAGE_FAULTS)[number]

/** What can be different in a payment from what the shop has asked for. */
export const PAYMENT_FAULTS = ['amount', 'currency', 'mode'] as const
export type PaymentFault = (typeof PAYMENT_FAULTS)[number]

/** A charge, as the gateway knows it. */
export interface Charge {
  id: string
  amountSatang: number
  currency: string
  isLive: boolean
  method: string
  metadata: Record<string, string>
  description: string
  returnUrl: string | null
  createdAt: Date
  /** null for one that does not end by itself. */
  expiresAt: Date | null
  status: 'pending' | 'successful' | 'failed' | 'expired'
  failureCode: string | null
  paidAt: Date | null
  /** What was paid back to the payer at the gateway's own page. */
  refundedSatang: number
}

/** How a charge ended, as it is told to the shop and listed. */
export interface GatewayEvent {
  id: string
  end: Exclude<Charge['status'], 'pending'>
  charge: Charge
  at: Date
}

/** Fee and its tax in satang: 1.65 % and 7 % of that. */
export function feesOf(amountSatang: number): { fee: number; tax: number } {
  const fee = Math.round(amountSatang * 0.0165)
  return { fee, tax: Math.round(fee * 0.07) }
}

/** An answer to the shop. */
export interface Answer {
  status: number
  body: object
  headers?: Record<string, string>
}

const DIFFERENT: Record<PaymentFault, (charge: Charge) => Partial<Charge>> = {
  amount: ({ amountSatang }) => ({ amountSatang: amountSatang - 100 }),
  currency: () => ({ currency: 'USD' }),
  mode: ({ isLive }) => ({ isLive: !isLive }),
}

interface RegisterOptions {
  now: () => Date
  newId: (of: 'charge' | 'event') => string
  /** Sends the shop a message. */
  tell: (event: GatewayEvent, fault: MessageFault | null) => Promise<void>
}

/** The gateway's charges, and what is to go wrong next. */
export class Register {
  readonly charges = new Map<string, Charge>()
  readonly events: GatewayEvent[] = []
  /** What was answered to each idempotency key. */
  readonly kept = new Map<string, { asked: string; answer: Answer }>()
  /** Taken one by one, by any call of the shop. */
  faults: Fault[] = []
  messageFaults: MessageFault[] = []
  /** Taken one by one, by payments. */
  paymentFaults: PaymentFault[] = []
  readonly #options: RegisterOptions

  constructor(options: RegisterOptions) {
    this.#options = options
  }

  create(
    asked: Pick<Charge, 'amountSatang' | 'method' | 'metadata' | 'description' | 'returnUrl' | 'expiresAt'>,
  ): Charge {
    const made: Charge = {
      ...asked,
      id: this.#options.newId('charge'),
      currency: 'THB',
      isLive: false,
      createdAt: this.#options.now(),
      status: 'pending',
      failureCode: null,
      paidAt: null,
      refundedSatang: 0,
    }
    this.charges.set(made.id, made)
    return made
  }

  /** Returns a charge as it is now; its time may be over. */
  find(id: string): Charge | null {
    const charge = this.charges.get(id) ?? null
    const isOver = charge?.status === 'pending' && charge.expiresAt && charge.expiresAt <= this.#options.now()
    if (isOver) charge.status = 'expired'
    return charge
  }

  /** Returns the charges that were made in a period, the oldest first. */
  between(from: Date, to: Date): Charge[] {
    const all = [...this.charges.keys()].map(id => this.find(id)!)
    return all.filter(({ createdAt }) => createdAt >= from && createdAt <= to)
  }

  /** The buyer's bank says yes; that may be after the charge was over. */
  async pay(id: string): Promise<void> {
    const charge = this.find(id)
    const fault = charge && charge.status !== 'successful' ? this.paymentFaults.shift() : undefined
    if (charge && fault) Object.assign(charge, DIFFERENT[fault](charge))
    await this.#end(id, { status: 'successful', failureCode: null, paidAt: this.#options.now() })
  }

  async fail(id: string, failureCode = 'payment_rejected'): Promise<void> {
    await this.#end(id, { status: 'failed', failureCode, paidAt: null })
  }

  async expire(id: string): Promise<void> {
    await this.#end(id, { status: 'expired', failureCode: null, paidAt: null })
  }

  async #end(
    id: string,
    change: Pick<Charge, 'failureCode' | 'paidAt'> & { status: GatewayEvent['end'] },
  ): Promise<void> {
    const charge = this.find(id)
    if (!charge || charge.status === 'successful') return
    const fault = this.messageFaults.shift() ?? null
    const tell = () => {
      const event = {
        id: this.#options.newId('event'),
        end: change.status,
        charge: { ...charge },
        at: this.#options.now(),
      }
      this.events.push(event)
      return this.#options.tell(event, fault)
    }
    if (fault === 'early') await tell()
    Object.assign(charge, change)
    if (fault !== 'early') await tell()
  }
}
