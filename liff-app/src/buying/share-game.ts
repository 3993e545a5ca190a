import type { Game } from '@shop/shared/catalogue/endpoints.ts'
import { SHOP_NAME } from '@shop/shared/shop-name.ts'
import { isAbort } from '@shop/web/files.ts'
import { inLiff } from '../shop.ts'

/** How a link went out; `cancelled` is the person's own doing. */
export type Shared = 'sent' | 'copied' | 'cancelled'

const liffId = import.meta.env.VITE_LIFF_ID

/** The page's one address: it lands at the game in LINE's own browsers and in any other. */
const linkOf = ({ code }: Game): string => `${location.origin}/game/${encodeURIComponent(code)}`

/**
 * Hands a game's link on: inside LINE to chosen chats, elsewhere by what the device offers, else to the clipboard.
 * Rejects when not even that works.
 */
export async function shareGame(game: Game): Promise<Shared> {
  if (inLiff && liffId) {
    const [{ pickChats }, { card, link }] = await Promise.all([
      import('../liff.ts'),
      import('@shop/shared/chat/flex.ts'),
    ])
    const url = `https://liff.line.me/${liffId}/game/${encodeURIComponent(game.code)}`
    const message = card({
      tone: 'accent',
      over: SHOP_NAME,
      title: game.name,
      facts: [],
      alt: `${game.name} · ${SHOP_NAME}`,
      note: 'เลือกแพ็กเกจ โอนเงิน แล้วติดตามสถานะได้ทุกขั้น',
      actions: [link('เติมเกมนี้', url)],
    })
    const picked = await pickChats(message)
    if (picked !== 'unavailable') return picked
  }
  const url = linkOf(game)
  if (navigator.share) {
    try {
      await navigator.share({ title: `${game.name} · ${SHOP_NAME}`, url })
      return 'sent'
    } catch (error) {
      if (isAbort(error)) return 'cancelled'
    }
  }
  await navigator.clipboard.writeText(url)
  return 'copied'
}
