import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { nextOpeningOf } from '@shop/shared/settings/opening-hours.ts'
import { bangkokDay, formatClock } from '@shop/shared/time.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { type Config, optionsOf } from './shop-options.ts'

function closedNoteOf(config: Config): string | null {
  const now = new Date(config.nowDate)
  const opening = nextOpeningOf(optionsOf(config).OPENING_HOURS ?? '', now)
  const day = opening && bangkokDay(opening) === bangkokDay(now) ? 'วันนี้' : 'พรุ่งนี้'
  const clock = opening && formatClock(opening).replace(' ', '\u00a0')
  return opening && `ร้านปิดอยู่ จะเริ่มเติมให้ตามลำดับตั้งแต่ ${clock} ${day}`
}

/** What stands in place of the usual minutes while the shop is closed, by the server's clock; null while it is open. */
export const useClosedNote = (): string | null =>
  useQuery({ ...api.query(getPublicConfig), select: closedNoteOf }).data ?? null
