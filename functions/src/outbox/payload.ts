import type { ChatEvent } from '@shop/shared/chat/chat.ts'
import type { Heard } from '@shop/shared/chat/heard.ts'

/** The payload of each kind of job. A new kind needs a line here and a handler in outbox-kind.ts. */
export interface OutboxPayload {
  'slip.check': { checkId: string }
  /**
   * `after` is the purchase before, which was refused or brought only a part; null for the first. `place` is the source
   * of the package that is asked next, the first one when it is missing.
   */
  'supplier.deliver': { orderId: string; after: string | null; place?: number }
  'supplier.ask': { attemptId: string }
  /** `turn` distinguishes events that happen more than once to the same thing. */
  'charge.ask': { chargeId: string }
  'charge.end': { chargeId: string }
  /** `byMail`: LINE brought it to nobody. */
  'chat.tell': { event: ChatEvent; id: string; turn: string; byMail?: true }
  'chat.send': { messageId: string }
  'chat.hear': Heard
  'owner.tell': { newsId: string }
  'mail.send': { mailId: string }
  'account.erase': { erasureId: string }
  'play.step': { orderId: string }
  'webhook.send': { messageId: string }
}
export type OutboxKind = keyof OutboxPayload
