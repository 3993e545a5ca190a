import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { openingTextOf } from '@shop/shared/settings/opening-hours.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { type Config, optionsOf } from './shop-options.ts'

const openingOf = (config: Config): string | null =>
  openingTextOf(optionsOf(config).OPENING_HOURS ?? '', new Date(config.nowDate))

const useOpening = (): string | null => useQuery({ ...api.query(getPublicConfig), select: openingOf }).data ?? null

/** What is said of an order instead of the usual minutes while the shop is closed by the server's clock, else null. */
export function useClosedNote(): string | null {
  const opening = useOpening()
  return opening && `ร้าน${opening} แล้วเริ่มเติมให้ตามลำดับ`
}

/** The same before anything is ordered: that the shop is closed keeps nobody from buying. */
export function useClosedInvitation(): string | null {
  const opening = useOpening()
  return opening && `${opening} · สั่งไว้ได้เลย`
}
