import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { api } from '../api.ts'
import { beginAgain, hearVersion, isBehind, isOfCatalogue, watchVersions } from '../catalogue-version.ts'

/** With the two seconds a server may be behind and the time for the answers, a change is on an open page within ten. */
const EVERY_MS = 6000

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
  const isOld = useSyncExternalStore(watchVersions, isBehind)
  useEffect(() => {
    if (!isOld || isSending) return
    beginAgain()
    void queries.invalidateQueries({ predicate: ({ queryKey }) => isOfCatalogue(String(queryKey[0])) })
  }, [isOld, isSending, queries])
}
