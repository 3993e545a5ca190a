import type { ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { useMemo } from 'react'
import { AccountCard } from '../ui/account-card.tsx'
import { classes } from '../ui/classes.ts'
import { qrAddress } from '../ui/qr-picture.ts'
import type { QrTransfer } from './pay-picture.ts'
import { SavePicture } from './save-picture.tsx'

interface HowToTransferProps {
  account: ReceivingAccount | null
  /** What a PromptPay QR asks for, or why there is none yet; null where none is offered. */
  qr: QrTransfer | { missing: string } | null
}

/** The two ways to transfer: by a PromptPay QR if the account has one, or to the account number. */
export const HowToTransfer = ({ account, qr }: HowToTransferProps) => (
  <div className="@container">
    <div className="@md:rounded-card @md:border @md:border-line @md:p-5">
      {account && qr && <PromptPayCard payee={account.accountName} qr={qr} />}
      {account && (
        <>
          {qr && (
            <p className="py-1.5 text-center text-ink-2 text-small @md:mt-4 @md:border-line @md:border-t @md:pt-3.5 @md:text-left">
              หรือโอนเข้าบัญชี
            </p>
          )}
          <AccountCard account={account} />
        </>
      )}
    </div>
  </div>
)

/** A QR that is still missing leaves its place free, so that nothing moves when it comes. */
function PromptPayCard({ payee, qr }: { payee: string; qr: QrTransfer | { missing: string } }) {
  const transfer = 'qr' in qr ? qr : null
  return (
    <div className="flex flex-wrap items-center gap-3.5 rounded-card border border-line p-3 @md:gap-6 @md:border-0 @md:p-0">
      {transfer ? (
        <Qr transfer={transfer} />
      ) : (
        <p className="grid min-h-42 w-42 flex-none place-items-center rounded-inline bg-canvas p-3 text-center text-ink-2 text-note @md:min-h-50 @md:w-50">
          {'missing' in qr && qr.missing}
        </p>
      )}
      <div className="min-w-28 flex-1">
        <h2 className="font-semibold leading-normal @md:text-section">สแกนด้วยแอปธนาคาร</h2>
        <p className="mt-0.5 mb-2.5 text-ink-2 text-note">
          พร้อมเพย์ ระบุยอดให้แล้ว
          <span className="block">
            ผู้รับ <b className="font-semibold text-ink">{payee}</b>
          </span>
        </p>
        <SavePicture transfer={transfer} />
      </div>
    </div>
  )
}

/** @param className its size, where it is not that of the card */
export function Qr({
  transfer: { qr, amountSatang },
  className = '@md:size-50',
}: {
  transfer: QrTransfer
  className?: string
}) {
  const picture = useMemo(() => qrAddress(qr), [qr])
  return (
    <img
      src={picture}
      alt={`QR พร้อมเพย์ ยอด ${formatBaht(amountSatang)} บาท`}
      width={168}
      height={168}
      className={classes('flex-none [image-rendering:pixelated]', className)}
    />
  )
}
