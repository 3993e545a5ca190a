import { Sheet } from '../ui/sheet.tsx'

/** Goes up whenever the text below changes in meaning; orders record which one was accepted. */
export const TERMS_VERSION = '1'

const sections = [
  {
    title: 'การเติมเกม',
    lines: [
      'ร้านเติมแพ็กเกจที่เลือกเข้าบัญชีผู้เล่นตามข้อมูลที่กรอกไว้ในคำสั่งซื้อ',
      'รายการที่สำเร็จ เข้าเกมใน 5–60 นาที หลังตรวจพบยอดเงิน',
      'หากเกมปิดปรับปรุง การเติมอาจใช้เวลานานขึ้น ทีมงานจะแจ้งให้ทราบ',
    ],
  },
  {
    title: 'การชำระเงิน',
    lines: [
      'การโอนเงินต้องตรงทุกสตางค์ตามยอดที่ระบบกำหนด และภายในเวลาที่แสดง',
      'สลิปช่วยให้ทีมงานตรวจได้เร็วขึ้น แต่ไม่ใช่หลักฐานว่าร้านได้รับเงินแล้ว',
      'หากโอนไม่ตรงยอดหรือเกินเวลา ทีมงานจะตรวจและติดต่อกลับ ไม่ต้องโอนซ้ำ',
    ],
  },
  {
    title: 'การยกเลิกและคืนเงิน',
    lines: [
      'ไม่สามารถยกเลิกหรือคืนเงินหลังทำรายการ',
      'หากกรอก ID ผิด ไม่สามารถคืนเงินได้',
      'หากร้านเติมไม่สำเร็จ เงินของคุณยังอยู่กับร้าน ทีมงานจะติดต่อเพื่อคืนเงินหรือเติมใหม่',
    ],
  },
  {
    title: 'ข้อมูลส่วนบุคคล',
    lines: ['ร้านใช้ข้อมูลที่กรอกและสลิปเพื่อเติมเกม ตรวจยอดเงิน และติดต่อเรื่องคำสั่งซื้อเท่านั้น'],
  },
]

/** The terms of service in full. */
export const TermsSheet = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Sheet open={open} onClose={onClose} title="เงื่อนไขการให้บริการ">
    {sections.map(({ title, lines }) => (
      <section key={title} className="mb-4">
        <h3 className="font-semibold">{title}</h3>
        <ul className="mt-1 list-disc pl-5 text-small">
          {lines.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
    ))}
    <p className="text-ink-2 text-note">ฉบับวันที่ 20/11/2026</p>
  </Sheet>
)
