import type { Action } from './flex.ts'
import type { ChatLinks } from './links.ts'
import { statusButton } from './words.ts'

/** LINE's size of a low menu, in pixels of its picture. */
const SIZE = { width: 2500, height: 843 }
const NAME = 'shop menu'

/** The entries of the menu under the shop's chat, from left to right; the picture shows the same words. */
const ITEMS: readonly { label: string; actionOf: (links: ChatLinks) => Action }[] = [
  { label: 'เติมเกม', actionOf: links => ({ type: 'uri', label: 'เติมเกม', uri: links.shop('/game') }) },
  { label: 'ดูสถานะ', actionOf: () => ({ ...statusButton(), label: 'ดูสถานะ' }) },
  {
    label: 'คำสั่งซื้อของฉัน',
    actionOf: links => ({ type: 'uri', label: 'คำสั่งซื้อของฉัน', uri: links.shop('/purchase/history') }),
  },
]

/** Returns the menu in LINE's format. */
export function richMenu(links: ChatLinks) {
  const edge = (index: number) => Math.round((SIZE.width * index) / ITEMS.length)
  return {
    size: SIZE,
    selected: true,
    name: NAME,
    chatBarText: 'เมนูร้าน',
    areas: ITEMS.map(({ actionOf }, index) => ({
      bounds: { x: edge(index), y: 0, width: edge(index + 1) - edge(index), height: SIZE.height },
      action: actionOf(links),
    })),
  }
}
