import type { Game } from '@shop/shared/catalogue/endpoints.ts'
import { SHOP_NAME } from '@shop/shared/shop-name.ts'
import { isAbort } from '@shop/web/files.ts'
import { inLiff } from '../shop.ts'

/** What became of sharing a link; `cancelled` means that the person has stopped it. */
export type Shared = 'sent' | 'copied' | 'cancelled'

const liffId = import.meta.env.VITE_LIFF_ID

/** The address of the game's page, which works in every browser. */
const linkOf = ({ code }: Game): string => `${location.origin}/game/${encodeURIComponent(code)}`

/**
 * Shares the link to a game: inside LINE with chats that the person chooses, elsewhere by the device's own dialog, or
 * else by the clipboard. Rejects when even that fails.
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
