import { SHOP_NAME } from './shop-name.ts'

/** The content of a mail. Its texts may contain anything that people typed. */
export interface Letter {
  title: string
  opening: string
  facts: readonly { label: string; value: string }[]
  advice: string
  action: { label: string; url: string }
  /** What stands below; else that it goes to the owner of an account. */
  foot?: string
}

/** A letter ready to be sent. */
export interface WrittenLetter {
  /** One line. */
  subject: string
  text: string
  /** A complete page without scripts, pictures or links other than the one. */
  html: string
}

const MOST_UNITS = 600

/**
 * Returns a text on one line with a limited length, without invisible characters such as those that turn the direction
 * of writing around.
 */
const plain = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MOST_UNITS)

const escaped = (text: string): string => plain(text).replace(/[&<>"']/g, mark => `&#${mark.charCodeAt(0)};`)

const FOOT = `อีเมลนี้ส่งถึงเจ้าของบัญชีของร้าน ${SHOP_NAME} โดยอัตโนมัติ กรุณาอย่าตอบกลับ ร้านไม่ขอรหัสผ่านหรือ PIN ทางอีเมล`

const FONT = `font-family:'Noto Sans Thai',Thonburi,'Leelawadee UI',Tahoma,sans-serif`

const factRow = ({ label, value }: Letter['facts'][number]): string =>
  `<tr><td style="padding:6px 12px 6px 0;color:#4b5263;font-size:14px;vertical-align:top;width:104px">${escaped(label)}</td>
<td style="padding:6px 0;color:#151922;font-size:14px;vertical-align:top;overflow-wrap:anywhere;word-break:break-word">${escaped(value)}</td></tr>`

/** Writes a letter as plain text and as simple HTML. */
export function writeLetter({ title, opening, facts, advice, action, foot = FOOT }: Letter): WrittenLetter {
  const lines = [
    plain(title),
    '',
    plain(opening),
    '',
    ...facts.map(({ label, value }) => `${plain(label)}: ${plain(value)}`),
    '',
    plain(advice),
    '',
    `${plain(action.label)}: ${action.url}`,
    '',
    foot,
  ]
  const html = `<!doctype html>
<html lang="th"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title></head>
<body style="margin:0;padding:16px;background:#f5f6f8;${FONT};line-height:1.6">
<div style="max-width:520px;margin:0 auto;padding:20px;background:#ffffff;border:1px solid #e4e7ed;border-radius:12px">
<p style="margin:0;color:#4b5263;font-size:13px">${escaped(SHOP_NAME)}</p>
<h1 style="margin:4px 0 12px;color:#151922;font-size:20px;line-height:1.4">${escaped(title)}</h1>
<p style="margin:0 0 12px;color:#151922;font-size:15px">${escaped(opening)}</p>
<table role="presentation" style="width:100%;border-collapse:collapse;table-layout:fixed;border-top:1px solid #e4e7ed;border-bottom:1px solid #e4e7ed">${facts.map(factRow).join('')}</table>
<p style="margin:16px 0;color:#151922;font-size:15px">${escaped(advice)}</p>
<a href="${escaped(action.url)}" style="display:inline-block;padding:10px 16px;border-radius:10px;background:#2347c5;color:#ffffff;font-size:15px;text-decoration:none">${escaped(action.label)}</a>
</div>
<p style="max-width:520px;margin:12px auto 0;color:#4b5263;font-size:12px">${escaped(foot)}</p>
</body></html>
`
  return { subject: `${plain(title)} · ${SHOP_NAME}`, text: `${lines.join('\n')}\n`, html }
}
