import type { Game } from '@shop/shared/catalogue/endpoints.ts'
import { formatMinutes } from '@shop/shared/catalogue/minutes.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
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
    const [{ pickChats }, { card, link }, { chatLinks }] = await Promise.all([
      import('../liff.ts'),
      import('@shop/shared/chat/flex.ts'),
      import('@shop/shared/chat/links.ts'),
    ])
    const links = chatLinks({ liffId, storefrontUrl: location.origin, adminUrl: location.origin })
    const message = card({
      tone: 'accent',
      title: `เติม ${game.name}`,
      under: SHOP_NAME,
      goods: {
        name: `เริ่มต้น ${formatBahtShort(game.fromSatang)} บาท`,
        game: `ปกติเข้าเกมใน ${formatMinutes(game.usualMinutes)}`,
        picture: links.picture(game.code),
      },
      facts: [],
      alt: `${game.name} · ${SHOP_NAME}`,
      note: 'เลือกแพ็กเกจ โอนเงิน แล้วติดตามสถานะได้ทุกขั้น',
      actions: [link('เติมเกมนี้', links.shop(`/game/${encodeURIComponent(game.code)}`))],
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
