import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { closedNoteOf } from '@shop/shared/settings/opening-hours.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { type Config, optionsOf } from './shop-options.ts'

const noteOf = (config: Config): string | null =>
  closedNoteOf(optionsOf(config).OPENING_HOURS ?? '', new Date(config.nowDate))

/** What is said instead of the usual minutes while the shop is closed by the server's clock; null while it is open. */
export const useClosedNote = (): string | null =>
  useQuery({ ...api.query(getPublicConfig), select: noteOf }).data ?? null
