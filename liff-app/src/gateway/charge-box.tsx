import { type GatewayMethod, PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import type { ChargeView } from '@shop/shared/gateway/fields.ts'
import { ExternalLink, LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { isText, read, write } from '../storage.ts'
import { Qr } from '../transfer/how-to-transfer.tsx'
import type { QrTransfer } from '../transfer/pay-picture.ts'
import { SavePicture } from '../transfer/save-picture.tsx'
import { ButtonAnchor } from '../ui/button.tsx'
import type { QrCode } from '../ui/qr-picture.ts'
import { Failure, Skeleton } from '../ui/state.tsx'
import { readProblemOf } from '../unanswered.ts'
import type { Charging } from './use-charge.ts'

/** What is paid, for the picture of its QR. */
type Goods = Pick<QrTransfer, 'goods' | 'subject' | 'fileName'>

interface ChargeBoxProps {
  goods: Goods
  method: GatewayMethod
  charging: Charging
  onRetry: () => void
}

/** What the buyer pays by: a QR or another page; until there is one, how far it is, and if there is none, why. */
export function ChargeBox({ goods, method, charging, onRetry }: ChargeBoxProps) {
  const { name } = PAYMENT_METHOD[method]
  if (charging.at === 'refused') return <Failure text={readProblemOf(charging.error)} onRetry={onRetry} />
  if (charging.at === 'failed') return <Failure text="ชำระไม่สำเร็จ ยังไม่มีการตัดเงิน" onRetry={onRetry} />
  if (charging.at === 'paid') return <Pending text="ได้รับเงินแล้ว กำลังไปต่อ" />
  if (charging.at === 'asking' && charging.isSlow) return <Slow onRetry={onRetry} />
  if (charging.at === 'asking')
    return method === 'promptpay' ? <QrSkeleton /> : <Pending text={`กำลังเตรียมหน้าชำระของ ${name}`} />
  const { charge, pay } = charging
  if (pay.by === 'page') return <OtherPage key={charge.id} name={name} chargeId={charge.id} url={pay.url} />
  return <QrBox goods={goods} charge={charge} qr={pay.by === 'qr' ? { svg: pay.svg } : { text: pay.text }} />
}

/** Something is under way and goes on by itself. */
const Pending = ({ text }: { text: string }) => (
  <p role="status" className="flex items-center justify-center gap-2 py-2 text-center text-ink-2">
    <LoaderCircle size={20} className="flex-none animate-[spin_0.9s_linear_infinite]" />
    {text}
  </p>
)

/** The gateway has not answered yet: people need not wait for it. */
const Slow = ({ onRetry }: { onRetry: () => void }) => (
  <div className="rounded-card border border-line p-4">
    <Failure text="ผู้ให้บริการรับชำระยังไม่ตอบ และยังไม่มีการตัดเงิน จ่ายด้วยวิธีอื่นได้ทันที หรือรอต่อก็ได้" onRetry={onRetry} />
    <Pending text="ยังถามอยู่" />
  </div>
)

const QrSkeleton = () => (
  <div className="rounded-card border border-line p-4">
    <Skeleton className="mx-auto size-50 rounded-inline" />
    <Pending text="กำลังสร้าง QR" />
  </div>
)

const pictureOf = (goods: Goods, charge: ChargeView, qr: QrCode): QrTransfer => ({
  ...goods,
  qr,
  amountSatang: charge.amountSatang,
  payee: { name: charge.payee, account: 'ชื่อที่แสดงในแอปธนาคาร' },
  advice: 'สแกนแล้วจ่ายได้ครั้งเดียว',
  until: charge.expiresAt,
})

function QrBox({ goods, charge, qr }: { goods: Goods; charge: ChargeView; qr: QrCode }) {
  const picture = pictureOf(goods, charge, qr)
  return (
    <div className="@container rounded-card border border-line p-4 text-center">
      <div className="flex justify-center">
        <Qr transfer={picture} className="size-50" />
      </div>
      <h2 className="mt-2 font-semibold leading-normal">สแกนด้วยแอปธนาคารใดก็ได้</h2>
      <p className="mt-0.5 mb-3 text-ink-2 text-small">
        ผู้รับเงินที่แสดงในแอปธนาคาร: <b className="whitespace-nowrap font-semibold text-ink">{charge.payee}</b>
      </p>
      <SavePicture transfer={picture} />
      <Pending text="รอรับเงิน หน้านี้จะเปลี่ยนเองเมื่อจ่ายแล้ว" />
    </div>
  )
}

/** Leads to where the buyer pays, in the same window, and waits for the result when they come back. */
function OtherPage({ name, chargeId, url }: { name: string; chargeId: string; url: string }) {
  const [hasLeft, setLeft] = useState(() => read('leftForCharge', isText) === chargeId)
  const leave = () => {
    write('leftForCharge', chargeId)
    setLeft(true)
  }
  return (
    <div className="rounded-card border border-line p-4 text-center">
      {hasLeft ? (
        <Pending text={`กำลังรอผลจาก ${name}`} />
      ) : (
        <p className="mb-3 text-ink-2 text-small">จ่ายเสร็จแล้วกลับมาที่หน้านี้ ร้านรู้ทันทีที่จ่าย</p>
      )}
      <ButtonAnchor
        block
        kind={hasLeft ? 'secondary' : 'primary'}
        className={hasLeft ? 'mt-2' : undefined}
        icon={<ExternalLink size={20} />}
        href={url}
        onClick={leave}
      >
        {hasLeft ? `เปิดหน้า ${name} อีกครั้ง` : `ไปจ่ายที่ ${name}`}
      </ButtonAnchor>
    </div>
  )
}
