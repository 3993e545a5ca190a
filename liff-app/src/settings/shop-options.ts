import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import type { OptionName } from '@shop/shared/settings/option.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

export type Config = Reply<typeof getPublicConfig>

/** The public options as text, checked by the server. A missing one is not known yet. */
type Options = Partial<Record<OptionName, string>>

// These are constants so that their results stay the same objects, and a component is drawn again only after a change.
export const optionsOf = ({ options }: Config): Options =>
  Object.fromEntries(options.map(({ optionName, optionValue }) => [optionName, optionValue]))
const UNKNOWN: Options = {}

/** The options as the shop's managers have set them. */
export function useShopOptions() {
  const config = useQuery({ ...api.query(getPublicConfig), select: optionsOf })
  const { data: options = UNKNOWN, isPending, error, isLoadingError, refetch } = config
  return { options, isPending, error, isLoadingError, refetch }
}
