import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import type { ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import type { WalletView } from '@shop/shared/wallet/endpoints.ts'
import type { Draft } from '../draft.ts'
import { BankMark } from '../ui/bank-mark.tsx'
import { OptionCard, OptionGroup } from '../ui/option-card.tsx'
import { findOffReason } from './limits.ts'
import { PAYMENT_METHODS } from './payment-methods.tsx'

interface PaymentSectionProps {
  methods: { code: PaymentCode; name: string }[]
  accounts: ReceivingAccount[]
  /** The buyer's wallet; null without one. */
  wallet: WalletView | null
  draft: Draft
  onChange: (draft: Draft) => void
}

/** Lets the buyer choose how to pay, and for a transfer to which of the shop's accounts. */
export function PaymentSection({ methods, accounts, wallet, draft, onChange }: PaymentSectionProps) {
  const only = methods.length === 1 ? methods[0] : undefined
  return (
    <>
      {only && <OnlyMethod method={only} wallet={wallet} />}
      {!only && (
        <OptionGroup
          id="payment-method"
          label="วิธีชำระเงิน"
          value={draft.paymentMethod}
          onChange={code => onChange({ ...draft, paymentMethod: code as PaymentCode })}
        >
          {methods.map(({ code, name }) => {
            const { detailOf, icon: Icon } = PAYMENT_METHODS[code]
            return (
              <OptionCard
                key={code}
                value={code}
                name={name}
                detail={detailOf(wallet)}
                // With a price of 0 this is only what rules out the method for every package.
                reason={findOffReason(code, 0, wallet)}
                mark={<Icon size={22} className="flex-none text-ink-2" />}
              />
            )
          })}
        </OptionGroup>
      )}
      {draft.paymentMethod && PAYMENT_METHODS[draft.paymentMethod].asksAccount && (
        <>
          {!only && <p className="mt-4 text-label">โอนเข้าบัญชีธนาคาร</p>}
          <div className="mt-1.5">
            <OptionGroup
              id="bank"
              label="โอนเข้าบัญชีธนาคาร"
              layout="tile"
              value={draft.bank === null ? null : String(draft.bank)}
              onChange={id => onChange({ ...draft, bank: Number(id) })}
            >
              {accounts.map(account => (
                <OptionCard
                  key={account.id}
                  layout="tile"
                  value={String(account.id)}
                  name={account.bankName}
                  detail={account.hasPromptPay ? undefined : 'ไม่มี QR'}
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

/** The only way to pay is no choice, so it is told and not asked. */
function OnlyMethod({ method, wallet }: { method: PaymentSectionProps['methods'][number]; wallet: WalletView | null }) {
  const { detailOf, icon: Icon } = PAYMENT_METHODS[method.code]
  return (
    <p className="flex items-start gap-2.5 text-small">
      <Icon size={20} className="mt-0.5 flex-none text-ink-2" />
      <span>
        <b className="font-semibold">{method.name}</b> <span className="text-ink-2">{detailOf(wallet)}</span>
      </span>
    </p>
  )
}
