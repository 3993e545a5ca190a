import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { nextOpeningOf } from '@shop/shared/settings/opening-hours.ts'
import { formatClock } from '@shop/shared/time.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { type Config, optionsOf } from './shop-options.ts'

function closedNoteOf(config: Config): string | null {
  const opening = nextOpeningOf(optionsOf(config).OPENING_HOURS ?? '', new Date(config.nowDate))
  return opening && `ร้านเปิด ${formatClock(opening)} จะเริ่มเติมให้ตามลำดับ`
}

/** What stands in place of the usual minutes while the shop is closed, by the server's clock; null while it is open. */
export const useClosedNote = (): string | null =>
  useQuery({ ...api.query(getPublicConfig), select: closedNoteOf }).data ?? null
