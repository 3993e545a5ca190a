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
  return (
    <>
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
      {draft.paymentMethod && PAYMENT_METHODS[draft.paymentMethod].asksAccount && (
        <>
          <p className="mt-4 mb-1.5 text-label">โอนเข้าบัญชีธนาคาร</p>
          <OptionGroup
            id="bank"
            label="โอนเข้าบัญชีธนาคาร"
            value={draft.bank === null ? null : String(draft.bank)}
            onChange={id => onChange({ ...draft, bank: Number(id) })}
          >
            {accounts.map(account => (
              <OptionCard
                key={account.id}
                value={String(account.id)}
                name={account.bankName}
                detail={`${account.accountName} · ${account.hasPromptPay ? 'มี QR พร้อมเพย์' : 'โอนด้วยเลขบัญชี'}`}
                mark={<BankMark bank={account} />}
              />
            ))}
          </OptionGroup>
        </>
      )}
    </>
  )
}
