import { keysOf } from '../table.ts'

interface CheckEntry {
  title: string
  unit: 'seconds' | 'count' | 'percent'
  /** What it means when a limit is passed. */
  means: string
  /** What somebody who is woken by it does first. */
  first: string
}

/** What is watched from outside of the shop, in the order in which it is shown. */
const checks = {
  safeMode: {
    title: 'โหมดปลอดภัย (หลังกู้ฐานข้อมูล)',
    unit: 'seconds',
    means: 'ร้านยังไม่สั่งเติม ไม่ส่งข้อความ และไม่ตรวจสลิป จนกว่าผู้ดูแลเซิร์ฟเวอร์จะเทียบข้อมูลและสั่งเริ่มงาน',
    first: 'อย่าเติมด้วยมือ ให้ผู้ดูแลเซิร์ฟเวอร์สั่ง after-restore',
  },
  jobAge: {
    title: 'งานตามเวลาสำเร็จครั้งล่าสุด',
    unit: 'seconds',
    means: 'งานนี้หยุดทำงาน',
    first: 'ดูว่าโปรแกรมของร้านยังทำงาน และตัวตั้งเวลาไม่ถูกหยุดไว้',
  },
  jobFailing: {
    title: 'งานตามเวลาที่ทำไม่สำเร็จหรือค้าง',
    unit: 'seconds',
    means: 'งานนี้ทำไม่จบ',
    first: 'ดูสาเหตุใน log ของงานนั้น และพื้นที่ว่างของดิสก์',
  },
  outboxDue: {
    title: 'งานที่รอส่งออกนานที่สุด',
    unit: 'seconds',
    means: 'ไม่มีใครทำงานที่รอส่งออก',
    first: 'ดูว่าโปรแกรมของร้านยังทำงาน',
  },
  outboxDead: {
    title: 'งานส่งออกที่เลิกทำใน 1 ชั่วโมง',
    unit: 'count',
    means: 'มีงานที่ลองจนครบแล้วไม่สำเร็จ',
    first: 'เปิดหน้าสุขภาพของร้าน เริ่มงานใหม่หรือปิดทีละงาน',
  },
  messagesFailing: {
    title: 'ข้อความที่ส่งไม่ผ่านมานานที่สุด',
    unit: 'seconds',
    means: 'ส่งข้อความไม่ได้เลยตั้งแต่นั้น',
    first: 'ดูว่า LINE และเซิร์ฟเวอร์อีเมลใช้ได้ ข้อความจะส่งซ้ำเอง',
  },
  gatewaySilent: {
    title: 'การชำระที่ผู้ให้บริการยังไม่ตอบนานที่สุด',
    unit: 'seconds',
    means: 'ยังไม่รู้ว่าเงินของลูกค้าเข้าหรือไม่',
    first: 'ดูสถานะของผู้ให้บริการรับชำระ ร้านถามซ้ำเองอยู่แล้ว',
  },
  nobodyHears: {
    title: 'คนที่ต้องรู้เรื่องเงินของร้าน ไม่มีทางได้รับแจ้ง',
    unit: 'count',
    means: 'เรื่องที่ร้านต้องแจ้งไม่ถึงใครทั้งทาง LINE และอีเมล ยอดที่เกินวงเงินคนเดียวจึงทำไม่ได้',
    first: 'ผูกกลุ่ม LINE ของผู้จัดการ หรือตั้งค่าอีเมล',
  },
  slipConfirming: {
    title: 'สลิปที่รอผลตรวจนานที่สุด',
    unit: 'seconds',
    means: 'ลูกค้ารอผลตรวจสลิปนานเกินไป',
    first: 'ให้ทีมงานตรวจสลิปเองก่อน',
  },
  supplierUnanswered: {
    title: 'คำสั่งซื้อที่ผู้จำหน่ายยังไม่ตอบนานที่สุด',
    unit: 'seconds',
    means: 'ยังไม่รู้ว่าผู้จำหน่ายเติมให้หรือไม่',
    first: 'ถามผู้จำหน่ายก่อนสั่งซ้ำ',
  },
  unclaimed: {
    title: 'จ่ายแล้ว เลยเวลาที่บอกลูกค้า ยังไม่มีคนรับ',
    unit: 'seconds',
    means: 'ลูกค้าจ่ายแล้วแต่ยังไม่มีใครเติม',
    first: 'ตามทีมงานมารับคำสั่งซื้อ',
  },
  statementLine: {
    title: 'รายการธนาคารล่าสุดของแต่ละบัญชี',
    unit: 'seconds',
    means: 'เครื่องที่ส่งรายการธนาคารเงียบไป',
    first: 'นำเข้าไฟล์จากธนาคารไปก่อน แล้วดูเครื่องที่ส่งรายการ',
  },
  booksDiffer: {
    title: 'ผลตรวจบัญชีทุกคืน: จุดที่ไม่ตรง',
    unit: 'count',
    means: 'บัญชีของร้านไม่ตรงกัน ต้องหาสาเหตุก่อนทำต่อ',
    first: 'ให้ผู้ดูแลเซิร์ฟเวอร์สั่ง ledger-check เพื่อดูจุดที่ไม่ตรง',
  },
  clockApart: {
    title: 'นาฬิกาต่างจากของฐานข้อมูล',
    unit: 'seconds',
    means: 'นาฬิกาของเครื่องผิด คำสั่งซื้ออาจหมดเวลาก่อนกำหนด',
    first: 'ตั้งเวลาของเครื่องตาม NTP',
  },
  answersFailing: {
    title: 'คำขอที่ร้านตอบว่าขัดข้อง ใน 2 นาที',
    unit: 'count',
    means: 'ลูกค้าใช้ร้านไม่ได้ แม้ส่วนอื่นยังดูปกติ',
    first: 'ดูว่าดิสก์ของฐานข้อมูลเต็มหรือไม่ แล้วดู log',
  },
  archiveFailing: {
    title: 'ฐานข้อมูลสำรองข้อมูลไม่สำเร็จมานาน',
    unit: 'seconds',
    means: 'ถ้าเครื่องเสียตอนนี้ ข้อมูลตั้งแต่นั้นจะหาย',
    first: 'ดูพื้นที่และกุญแจของที่เก็บสำรอง',
  },
  poolWaiting: {
    title: 'คำขอที่รอฐานข้อมูลอยู่',
    unit: 'count',
    means: 'ฐานข้อมูลช้าหรือการเชื่อมต่อไม่พอ',
    first: 'ดูว่าฐานข้อมูลช้าที่คำสั่งใด',
  },
  replica: {
    title: 'สำเนาฐานข้อมูลสำหรับรายงาน ตามหลังอยู่',
    unit: 'seconds',
    means: 'รายงานอ่านจากฐานข้อมูลหลักแทนสำเนา ร้านอาจช้าลง',
    first: 'ดูเครื่องสำเนาและเครือข่ายถึงเครื่องนั้น',
  },
  diskFull: {
    title: 'ดิสก์ที่ใช้ไปแล้ว',
    unit: 'percent',
    means: 'เมื่อดิสก์เต็ม ร้านจะรับคำสั่งซื้อและสลิปไม่ได้',
    first: 'ลบ log หรือไฟล์เก่าที่ไม่ใช้ หรือขยายดิสก์ อย่าลบไฟล์ของฐานข้อมูล',
  },
  backupOld: {
    title: 'สำรองข้อมูลครั้งล่าสุดเมื่อ',
    unit: 'seconds',
    means: 'การสำรองข้อมูลหยุดไป',
    first: 'ดูผลของงานสำรองข้อมูล แล้วสั่งสำรองด้วยมือหนึ่งครั้ง',
  },
  standbyMissing: {
    title: 'ฐานข้อมูลไม่มีเครื่องสำรองมานาน',
    unit: 'seconds',
    means: 'ถ้าเครื่องฐานข้อมูลเสียตอนนี้ จะไม่มีเครื่องรับช่วงต่อ',
    first: 'เปิดเครื่องสำรอง และดูเครือข่ายระหว่างสองเครื่อง',
  },
  standbyLag: {
    title: 'เครื่องสำรองตามหลังฐานข้อมูลอยู่',
    unit: 'seconds',
    means: 'เครื่องสำรองยังไม่มีข้อมูลล่าสุด',
    first: 'ดูดิสก์และเครือข่ายของเครื่องสำรอง',
  },
  promotions: {
    title: 'เครื่องสำรองขึ้นแทนฐานข้อมูล ใน 24 ชม.',
    unit: 'count',
    means: 'ฐานข้อมูลย้ายเครื่องไปมา มีเครื่องที่ไม่มั่นคง',
    first: 'ดูว่าเครื่องใดเสีย แล้วพักเครื่องนั้นไว้',
  },
  cluster: {
    title: 'เครื่องฐานข้อมูลตามที่ Patroni บอก',
    unit: 'count',
    means: 'เครื่องฐานข้อมูลบางเครื่องไม่พร้อม การสลับเครื่องอาจไม่ทำงาน',
    first: 'สั่ง patronictl list ที่เครื่องฐานข้อมูล แล้วดู etcd',
  },
  watcherSilent: {
    title: 'ตัวเฝ้าร้านถามครั้งล่าสุดเมื่อ',
    unit: 'seconds',
    means: 'ตัวเฝ้าร้านหยุดไป ถ้าร้านล่มจะไม่มีใครแจ้ง',
    first: 'เปิดตัวเฝ้าร้านที่เครื่องของมันอีกครั้ง',
  },
} as const satisfies Record<string, CheckEntry>
export type CheckName = keyof typeof checks
export const HEALTH_CHECK: Record<CheckName, CheckEntry> = checks
export const CHECK_NAMES = keysOf(checks)

/** One thing that a check has measured. */
export interface CheckFact {
  /** The job, the kind of work or the account, by its name in the code; null when there is only one. */
  of: string | null
  /** The same in words for staff. */
  label: string | null
  /** Seconds or a number of things; null when there is nothing to measure yet. */
  value: number | null
  /** More than this needs somebody; null for what is only told. */
  limit: number | null
}

/** Tells whether a limit is passed. */
export const isOver = ({ value, limit }: Pick<CheckFact, 'value' | 'limit'>): boolean =>
  value !== null && limit !== null && value > limit
