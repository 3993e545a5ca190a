import { invariant } from '../errors.ts'
import type { Letter } from '../letter.ts'
import { SHOP_NAME } from '../shop-name.ts'
import { type Card, card, type LineMessage, type WorkCard, workCard } from './flex.ts'

/** The content of a card for the shop's own people, which they get as a mail where LINE reaches nobody. */
export type HouseCard = Card | WorkCard

const isNews = (shown: HouseCard): shown is Card => 'title' in shown

export const drawn = (shown: HouseCard): LineMessage => (isNews(shown) ? card(shown) : workCard(shown))

const FOOT = `อีเมลนี้ส่งถึงทีมงานของร้าน ${SHOP_NAME} โดยอัตโนมัติ เพราะยังไม่แน่ใจว่า LINE ถึงใคร กรุณาอย่าตอบกลับ ผูกกลุ่ม LINE ของผู้จัดการได้ในหลังร้าน`

/** Says in a letter what a card says. */
export function letterOf(shown: HouseCard): Letter {
  const { facts, note, actions = [], over, alt } = shown
  const { title, opening } = isNews(shown)
    ? { title: shown.title, opening: over ?? alt }
    : { title: over ?? alt, opening: `${shown.goods.name} ${shown.goods.game}` }
  const page = actions.find(action => action.type === 'uri')
  invariant(page, 'a card for the shop’s own people leads to a page of the back office')
  const action = { label: page.label, url: page.uri }
  return { title, opening, facts, advice: note ?? 'ดูรายละเอียดได้ในหลังร้าน', action, foot: FOOT }
}
