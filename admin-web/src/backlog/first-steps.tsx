import type { Backlog } from '@shop/shared/backlog/endpoints.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { read, write } from '../browser-storage.ts'
import { CloseButton } from '../ui/close-button.tsx'

const STORED = 'firstSteps'

/** Leads a newcomer through the demo shop: buy, pay, deliver. */
export function FirstSteps({ demo }: { demo: NonNullable<Backlog['demo']> }) {
  const [isClosed, setIsClosed] = useState(() => read(STORED) === 'closed')
  if (isClosed) return null
  const close = () => {
    write(STORED, 'closed')
    setIsClosed(true)
  }
  return (
    <section className="card first-steps" aria-label="ลองทำ 3 อย่าง">
      <header>
        <h2 className="grow">
          ลองทำ 3 อย่าง <span className="note muted">ร้านนี้เป็นร้านทดลอง ไม่มีเงินจริง</span>
        </h2>
        <CloseButton label="ปิดลองทำ 3 อย่าง" onClick={close} />
      </header>
      <ol className="card-part">
        <Step link={<a {...elsewhere(demo.shopUrl)}>ซื้อที่หน้าร้าน</a>}>
          ไม่ต้องสมัคร เลือก Free Fire ใส่ Player ID เป็นเลข 5 ตัวขึ้นไป จนได้ยอดที่ต้องโอน
        </Step>
        <Step link={<a {...elsewhere(demo.bankUrl)}>จ่ายที่ธนาคารจำลอง</a>}>
          กดโอนเงินให้ยอดนั้น ได้รูปสลิปมาแนบในหน้าชำระเงิน ร้านตรวจสลิปเอง
        </Step>
        <Step link={<Link to={STAFF_PAGE.queue.path}>เติมให้ลูกค้าในคิว</Link>}>
          กดรับเรื่อง ใส่เลขอ้างอิงอะไรก็ได้ แล้วกดเติมสำเร็จ หน้าของลูกค้าเปลี่ยนเอง
        </Step>
      </ol>
    </section>
  )
}

const elsewhere = (href: string) => ({ href, target: '_blank', rel: 'noreferrer' })

function Step({ link, children }: { link: ReactNode; children: string }) {
  return (
    <li>
      <b>{link}</b>
      <p className="small muted">{children}</p>
    </li>
  )
}
