import { BankMark } from './bank-mark.tsx'
import { CopyButton } from './copy-button.tsx'

interface ShownAccount {
  code: string
  logo: string | null
  bankName: string
  accountName: string
  accountNo: string
  branch: string
}

/** An account of the shop with a button that copies its number; it has no frame of its own where its container is wide. */
export function AccountCard({ account }: { account: ShownAccount }) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-card border border-line p-3 @md:border-0 @md:p-0">
      <BankMark bank={account} size={2.25} />
      <p className="min-w-[min(8rem,100%)] flex-1">
        <span className="block text-ink-2 text-note">
          {[account.bankName, account.accountName, account.branch && `สาขา${account.branch.replace(/^สาขา\s*/, '')}`]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span
          translate="no"
          className="block font-semibold text-[1.0625rem] leading-normal whitespace-nowrap tabular-nums"
        >
          <span className="sr-only">{`เลขบัญชี ${[...account.accountNo].join(' ')}`}</span>
          {/* "012-3-45678-9" for the ten digits of most banks; other numbers as they are. */}
          <span aria-hidden="true">{account.accountNo.replace(/^(\d{3})(\d)(\d{5})(\d)$/, '$1-$2-$3-$4')}</span>
        </span>
      </p>
      <CopyButton text={account.accountNo} label="คัดลอก เลขบัญชี" showIcon={false}>
        คัดลอก
      </CopyButton>
    </div>
  )
}
