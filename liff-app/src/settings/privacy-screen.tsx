import { SHOP_NAME } from '@shop/shared/shop-name.ts'
import { Link } from 'react-router-dom'
import { EmailText } from '../ui/email-text.tsx'
import { useContact } from './contact.ts'

const SECTIONS: { title: string; lines: string[] }[] = [
  {
    title: 'ข้อมูลที่ร้านเก็บ',
    lines: [
      'บัญชี: ชื่อ อีเมล เบอร์โทรศัพท์ และช่องทางเข้าสู่ระบบที่คุณเชื่อมต่อ (LINE, Google, Facebook)',
      'คำสั่งซื้อ: เกม แพ็กเกจ รหัสผู้เล่น ยอดเงิน เวลา และฉบับของเงื่อนไขที่คุณยอมรับ',
      'การชำระเงิน: รูปสลิปที่คุณแนบ และรายการเงินเข้าบัญชีของร้าน ร้านไม่ขอรหัสของธนาคาร',
      'ในเครื่องของคุณ: รายการที่กำลังเลือก รหัสผู้เล่นที่เคยใช้ และลิงก์ของคำสั่งซื้อ',
    ],
  },
  {
    title: 'ร้านใช้เพื่ออะไร',
    lines: [
      'เติมเกมตามคำสั่งซื้อ ตรวจยอดโอน คืนเงิน และแจ้งผล',
      'ตอบคำถามของคุณ ป้องกันการใช้งานในทางที่ผิด และทำบัญชีตามกฎหมาย',
      'ร้านไม่ขายข้อมูล และไม่ใช้เพื่อโฆษณาของผู้อื่น',
    ],
  },
  {
    title: 'ใครได้รับข้อมูลบ้าง',
    lines: [
      'ผู้ให้บริการเกมหรือผู้จำหน่าย: เฉพาะรหัสผู้เล่นและแพ็กเกจ',
      'ธนาคารและผู้ให้บริการตรวจสลิป: เฉพาะข้อมูลบนสลิป',
      'LINE, Google หรือ Facebook: เฉพาะเมื่อคุณเลือกเข้าสู่ระบบหรือรับแจ้งทางนั้น',
    ],
  },
  {
    title: 'เก็บไว้นานเท่าใด',
    lines: [
      'คำสั่งซื้อและหลักฐานการเงิน: ตามที่กฎหมายบัญชีและภาษีกำหนด เมื่อคุณขอลบบัญชี ยอดเงินยังอยู่ แต่ไม่มีชื่อ รหัสผู้เล่น หรือสลิปของคุณ',
      'รายการเดินบัญชีของธนาคารพร้อมชื่อผู้โอน: 5 ปีนับจากสิ้นปีของรายการ แม้คุณลบบัญชีแล้ว เพราะเป็นเอกสารบัญชีของร้าน',
      'ข้อความ LINE และอีเมลที่ร้านส่ง: 90 วัน คำตอบของผู้ตรวจสลิป: 180 วัน ไฟล์จากธนาคาร: 30 วัน',
      'รูปสลิปที่ไม่ได้ใช้กับรายการใด: ลบภายใน 2 วัน',
      'ข้อมูลในเครื่องของคุณ: จนกว่าคุณจะออกจากระบบหรือล้างข้อมูลของเบราว์เซอร์',
    ],
  },
  {
    title: 'สิทธิของคุณ',
    lines: [
      'ขอดู ขอสำเนา แก้ไข ลบ หรือคัดค้านการใช้ข้อมูลของคุณได้ ตามกฎหมายคุ้มครองข้อมูลส่วนบุคคล (PDPA)',
      'แก้ชื่อและช่องทางเข้าสู่ระบบเองได้ในหน้าบัญชีของคุณ',
      'ดาวน์โหลดข้อมูลทั้งหมด และขอลบบัญชี ได้ในหน้าบัญชีของคุณ หัวข้อ “ข้อมูลของฉัน” ร้านอนุมัติภายใน 30 วัน แล้วลบภายในหนึ่งวัน',
      'ถ้าสั่งซื้อโดยไม่เข้าสู่ระบบ ร้านไม่รู้ว่าเป็นใคร ให้เข้าสู่ระบบในเครื่องเดียวกับที่สั่งซื้อแล้วขอลบ คำสั่งซื้อนั้นจะถูกลบไปด้วย',
      'หลังลบแล้ว ถ้าเข้าสู่ระบบอีก จะเป็นบัญชีใหม่ที่ไม่มีอะไรของเดิม',
    ],
  },
]

/** Tells which data the shop keeps, what for, and which rights people have. */
export default function PrivacyScreen() {
  const { ways, companyName, companyAddress } = useContact()
  return (
    <div className="mx-auto max-w-160 pb-6">
      <h1 className="page-title">นโยบายความเป็นส่วนตัว</h1>
      <p className="mt-1 text-ink-2">{`${SHOP_NAME} ดูแลข้อมูลของคุณอย่างไร`}</p>
      {SECTIONS.map(({ title, lines }) => (
        <section key={title} className="mt-5">
          <h2 className="text-section">{title}</h2>
          <ul className="mt-1 list-disc pl-5">
            {lines.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </section>
      ))}
      <section className="mt-5">
        <h2 className="text-section">ผู้ควบคุมข้อมูลและวิธีติดต่อ</h2>
        <p className="mt-1 whitespace-pre-line">
          {[companyName || SHOP_NAME, companyAddress].filter(Boolean).join('\n')}
        </p>
        <ul>
          {ways.map(({ url, label }) => (
            <li key={url}>
              <a href={url} className="link inline-block max-w-full py-[0.7rem]">
                <EmailText>{label}</EmailText>
              </a>
            </li>
          ))}
        </ul>
      </section>
      <Link to="/game" className="link mt-4 inline-flex min-h-11 items-center">
        กลับหน้าแรก
      </Link>
    </div>
  )
}
