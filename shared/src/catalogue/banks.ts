/** A Thai bank. `color` is the background of our own monogram, because we ship no bank logos. */
export interface Bank {
  code: string
  shortCode: string
  bankName: string
  niceName: string
  color: string
}

/** Thai banks by clearing code. Colours are darkened where white text would fall below 4.5:1. */
export const BANKS: readonly Bank[] = [
  { code: '002', shortCode: 'BBL', bankName: 'ธนาคารกรุงเทพ จำกัด (มหาชน)', niceName: 'กรุงเทพ', color: '#1e4598' },
  { code: '004', shortCode: 'KBANK', bankName: 'ธนาคารกสิกรไทย จำกัด (มหาชน)', niceName: 'กสิกรไทย', color: '#127a28' },
  { code: '006', shortCode: 'KTB', bankName: 'ธนาคารกรุงไทย จำกัด (มหาชน)', niceName: 'กรุงไทย', color: '#12739c' },
  { code: '011', shortCode: 'TTB', bankName: 'ธนาคารทหารไทยธนชาต จำกัด (มหาชน)', niceName: 'ทีทีบี', color: '#0c55f2' },
  { code: '014', shortCode: 'SCB', bankName: 'ธนาคารไทยพาณิชย์ จำกัด (มหาชน)', niceName: 'ไทยพาณิชย์', color: '#4e2e7f' },
  { code: '017', shortCode: 'CITI', bankName: 'ธนาคารซิตี้แบงก์', niceName: 'ซิตี้แบงก์', color: '#0f3d89' },
  {
    code: '020',
    shortCode: 'SCBT',
    bankName: 'ธนาคารสแตนดาร์ดชาร์เตอร์ด (ไทย) จำกัด (มหาชน)',
    niceName: 'สแตนดาร์ดชาร์เตอร์ด',
    color: '#0f6ea1',
  },
  {
    code: '022',
    shortCode: 'CIMB',
    bankName: 'ธนาคาร ซีไอเอ็มบี ไทย จำกัด (มหาชน)',
    niceName: 'ซีไอเอ็มบี',
    color: '#7e2f36',
  },
  { code: '024', shortCode: 'UOB', bankName: 'ธนาคารยูโอบี จำกัด (มหาชน)', niceName: 'ยูโอบี', color: '#0b3979' },
  { code: '025', shortCode: 'BAY', bankName: 'ธนาคารกรุงศรีอยุธยา จำกัด (มหาชน)', niceName: 'กรุงศรี', color: '#7a5c00' },
  { code: '030', shortCode: 'GSB', bankName: 'ธนาคารออมสิน', niceName: 'ออมสิน', color: '#c2127c' },
  {
    code: '031',
    shortCode: 'HSBC',
    bankName: 'ธนาคารฮ่องกงและเซี่ยงไฮ้แบงกิ้งคอร์ปอเรชั่น จำกัด',
    niceName: 'เอชเอสบีซี',
    color: '#c50a16',
  },
  { code: '033', shortCode: 'GHB', bankName: 'ธนาคารอาคารสงเคราะห์', niceName: 'ธอส.', color: '#a84c08' },
  {
    code: '034',
    shortCode: 'BAAC',
    bankName: 'ธนาคารเพื่อการเกษตรและสหกรณ์การเกษตร',
    niceName: 'ธ.ก.ส.',
    color: '#38760f',
  },
  { code: '066', shortCode: 'IBANK', bankName: 'ธนาคารอิสลามแห่งประเทศไทย', niceName: 'ไอแบงก์', color: '#184615' },
  { code: '067', shortCode: 'TISCO', bankName: 'ธนาคารทิสโก้ จำกัด (มหาชน)', niceName: 'ทิสโก้', color: '#12549f' },
  {
    code: '069',
    shortCode: 'KKP',
    bankName: 'ธนาคารเกียรตินาคินภัทร จำกัด (มหาชน)',
    niceName: 'เกียรตินาคินภัทร',
    color: '#5a547c',
  },
  { code: '070', shortCode: 'ICBC', bankName: 'ธนาคารไอซีบีซี (ไทย) จำกัด (มหาชน)', niceName: 'ไอซีบีซี', color: '#c50f1c' },
  { code: '071', shortCode: 'TCRB', bankName: 'ธนาคารไทยเครดิต จำกัด (มหาชน)', niceName: 'ไทยเครดิต', color: '#0a4ab3' },
  {
    code: '073',
    shortCode: 'LHB',
    bankName: 'ธนาคารแลนด์ แอนด์ เฮ้าส์ จำกัด (มหาชน)',
    niceName: 'แลนด์ แอนด์ เฮ้าส์',
    color: '#6d6e71',
  },
]

/** Returns the bank of a clearing code; an unknown code is shown as unknown. ttb still uses 076 in places. */
export function bankOf(code: string): Bank {
  const known = BANKS.find(bank => bank.code === (code === '076' ? '011' : code))
  return (
    known ?? {
      code,
      shortCode: code,
      bankName: `ธนาคารอื่น (รหัส ${code})`,
      niceName: `ธนาคารอื่น (รหัส ${code})`,
      color: '#4b5263',
    }
  )
}
