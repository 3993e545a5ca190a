// A drawn bank slip with a readable mini QR: nothing of it is a real bank's.
import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { formatDateTime } from '@shop/shared/time.ts'
import encodeQr from 'qr'
import sharp from 'sharp'
import { type Line, write } from './drawn-text.ts'
import { maskAccount, type Transfer } from './slip-provider/register.ts'

/** CRC-16/CCITT-FALSE over the text, as four upper-case hex digits. */
function crc16(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

const field = (tag: string, value: string) => `${tag}${String(value.length).padStart(2, '0')}${value}`

/** The text of a slip's QR: sending bank and its reference, no amount and no receiver. */
export function slipQrText(sendingBank: string, reference: string): string {
  const payload = field('00', '000001') + field('01', sendingBank) + field('02', reference)
  const text = `${field('00', payload)}${field('51', 'TH')}9104`
  return text + crc16(text)
}

/** What a slip shows for people to read. */
export interface SlipFacts extends Pick<Transfer, 'amountSatang' | 'at' | 'payer' | 'receiver'> {
  /** Its height follows. */
  width: number
}

export const DEMO_PAYER = { accountNo: '5551112222', name: 'นาย ทดลอง โอนไว' }
const SHOP = { bankCode: '004', accountNo: '0123456789', name: 'บจก. คราม เติมเกม', promptPayId: null }

const HEIGHT = 1280
const WIDTH = 720
const MARGIN = 80

const paper = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
  <rect width="720" height="1280" fill="#e8f6ee"/><rect x="40" y="40" width="640" height="1200" rx="24" fill="#fff"/>
  <circle cx="124" cy="136" r="44" fill="#0b6e3f"/><path d="M104 136l14 16 28-32" fill="none" stroke="#fff" stroke-width="8"/>
  <path d="M80 230h560M80 810h560" stroke="#d6dbe4" stroke-width="2"/></svg>`

const MUTED = '#4b5263'

/** A JPEG of a slip, on which people read what was sent and machines the reference. */
export async function drawSlip(
  sendingBank: string,
  reference: string,
  facts: Partial<SlipFacts> = {},
): Promise<Buffer> {
  const { amountSatang = 10_000, at = new Date(), payer = DEMO_PAYER, receiver = SHOP, width = WIDTH } = facts
  const qr = Buffer.from(encodeQr(slipQrText(sendingBank, reference), 'svg', { border: 2 }))
  const layers = await Promise.all([
    write(
      [
        ['โอนเงินสำเร็จ', 44],
        [formatDateTime(at), 30, MUTED],
      ],
      190,
      86,
    ),
    write(party('จาก', payer.name, sendingBank, payer.accountNo), MARGIN, 260),
    write(party('ไปยัง', receiver.name, receiver.bankCode, receiver.accountNo), MARGIN, 430),
    write(
      [
        ['จำนวนเงิน', 28, MUTED],
        [`${formatBaht(amountSatang)} บาท`, 68],
      ],
      MARGIN,
      620,
    ),
    write(
      [
        ['เลขที่รายการ', 26, MUTED],
        [reference, 28],
      ],
      MARGIN,
      826,
    ),
    write(
      [
        ['สลิปของธนาคารจำลอง', 26, MUTED],
        ['ไม่ใช่เงินจริง', 26, MUTED],
      ],
      MARGIN,
      1080,
    ),
    sharp(qr)
      .resize(300, 300)
      .png()
      .toBuffer()
      .then(input => ({ input, left: 360, top: 920 })),
  ])
  const slip = await sharp(Buffer.from(paper)).composite(layers).png().toBuffer()
  return sharp(slip).resize({ width }).jpeg({ quality: 85 }).toBuffer()
}

const party = (role: string, name: string, bankCode: string, accountNo: string): Line[] => [
  [role, 28, MUTED],
  [name, 36],
  [`${bankOf(bankCode).niceName} ${maskAccount(accountNo)}`, 30, MUTED],
]
