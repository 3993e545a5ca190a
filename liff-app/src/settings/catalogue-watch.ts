import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { type Query, useIsFetching, useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { api } from '../api.ts'
import { beginAgain, hearVersion, isBehind, isOfCatalogue, watchVersions } from '../catalogue-version.ts'

/** With the two seconds a server may be behind and the time for the answers, a change is on an open page within ten. */
const EVERY_MS = 6000

const isCatalogue = ({ queryKey }: Query): boolean => isOfCatalogue(String(queryKey[0]))

/**
 * Keeps what is open as the shop has it now. One small answer, which nothing on the way keeps, is asked for again and again
 * while the page is seen and online; when something on the page was read at an older version than it names, all is read
 * again. Not while something is being sent: an order that is being placed keeps the page it was placed from.
 */
export function useCatalogueWatch(): void {
  const queries = useQueryClient()
  const isSending = useIsMutating() > 0
  const { data: told } = useQuery({
    ...api.query(getPublicConfig),
    select: ({ catalogueVersion }) => catalogueVersion,
    refetchInterval: EVERY_MS,
  })
  useEffect(() => {
    if (told !== undefined) hearVersion(told)
  }, [told])
  // A first answer that is on its way can't be asked for anew.
  const isLoading = useIsFetching({ predicate: query => isCatalogue(query) && query.state.data === undefined }) > 0
  const isOld = useSyncExternalStore(watchVersions, isBehind)
  useEffect(() => {
    if (!isOld || isSending || isLoading) return
    beginAgain()
    void queries.invalidateQueries({ predicate: isCatalogue })
  }, [isOld, isSending, isLoading, queries])
}
