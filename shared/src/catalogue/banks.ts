/** A Thai bank. `color` is the background of our own monogram, because we ship no bank logos. */
export interface Bank {
  code: string
  shortCode: string
  bankName: string
  niceName: string
  color: string
}

type BankRow = readonly [code: string, shortCode: string, bankName: string, niceName: string, color: string]
const rows: readonly BankRow[] = [
  ['002', 'BBL', 'ธนาคารกรุงเทพ จำกัด (มหาชน)', 'กรุงเทพ', '#1e4598'],
  ['004', 'KBANK', 'ธนาคารกสิกรไทย จำกัด (มหาชน)', 'กสิกรไทย', '#127a28'],
  ['006', 'KTB', 'ธนาคารกรุงไทย จำกัด (มหาชน)', 'กรุงไทย', '#12739c'],
  ['011', 'TTB', 'ธนาคารทหารไทยธนชาต จำกัด (มหาชน)', 'ทีทีบี', '#0c55f2'],
  ['014', 'SCB', 'ธนาคารไทยพาณิชย์ จำกัด (มหาชน)', 'ไทยพาณิชย์', '#4e2e7f'],
  ['017', 'CITI', 'ธนาคารซิตี้แบงก์', 'ซิตี้แบงก์', '#0f3d89'],
  ['020', 'SCBT', 'ธนาคารสแตนดาร์ดชาร์เตอร์ด (ไทย) จำกัด (มหาชน)', 'สแตนดาร์ดชาร์เตอร์ด', '#0f6ea1'],
  ['022', 'CIMB', 'ธนาคาร ซีไอเอ็มบี ไทย จำกัด (มหาชน)', 'ซีไอเอ็มบี', '#7e2f36'],
  ['024', 'UOB', 'ธนาคารยูโอบี จำกัด (มหาชน)', 'ยูโอบี', '#0b3979'],
  ['025', 'BAY', 'ธนาคารกรุงศรีอยุธยา จำกัด (มหาชน)', 'กรุงศรี', '#7a5c00'],
  ['030', 'GSB', 'ธนาคารออมสิน', 'ออมสิน', '#c2127c'],
  ['031', 'HSBC', 'ธนาคารฮ่องกงและเซี่ยงไฮ้แบงกิ้งคอร์ปอเรชั่น จำกัด', 'เอชเอสบีซี', '#c50a16'],
  ['033', 'GHB', 'ธนาคารอาคารสงเคราะห์', 'ธอส.', '#a84c08'],
  ['034', 'BAAC', 'ธนาคารเพื่อการเกษตรและสหกรณ์การเกษตร', 'ธ.ก.ส.', '#38760f'],
  ['066', 'IBANK', 'ธนาคารอิสลามแห่งประเทศไทย', 'ไอแบงก์', '#184615'],
  ['067', 'TISCO', 'ธนาคารทิสโก้ จำกัด (มหาชน)', 'ทิสโก้', '#12549f'],
  ['069', 'KKP', 'ธนาคารเกียรตินาคินภัทร จำกัด (มหาชน)', 'เกียรตินาคินภัทร', '#5a547c'],
  ['070', 'ICBC', 'ธนาคารไอซีบีซี (ไทย) จำกัด (มหาชน)', 'ไอซีบีซี', '#c50f1c'],
  ['071', 'TCRB', 'ธนาคารไทยเครดิต จำกัด (มหาชน)', 'ไทยเครดิต', '#0a4ab3'],
  ['073', 'LHB', 'ธนาคารแลนด์ แอนด์ เฮ้าส์ จำกัด (มหาชน)', 'แลนด์ แอนด์ เฮ้าส์', '#6d6e71'],
]

/** Thai banks by clearing code. Colours are darkened where white text would fall below 4.5:1. */
export const BANKS = rows.map(
  ([code, shortCode, bankName, niceName, color]): Bank => ({ code, shortCode, bankName, niceName, color }),
)

/** Returns the bank of a clearing code; an unknown code is shown as unknown. ttb still uses 076 in places. */
export function bankOf(code: string): Bank {
  const known = BANKS.find(bank => bank.code === (code === '076' ? '011' : code))
  const name = `ธนาคารอื่น (รหัส ${code})`
  return known ?? { code, shortCode: code, bankName: name, niceName: name, color: '#4b5263' }
}
