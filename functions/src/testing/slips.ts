import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import type { SlipProviderName } from '@shop/shared/provider-names.ts'
import type { Fault, Transfer } from 'local/slip-provider/register.ts'
import { type RunningSlipProvider, startSlipProvider } from 'local/slip-provider/server.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { buyByBank, report } from './orders.ts'
import { addAccount, createTestShop, type TestShop } from './shop.ts'
import { addSlip } from './wallet.ts'

/** A shop whose slips are checked by a provider of its own. */
export interface SlipShop extends TestShop {
  bank: RunningSlipProvider
  /** Runs the jobs that are due by the shop's clock. */
  drain(): Promise<void>
  stop(): Promise<void>
}

export const GENEROUS = { SLIP_MONTHLY_QUOTA: '100000', SLIP_CHECKS_PER_CUSTOMER_AND_DAY: '100000' }

export async function createSlipShop(provider: SlipProviderName, env: Record<string, string> = {}): Promise<SlipShop> {
  const shopParts: { it?: TestShop } = {}
  const now = () => shopParts.it?.clock.now ?? new Date()
  // The shop registered its accounts with the provider, and no others.
  const isRegistered = ({ accountNo }: { accountNo: string }) => ['0123456789', '9876543210'].includes(accountNo)
  const bank = await startSlipProvider({ port: 0, now, isRegistered })
  const it = await createTestShop({ ...GENEROUS, ...bank.environment, SLIP_PROVIDER: provider, ...env })
  shopParts.it = it
  const drain = openDrain(it.shop)
  const stop = async () => void (await Promise.all([bank.stop(), it.db.close()]))
  return { ...it, bank, drain: () => drain.run(), stop }
}

let references = 0
/** A reference as KBANK prints it. */
const newReference = (): string => `0153250913${String(++references).padStart(5, '0')}ABCde`

export const RECEIVER = {
  bankCode: '004',
  accountNo: '0123456789',
  name: 'บจก. คราม เติมเกม',
  promptPayId: '0812345678',
}

/** A transfer of an amount to the shop's first account, made now. */
export const transferOf = (it: TestShop, amountSatang: number, change: Partial<Transfer> = {}): Transfer => ({
  sendingBank: '004',
  reference: newReference(),
  amountSatang,
  at: it.clock.now,
  receiver: RECEIVER,
  payer: { accountNo: '5551112222', name: 'นาย ก' },
  ...change,
})

let buyers = 0

/** The order of a new customer whose transfer was made and reported with its slip; the provider shows the faults first. */
export async function paySlipOrder(
  it: SlipShop,
  faults: readonly Fault[] = [],
  change: Partial<Transfer> = {},
): Promise<OrderView> {
  const uid = `slip-buyer-${++buyers}`
  await addAccount(it, uid, 'customer')
  const buyer = it.as(uid)
  const order = await buyByBank(buyer)
  const transfer = transferOf(it, order.amountSatang, change)
  it.bank.add(transfer, faults)
  const slipId = await addSlip(it, `u:${uid}`, transfer.reference)
  return report(buyer, order.orderNo, slipId)
}

/** The order as staff see it. */
export const lookAt = (it: TestShop, orderNo: string) => it.as('staff').call(getOrderForStaff, { params: { orderNo } })
