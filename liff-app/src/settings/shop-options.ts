import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import type { OptionName } from '@shop/shared/settings/option.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

export type Config = Reply<typeof getPublicConfig>

/**
 * The options that the shop tells, as text. The server has read them already, so the phone needs no table of what each
 * one takes; one that is missing is not known yet.
 */
type Options = Partial<Record<OptionName, string>>

// Named here and not at their use: a reader is drawn again only when what it reads is another one.
export const optionsOf = ({ options }: Config): Options =>
  Object.fromEntries(options.map(({ optionName, optionValue }) => [optionName, optionValue]))
const UNKNOWN: Options = {}

/** What the shop's managers chose. */
export function useShopOptions() {
  const config = useQuery({ ...api.query(getPublicConfig), select: optionsOf })
  const { data: options = UNKNOWN, isPending, error, isLoadingError, refetch } = config
  return { options, isPending, error, isLoadingError, refetch }
}
