// A drawn bank slip with a readable mini QR: nothing of it is a real bank's.
import encodeQr from 'qr'
import sharp from 'sharp'

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

/** A JPEG of a slip, 720 x 1280 unless it shall be wider. */
export async function drawSlip(sendingBank: string, reference: string, width = 720): Promise<Buffer> {
  const qr = Buffer.from(encodeQr(slipQrText(sendingBank, reference), 'svg', { border: 2 }))
  const page = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="1280"><rect width="720" height="1280" fill="#e8f6ee"/>
    <rect x="40" y="40" width="640" height="1200" rx="24" fill="#fff"/><circle cx="120" cy="130" r="44" fill="#0b6e3f"/>
    <path d="M100 130l14 16 28-32" fill="none" stroke="#fff" stroke-width="8"/>
    <g fill="#c3c9d6"><rect x="190" y="100" width="300" height="24" rx="8"/><rect x="190" y="140" width="200" height="18" rx="8"/>
    <rect x="80" y="260" width="240" height="20" rx="8"/><rect x="80" y="300" width="360" height="26" rx="8"/>
    <rect x="80" y="420" width="240" height="20" rx="8"/><rect x="80" y="460" width="360" height="26" rx="8"/>
    <rect x="80" y="600" width="180" height="20" rx="8"/><rect x="80" y="640" width="280" height="40" rx="8"/></g></svg>`
  const slip = await sharp(Buffer.from(page))
    .composite([{ input: await sharp(qr).resize(320, 320).png().toBuffer(), left: 340, top: 880 }])
    .png()
    .toBuffer()
  return sharp(slip).resize({ width }).jpeg({ quality: 85 }).toBuffer()
}
