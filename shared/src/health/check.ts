interface CheckEntry {
  title: string
  unit: 'seconds' | 'count'
  /** What it means when a limit is passed. */
  means: string
}

/** What is watched from outside of the shop, in the order in which it is shown. */
const checks = {
  safeMode: {
    title: 'โหมดปลอดภัย (หลังกู้ฐานข้อมูล)',
    unit: 'seconds',
    means: 'ร้านยังไม่สั่งเติม ไม่ส่งข้อความ และไม่ตรวจสลิป จนกว่าผู้ดูแลเซิร์ฟเวอร์จะเทียบข้อมูลและสั่งเริ่มงาน',
  },
  jobAge: {
    title: 'งานตามเวลาสำเร็จครั้งล่าสุด',
    unit: 'seconds',
    means: 'งานนี้หยุดทำงาน',
  },
  jobFailing: {
    title: 'งานตามเวลาที่ทำไม่สำเร็จหรือค้าง',
    unit: 'seconds',
    means: 'งานนี้ทำไม่จบ',
  },
  outboxDue: {
    title: 'งานที่รอส่งออกนานที่สุด',
    unit: 'seconds',
    means: 'ไม่มีใครทำงานที่รอส่งออก',
  },
  outboxDead: {
    title: 'งานส่งออกที่เลิกทำใน 1 ชั่วโมง',
    unit: 'count',
    means: 'มีงานที่ลองจนครบแล้วไม่สำเร็จ',
  },
  messagesFailing: {
    title: 'ข้อความที่ส่งไม่ผ่านมานานที่สุด',
    unit: 'seconds',
    means: 'ส่งข้อความไม่ได้เลยตั้งแต่นั้น',
  },
  slipConfirming: {
    title: 'สลิปที่รอผลตรวจนานที่สุด',
    unit: 'seconds',
    means: 'ลูกค้ารอผลตรวจสลิปนานเกินไป',
  },
  supplierUnanswered: {
    title: 'คำสั่งซื้อที่ผู้จำหน่ายยังไม่ตอบนานที่สุด',
    unit: 'seconds',
    means: 'ยังไม่รู้ว่าผู้จำหน่ายเติมให้หรือไม่',
  },
  unclaimed: {
    title: 'จ่ายแล้ว เลยเวลาที่บอกลูกค้า ยังไม่มีคนรับ',
    unit: 'seconds',
    means: 'ลูกค้าจ่ายแล้วแต่ยังไม่มีใครเติม',
  },
  statementLine: {
    title: 'รายการธนาคารล่าสุดของแต่ละบัญชี',
    unit: 'seconds',
    means: 'เครื่องที่ส่งรายการธนาคารเงียบไป',
  },
  booksDiffer: {
    title: 'ผลตรวจบัญชีทุกคืน: จุดที่ไม่ตรง',
    unit: 'count',
    means: 'บัญชีของร้านไม่ตรงกัน ต้องหาสาเหตุก่อนทำต่อ',
  },
  clockApart: {
    title: 'นาฬิกาต่างจากของฐานข้อมูล',
    unit: 'seconds',
    means: 'นาฬิกาของเครื่องผิด คำสั่งซื้ออาจหมดเวลาก่อนกำหนด',
  },
  poolWaiting: {
    title: 'คำขอที่รอฐานข้อมูลอยู่',
    unit: 'count',
    means: 'ฐานข้อมูลช้าหรือการเชื่อมต่อไม่พอ',
  },
  replica: {
    title: 'สำเนาฐานข้อมูลสำหรับรายงาน ตามหลังอยู่',
    unit: 'seconds',
    means: 'รายงานอ่านจากฐานข้อมูลหลักแทนสำเนา ร้านอาจช้าลง',
  },
} as const satisfies Record<string, CheckEntry>
export type CheckName = keyof typeof checks
export const HEALTH_CHECK: Record<CheckName, CheckEntry> = checks
export const CHECK_NAMES = Object.keys(checks) as [CheckName, ...CheckName[]]

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
