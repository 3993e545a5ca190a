import { createServer } from 'node:http'
import { type Listening, listen } from '../listen.ts'
import { fontStyle, readFont } from '../page-font.ts'
import type { ReceivedMail } from './read-mail.ts'

const escaped = (text: string) => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

/** A mail may contain scripts, so it is shown in a frame that runs none. */
const frameOf = (html: string) => `<iframe sandbox title="เนื้อหาอีเมล" srcdoc="${escaped(html)}"></iframe>`

const mailOf = ({ to, headers, html }: ReceivedMail) => `<details><summary><b>${escaped(headers.subject ?? '')}</b>
<small>ถึง ${escaped(to.join(' '))} · ${escaped(headers.date ?? '')}</small></summary>${frameOf(html)}</details>`

const pageOf = (mails: readonly ReceivedMail[]) => `<!doctype html><html lang="th"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>กล่องอีเมลจำลอง</title>
<style>${fontStyle} body{margin:0 auto;max-width:760px;padding:24px 16px;background:#f5f6f8;color:#151922;font:15px/1.6 "Noto Sans Thai Looped Variable",Thonburi,"Leelawadee UI","Noto Sans Thai",system-ui,sans-serif}
h1{font-size:22px;margin:0}details{background:#fff;border:1px solid #e4e7ed;border-radius:16px;padding:12px 16px;margin-top:12px}summary{cursor:pointer;min-height:44px}
small{display:block;color:#4b5263;overflow-wrap:anywhere}iframe{width:100%;height:560px;border:0;margin-top:8px}summary:focus-visible{outline:2px solid #2347c5;outline-offset:2px}</style>
<h1>กล่องอีเมลจำลอง</h1><small>อีเมลทุกฉบับที่ร้านทดลองส่งมาถึงที่นี่ ไม่ได้ออกไปไหน</small>
${mails.length ? mails.toReversed().map(mailOf).join('') : '<p>ยังไม่มีอีเมล</p>'}</html>`

/** The page where mails of the demo shop are read, latest first. */
export function startMailPage(port: number, mails: readonly ReceivedMail[]): Promise<Listening> {
  const server = createServer(async (request, response) => {
    const font = await readFont(request.url?.split('/__emu/fonts/')[1] ?? '')
    if (font) return void response.writeHead(200, { 'content-type': 'font/woff2' }).end(font)
    if (request.url !== '/') return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(mails))
  })
  return listen(server, port)
}
