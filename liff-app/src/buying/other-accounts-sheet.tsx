import type { ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { BankMark } from '../ui/bank-mark.tsx'
import { Button } from '../ui/button.tsx'
import { Sheet } from '../ui/sheet.tsx'

interface OtherAccountsProps {
  open: boolean
  /** ACCOUNT_AMOUNTS_EXHAUSTED; its details name the accounts that still have free amounts. */
  error: Error | null
  accounts: ReceivingAccount[]
  onChoose: (accountId: number) => void
  onClose: () => void
}

/** Lets the buyer choose another account when the chosen one has no free amount left. */
export function OtherAccountsSheet({ open, error, accounts, onChoose, onClose }: OtherAccountsProps) {
  const free = error instanceof AppError ? (error.details?.accounts as number[] | undefined) : undefined
  return (
    <Sheet open={open} onClose={onClose} title="เลือกบัญชีอื่น">
      <p className="text-ink-2">{error && messageOf(error)}</p>
      <ul className="mt-3 grid gap-2">
        {accounts
          .filter(({ id }) => free?.includes(id))
          .map(account => (
            <li key={account.id}>
              <Button kind="secondary" block icon={<BankMark bank={account} />} onClick={() => onChoose(account.id)}>
                {`โอนเข้า ${account.bankName}`}
              </Button>
            </li>
          ))}
      </ul>
    </Sheet>
  )
}
