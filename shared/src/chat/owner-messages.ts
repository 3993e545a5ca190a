import { OWNER_NEWS, type OwnerNews, type ShopContact, wordsOfNews } from '../account/news.ts'
import { STAFF_PAGE } from '../staff-pages.ts'
import { formatShort } from '../time.ts'
import { card, type LineMessage, link } from './flex.ts'
import type { ChatLinks } from './links.ts'

/** For the owner of an account: what was changed. `url` is the page that shows it. */
export function ownerNews({ news, contact, url }: { news: OwnerNews; contact: ShopContact; url: string }): LineMessage {
  const { title, happened, facts, advice } = wordsOfNews(news, contact)
  const { page } = OWNER_NEWS[news.kind]
  return card({
    tone: page === 'wallet' ? 'accent' : 'warn',
    over: 'เรื่องบัญชีของคุณ',
    title,
    facts,
    note: `${happened} ${advice}`,
    actions: [link(page === 'wallet' ? 'เปิดกระเป๋าเงิน' : 'เปิดบัญชีของฉัน', url)],
    alt: `${title} เมื่อ ${formatShort(news.at)} ${advice}`,
  })
}

/** For managers: the shop changed an account whose owner can't be reached. */
export const ownerUntold = (
  { news, name, uid }: { news: OwnerNews; name: string; uid: string },
  links: ChatLinks,
): LineMessage =>
  card({
    tone: 'warn',
    over: 'เจ้าของบัญชีไม่ได้รับแจ้ง',
    title: name,
    facts: [
      { label: 'เรื่อง', value: OWNER_NEWS[news.kind].title },
      { label: 'เมื่อ', value: formatShort(news.at) },
    ],
    note: 'บัญชีนี้ไม่มี LINE และอีเมลที่ส่งถึงได้ ใครเป็นผู้ทำดูได้ในบันทึกการแก้ไข กรุณาแจ้งเจ้าของด้วยตัวเอง',
    actions: [link('เปิดข้อมูลผู้ใช้', links.admin(STAFF_PAGE.user.path.replace(':uid', encodeURIComponent(uid))))],
    alt: `เจ้าของบัญชี ${name} ไม่ได้รับแจ้งว่า ${OWNER_NEWS[news.kind].title}`,
  })
