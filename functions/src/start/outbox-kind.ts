import { chatHearHandler } from '../chat/hearing.ts'
import { ownerTellHandler } from '../chat/owner-telling.ts'
import { chatSendHandler } from '../chat/sending.ts'
import { chatTellHandler } from '../chat/telling.ts'
import { chargeAskHandler, chargeEndHandler } from '../gateway/asking.ts'
import { mailSendHandler } from '../mail/sending.ts'
import { supplierAskHandler, supplierDeliveryHandler } from '../order/delivering/supplier-delivery.ts'
import { lockChargedOrder } from '../order/paying/charged-order.ts'
import { orderOfSlip } from '../order/paying/slip-subject.ts'
import { createDrain, type Drain, type OutboxHandlers } from '../outbox/drain.ts'
import { eraseHandler } from '../privacy/erase.ts'
import { playStepHandler } from '../reseller/play.ts'
import type { Shop } from '../shop/shop.ts'
import { slipCheckHandler } from '../slipcheck/check.ts'
import { topUpOfSlip } from '../wallet/slip-subject.ts'
import { lockChargedTopUp } from '../wallet/top-up-charge.ts'
import { webhookSendHandler } from '../webhook/sending.ts'

/** What a charge may pay. */
const CHARGE_OWNERS = { order: lockChargedOrder, topUp: lockChargedTopUp }

/** The handler of each kind of job. */
const OUTBOX_KIND = {
  'slip.check': slipCheckHandler({ order: orderOfSlip, topUp: topUpOfSlip }),
  'supplier.deliver': supplierDeliveryHandler,
  'supplier.ask': supplierAskHandler,
  'charge.ask': chargeAskHandler(CHARGE_OWNERS),
  'charge.end': chargeEndHandler(CHARGE_OWNERS),
  'chat.tell': chatTellHandler,
  'chat.send': chatSendHandler,
  'chat.hear': chatHearHandler,
  'owner.tell': ownerTellHandler,
  'mail.send': mailSendHandler,
  'account.erase': eraseHandler,
  'play.step': playStepHandler,
  'webhook.send': webhookSendHandler,
} satisfies OutboxHandlers

/** Opens the shop's outbox. This process then runs its jobs. */
export const openDrain = (shop: Shop): Drain => createDrain(shop, OUTBOX_KIND)
