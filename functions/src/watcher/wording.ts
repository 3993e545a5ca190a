import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { formatShort } from '@shop/shared/time.ts'
import type { News, OpenTrouble } from './deciding.ts'
import type { WatcherSettings } from './variables.ts'

/** What people are told, by mail and in LINE alike. */
export interface Words {
  subject: string
  text: string
}

type Place = Pick<WatcherSettings, 'STOREFRONT_URL' | 'ADMIN_URL'>

const hostOf = ({ STOREFRONT_URL }: Place): string => new URL(STOREFRONT_URL).host
const clock = (at: number): string => formatShort(new Date(at))

const described = ({ what, first, since }: OpenTrouble): string =>
  [`• ${what}`, `  ทำก่อน: ${first}`, `  ตั้งแต่ ${clock(since)}`].join('\n')

function subjectOf({ began, ended, open }: News): string {
  const [first] = began.length > 0 ? began : open
  if (!first) return 'ร้านกลับมาปกติแล้ว'
  const more = open.length > 1 ? ` และอีก ${open.length - 1} เรื่อง` : ''
  if (began.length > 0) return `ร้านมีปัญหา: ${first.what}${more}`
  return ended.length > 0 ? `หายแล้วบางเรื่อง ยังเหลือ: ${first.what}${more}` : `ยังไม่หาย: ${first.what}${more}`
}

/** What began and what is over; without either of them it is a reminder. */
export function newsWords(news: News, place: Place): Words {
  const page = new URL(STAFF_PAGE.health.path, place.ADMIN_URL).href
  const { ended, open } = news
  const parts = [
    ...open.map(described),
    ...ended.map(({ what, since }) => `• หายแล้ว: ${what} (เริ่ม ${clock(since)})`),
    open.length > 0 ? `ดูรายละเอียดที่ ${page}` : 'ตอนนี้ทุกอย่างปกติ',
  ]
  const subject = subjectOf(news)
  return { subject: `${subject} · ${hostOf(place)}`, text: `${subject}\n\n${parts.join('\n')}` }
}

export function startWords(settings: WatcherSettings): Words {
  const subject = `ตัวเฝ้าร้านเริ่มเฝ้า ${hostOf(settings)}`
  const every = `ถามร้านทุก ${settings.WATCH_EVERY_SECONDS} วินาที และบอกว่ายังเฝ้าอยู่ทุกวันเวลา ${settings.WATCH_DAILY_AT}`
  return { subject, text: `${subject}\n${every} ถ้าวันไหนไม่ได้รับ แปลว่าตัวเฝ้าหยุด` }
}

export function dailyWords(place: Place, lastRed: OpenTrouble | null, open: readonly OpenTrouble[]): Words {
  const subject = `ตัวเฝ้าร้านยังเฝ้า ${hostOf(place)} อยู่`
  const state = open.length > 0 ? `ยังไม่หาย ${open.length} เรื่อง` : 'ตอนนี้ทุกอย่างปกติ'
  const last = lastRed ? `ครั้งล่าสุดที่มีปัญหา: ${lastRed.what} (${clock(lastRed.since)})` : 'ยังไม่เคยพบปัญหา'
  return { subject, text: `${subject}\n${state}\n${last}` }
}
