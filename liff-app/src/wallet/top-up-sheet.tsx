import { formatBahtShort } from '@shop/shared/money.ts'
import type { WalletTransaction, WalletView } from '@shop/shared/wallet/endpoints.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { ContactLink } from '../settings/contact-link.tsx'
import { HowToTransfer } from '../transfer/how-to-transfer.tsx'
import { Amount } from '../ui/amount.tsx'
import { BankMark } from '../ui/bank-mark.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { bringIntoView, focusOn } from '../ui/focus-on.ts'
import { Note } from '../ui/note.tsx'
import { OptionCard, OptionGroup } from '../ui/option-card.tsx'
import { Problem } from '../ui/problem.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { useToast } from '../ui/toast.tsx'
import { SlipAttachment } from '../upload/slip-attachment.tsx'
import { SlipThumbnail, SlipViewer } from '../upload/slip-picture.tsx'
import { listQuickAmounts } from './top-up-amount.ts'
import { TopUpMethods } from './top-up-methods.tsx'
import { AMOUNT_FIELD, SLIP_FIELD, useTopUp } from './use-top-up.ts'

interface TopUpSheetProps {
  wallet: WalletView
  /** The waiting top-up to edit; null for a new one. Another top-up needs another `key`. */
  edited: WalletTransaction | null
  open: boolean
  onClose: () => void
  onSaved: (id: string) => void
}

/** The form to request or edit a top-up. Closed by mistake, it opens again with what was typed. */
export default function TopUpSheet({ wallet, edited, open, onClose, onSaved }: TopUpSheetProps) {
  const toast = useToast()
  const navigate = useNavigate()
  const form = useTopUp(
    wallet,
    edited,
    (id, amountSatang) => {
      const amount = `฿${formatBahtShort(amountSatang)}`
      toast({ text: edited ? `แก้ไขเป็น ${amount} แล้ว รออนุมัติ` : `ส่งคำขอ ${amount} แล้ว รออนุมัติ`, seconds: 5 })
      onSaved(id)
    },
    id => navigate(`/wallet/topup/${id}`),
  )
  const { missing } = form
  const isTransfer = form.method === 'bank'
  if (wallet.roomSatang < wallet.minTopUpSatang) return <NoRoomSheet wallet={wallet} open={open} onClose={onClose} />
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={edited ? 'แก้ไขรายการเติมเงิน' : 'เติมเงินเข้ากระเป๋าเงิน'}
      busy={form.isSaving}
    >
      <Note>{`เติมได้อีก ฿${formatBahtShort(wallet.roomSatang)} · ขั้นต่ำ ฿${formatBahtShort(wallet.minTopUpSatang)}`}</Note>
      <form
        className="mt-3 grid grid-cols-1 gap-4"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (!missing) void form.submit()
        }}
      >
        <AmountField form={form} wallet={wallet} />
        {!edited && <TopUpMethods form={form} />}
        {isTransfer && (
          <>
            <TransferTo form={form} />
            <Slip form={form} edited={edited} />
            <p className="text-ink-2 text-note">
              หลังส่งแล้ว <ContactLink>ทักแอดมิน</ContactLink> เพื่อให้อนุมัติได้เร็วขึ้น
            </p>
          </>
        )}
        <Problem>{form.error}</Problem>
        {form.isAsked ? (
          <WithoutSlip wallet={wallet} isSaving={form.isSaving} onSend={form.submitWithoutSlip} />
        ) : (
          <Button
            block
            type="submit"
            unmet={missing?.label}
            onUnmet={() => missing && focusOn(missing.target)}
            busy={form.isSaving}
          >
            {form.error ? 'ลองอีกครั้ง' : edited ? 'บันทึกการแก้ไข' : isTransfer ? 'ส่งคำขอเติมเงิน' : 'ไปชำระเงิน'}
          </Button>
        )}
      </form>
    </Sheet>
  )
}

/** Says that no top-up is possible, because the wallet has less room than the smallest top-up. */
const NoRoomSheet = ({ wallet, open, onClose }: Pick<TopUpSheetProps, 'wallet' | 'open' | 'onClose'>) => (
  <Sheet open={open} onClose={onClose} title="เติมเงินเข้ากระเป๋าเงิน">
    <Note kind="warn">
      <b className="block font-semibold">ขณะนี้เติมเงินไม่ได้</b>
      {`วงเงินของกระเป๋าเงินคือ ฿${formatBahtShort(wallet.maxAmountSatang)} เติมได้อีก ฿${formatBahtShort(wallet.roomSatang)} ซึ่งน้อยกว่าขั้นต่ำ ฿${formatBahtShort(wallet.minTopUpSatang)} ต่อครั้ง เมื่อใช้ยอดแล้วจึงเติมได้อีก`}
    </Note>
    <Button kind="secondary" block className="mt-4" onClick={onClose}>
      ปิด
    </Button>
  </Sheet>
)

/** Asks whether to send a large top-up without a slip. It takes the place of the button that was pressed. */
function WithoutSlip(props: { wallet: WalletView; isSaving: boolean; onSend: () => void }) {
  const { wallet, isSaving, onSend } = props
  return (
    <div ref={bringIntoView} className="grid scroll-mb-4 gap-3">
      <Note kind="warn" role="alert">
        {`ยอดเกิน ฿${formatBahtShort(wallet.twoApproversAboveSatang)} ต้องให้ผู้จัดการ 2 คนอนุมัติ และอนุมัติไม่ได้จนกว่าจะมีสลิป ต้องการส่งโดยยังไม่แนบสลิปหรือไม่?`}
      </Note>
      <div className="flex flex-wrap gap-2 [&>*]:flex-1">
        <Button kind="secondary" busy={isSaving} onClick={onSend}>
          ส่งโดยไม่มีสลิป
        </Button>
        <Button onClick={() => focusOn(SLIP_FIELD)}>แนบสลิป</Button>
      </div>
    </div>
  )
}

interface FormProps {
  form: ReturnType<typeof useTopUp>
}

function AmountField({ form, wallet }: FormProps & { wallet: WalletView }) {
  const quick = listQuickAmounts(wallet)
  return (
    <div>
      <Field
        {...form.amountField}
        id={AMOUNT_FIELD}
        label="จำนวนเงิน (บาท)"
        strong
        inputMode="decimal"
        autoComplete="off"
        maxLength={15}
        error={form.amountProblem}
        help={
          form.balanceAfterSatang !== null && (
            <>
              ยอดหลังเติม <Amount satang={form.balanceAfterSatang} className="font-semibold text-ink" />
            </>
          )
        }
      />
      {quick.length > 0 && (
        <fieldset className="mt-1 flex flex-wrap gap-1.5">
          <legend className="sr-only">เลือกจำนวนเงิน</legend>
          {quick.map(satang => (
            <Button
              key={satang}
              kind="secondary"
              size="inline"
              onClick={() => form.setAmountText(formatBahtShort(satang))}
            >
              {formatBahtShort(satang)}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  )
}

/** Lets the person choose the shop's account to transfer to, scan its QR of the typed amount, or copy its number. */
function TransferTo({ form }: FormProps) {
  const { accounts, account } = form
  if (!account) return null
  return (
    <div>
      <p className="mb-1.5 text-label">โอนเข้าบัญชีร้าน</p>
      {accounts.length > 1 && (
        <OptionGroup
          label="โอนเข้าบัญชีร้าน"
          layout="tile"
          value={String(account.id)}
          onChange={id => form.setAccountId(Number(id))}
        >
          {accounts.map(each => (
            <OptionCard
              key={each.id}
              layout="tile"
              value={String(each.id)}
              name={each.bankName}
              mark={<BankMark bank={each} />}
            />
          ))}
        </OptionGroup>
      )}
      <div className="mt-2">
        <HowToTransfer account={account} qr={form.qr} />
      </div>
    </div>
  )
}

const SLIP_HELP = 'รูปภาพ 1 ไฟล์ ต้องมีสลิปจึงจะอนุมัติได้'

function Slip({ form, edited }: FormProps & { edited: WalletTransaction | null }) {
  const [isOpen, setOpen] = useState(false)
  const { keptSlipId } = form
  if (!edited || !keptSlipId || form.slip.file) {
    return (
      <div id={SLIP_FIELD}>
        <SlipAttachment slip={form.slip} label="แนบสลิป" help={SLIP_HELP} />
      </div>
    )
  }
  return (
    <div id={SLIP_FIELD} className="flex flex-wrap items-center gap-3 rounded-control border border-line px-3.5 py-2">
      <SlipThumbnail slipId={keptSlipId} no={edited.no} onOpen={() => setOpen(true)} />
      <span className="min-w-24 flex-1 font-semibold">สลิปที่แนบไว้</span>
      <Button kind="quiet" size="small" onClick={form.removeKeptSlip}>
        เปลี่ยนรูป
      </Button>
      <SlipViewer slip={{ slipId: keptSlipId, no: edited.no }} open={isOpen} onClose={() => setOpen(false)} />
    </div>
  )
}
