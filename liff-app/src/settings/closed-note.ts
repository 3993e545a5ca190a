import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { openingTextOf } from '@shop/shared/settings/opening-hours.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { type Config, optionsOf } from './shop-options.ts'

const HOLDS = 'holds'

/** When the shop opens, while it is closed; HOLDS while it stands still after a restore, and nobody knows until when. */
const openingOf = (config: Config): string | null =>
  config.isHolding ? HOLDS : openingTextOf(optionsOf(config).OPENING_HOURS ?? '', new Date(config.nowDate))

const useOpening = (): string | null => useQuery({ ...api.query(getPublicConfig), select: openingOf }).data ?? null

/** Whether the shop stands still after a restore. */
export const useIsHolding = (): boolean => useOpening() === HOLDS

/** What is said of an order instead of the usual minutes while the shop is closed by the server's clock, else null. */
export function useClosedNote(): string | null {
  const opening = useOpening()
  if (opening === HOLDS) return 'ร้านจะเริ่มเติมให้ตามลำดับเมื่อตรวจข้อมูลเสร็จ'
  return opening && `ร้าน${opening} แล้วเริ่มเติมให้ตามลำดับ`
}

/** The same before anything is ordered: that the shop is closed keeps nobody from buying, that it holds still does. */
export function useClosedInvitation(): string | null {
  const opening = useOpening()
  if (opening === HOLDS) return 'พักรับคำสั่งซื้อใหม่ชั่วคราว'
  return opening && `${opening} · สั่งไว้ได้เลย`
}
