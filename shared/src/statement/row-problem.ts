/** Problems of a statement's rows, by code, with what a person can do about each. `{value}` is the content of the cell. */
const PROBLEM = {
  HEADER_NOT_FOUND: 'ไม่พบหัวตารางตามที่จับคู่ไว้ ไฟล์นี้อาจเป็นของธนาคารหรือรูปแบบอื่น กรุณาจับคู่คอลัมน์ใหม่',
  NO_LINES: 'ไม่พบรายการใต้หัวตาราง กรุณาตรวจว่าดาวน์โหลดถูกช่วงเวลา และชี้หัวตารางถูกแถว',
  ROW_CUT_OFF: 'แถวสุดท้ายไม่ครบ ไฟล์อาจขาดหาย กรุณาดาวน์โหลดใหม่',
  ACCOUNTS_MIXED: 'ไฟล์นี้มีหลายบัญชี แถวนี้เป็นของบัญชี {value} กรุณาแยกไฟล์ทีละบัญชี',
  DATE_INVALID: 'อ่านวันที่ "{value}" ไม่ได้ กรุณาตรวจคอลัมน์และรูปแบบวันที่',
  DATE_MIXED_ERA: 'ปีของ "{value}" ไม่เป็น พ.ศ. หรือ ค.ศ. เดียวกับแถวอื่น กรุณาดาวน์โหลดไฟล์จากธนาคารใหม่',
  DATE_FUTURE: 'วันที่ "{value}" ยังมาไม่ถึง กรุณาตรวจลำดับวันเดือนปี และ พ.ศ. หรือ ค.ศ.',
  DATE_TOO_OLD: 'วันที่ "{value}" เก่าเกินไป กรุณาตรวจลำดับวันเดือนปี และ พ.ศ. หรือ ค.ศ.',
  TIME_INVALID: 'อ่านเวลา "{value}" ไม่ได้ กรุณาตรวจคอลัมน์เวลา',
  AMOUNT_INVALID: 'อ่านจำนวนเงิน "{value}" ไม่ได้ กรุณาตรวจคอลัมน์จำนวนเงิน',
  AMOUNT_DECIMALS: 'จำนวนเงิน "{value}" มีทศนิยมเกิน 2 ตำแหน่ง',
  AMOUNT_FOREIGN: 'จำนวนเงิน "{value}" ไม่ใช่เงินบาท กรุณานำเข้าเฉพาะบัญชีเงินบาท',
  AMOUNT_FORMULA: 'ช่องนี้เป็นสูตรหรือค่าผิดพลาดของ Excel ("{value}") กรุณาใช้ไฟล์จากธนาคารโดยตรง',
  AMOUNT_MISSING: 'ไม่มีจำนวนเงิน แถวนี้อาจขาดหาย หรือเป็นแถวที่ต้องข้าม',
  AMOUNT_BOTH: 'มีทั้งเงินเข้าและเงินออกในแถวเดียวกัน',
  DEPOSIT_NEGATIVE: 'เงินเข้าติดลบ ("{value}") กรุณาตรวจการจับคู่คอลัมน์',
  DIRECTION_UNKNOWN: 'ไม่รู้ว่าเป็นเงินเข้าหรือเงินออก ("{value}") กรุณาตรวจคอลัมน์และคำที่ใช้บอก',
  DIRECTION_NOT_PROVEN: 'ยอดคงเหลือบอกไม่ได้ว่าแถวนี้เป็นเงินเข้าหรือเงินออก ต้องมียอดคงเหลือของรายการก่อนหน้า หรือแถวยอดยกมา',
  BALANCE_MISSING: 'ไม่มียอดคงเหลือ แถวนี้อาจขาดหาย หากธนาคารไม่ให้ยอดทุกแถว ให้จับคู่โดยไม่ใช้คอลัมน์ยอดคงเหลือ',
} as const satisfies Record<string, string>

export type ProblemCode = keyof typeof PROBLEM

export interface RowProblem {
  /** Counted as in a spreadsheet: 1 is the first row of the file. */
  rowNumber: number
  /** The column's heading, or its letter when it has none; null when the whole row is meant. */
  column: string | null
  code: ProblemCode
  /** In Thai. */
  message: string
}

/** A longer content is cut, because a broken file would fill the screen. */
const MOST_SHOWN = 40

export function rowProblem(code: ProblemCode, rowNumber: number, column: string | null, value = ''): RowProblem {
  const shown = value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value
  return { rowNumber, column, code, message: PROBLEM[code].replace('{value}', () => shown) }
}
