import type { ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import type { PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { WalletView } from '@shop/shared/wallet/endpoints.ts'
import type { ChangeDraft, Draft } from '../draft.ts'
import { type OfferedMethod, surchargeTextOf } from '../settings/limits.ts'
import { PAYMENT_LOOK, payingOf } from '../settings/payment-methods.tsx'
import { BankMark } from '../ui/bank-mark.tsx'
import { OptionCard, OptionGroup } from '../ui/option-card.tsx'

/** A payment method with why it can't be chosen now, if it can't. */
export interface ChoosableMethod extends OfferedMethod {
  reason?: string
}

interface PaymentSectionProps {
  methods: ChoosableMethod[]
  /** By what the buyer paid last; null when they did not yet. */
  lastMethod: PaymentCode | null
  /** What the goods cost; null until they are chosen. */
  priceSatang: Satang | null
  accounts: ReceivingAccount[]
  /** The buyer's wallet; null without one. */
  wallet: WalletView | null
  draft: Draft
  onChange: ChangeDraft
}

/** Lets the buyer choose how to pay, and for a transfer to which of the shop's accounts. */
export function PaymentSection({ methods, accounts, draft, onChange, ...known }: PaymentSectionProps) {
  const only = methods.length === 1 ? methods[0] : undefined
  // Beside the gateway's PromptPay, a transfer is not offered as another one.
  const hasPromptPay = methods.some(({ code, reason }) => code === 'promptpay' && !reason)
  return (
    <>
      {only && <OnlyMethod method={only} hasPromptPay={hasPromptPay} {...known} />}
      {!only && (
        <OptionGroup
          id="payment-method"
          label="วิธีชำระเงิน"
          value={draft.paymentMethod}
          onChange={code => onChange({ paymentMethod: code as PaymentCode })}
        >
          {methods.map(method => {
            const { code, name, reason } = method
            const Icon = PAYMENT_LOOK[code].icon
            return (
              <OptionCard
                key={code}
                value={code}
                name={name}
                detail={<Detail method={method} hasPromptPay={hasPromptPay} {...known} />}
                reason={reason}
                mark={<Icon size={22} className="flex-none text-ink-2" />}
              />
            )
          })}
        </OptionGroup>
      )}
      {draft.paymentMethod && payingOf(draft.paymentMethod).asksAccount && (
        <>
          {!only && <p className="mt-4 text-label">โอนเข้าบัญชีธนาคาร</p>}
          <div className="mt-1.5">
            <OptionGroup
              id="bank"
              label="โอนเข้าบัญชีธนาคาร"
              layout="tile"
              value={draft.bank === null ? null : String(draft.bank)}
              onChange={id => onChange({ bank: Number(id) })}
            >
              {accounts.map(account => (
                <OptionCard
                  key={account.id}
                  layout="tile"
                  value={String(account.id)}
                  name={account.bankName}
                  detail={account.hasPromptPay || hasPromptPay ? undefined : 'ไม่มี QR'}
                  mark={<BankMark bank={account} />}
                />
              ))}
            </OptionGroup>
          </div>
        </>
      )}
    </>
  )
}

interface MethodProps extends Pick<PaymentSectionProps, 'priceSatang' | 'wallet' | 'lastMethod'> {
  method: ChoosableMethod
  /** PromptPay can be chosen as a method of its own. */
  hasPromptPay: boolean
}

/** What a method is, and what it costs beside the price. */
function Detail({ method: { code, terms }, priceSatang, wallet, lastMethod, hasPromptPay }: MethodProps) {
  const surcharge = terms && surchargeTextOf(terms, priceSatang)
  return (
    <>
      {PAYMENT_LOOK[code].detailOf(wallet, hasPromptPay)}
      {code === lastMethod && <span className="whitespace-nowrap"> · ใช้ครั้งก่อน</span>}
      {surcharge && <span className="block text-ink">{surcharge}</span>}
    </>
  )
}

/** The only way to pay is no choice, so it is told and not asked. */
function OnlyMethod({ method, ...shown }: MethodProps) {
  const Icon = PAYMENT_LOOK[method.code].icon
  return (
    <p className="flex items-start gap-2.5 text-small">
      <Icon size={20} className="mt-0.5 flex-none text-ink-2" />
      <span>
        <b className="font-semibold">{method.name}</b>{' '}
        <span className="text-ink-2">
          <Detail method={method} {...shown} />
        </span>
        {method.reason && <span className="block text-warn">{method.reason}</span>}
      </span>
    </p>
  )
}
