import { getPublicConfig } from '@shop/shared/catalogue/endpoints.ts'
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { api } from '../api.ts'
import { beginAgain, hearVersion, isBehind, isOfCatalogue, watchVersions } from '../catalogue-version.ts'

/** A server may be two seconds behind: with that and the time for the answers, a change is on an open page within ten. */
const EVERY_MS = 6000

/**
 * Keeps an open page up to date with the catalogue. It asks for the shop's settings every few seconds; when these name
 * a newer version than that of something on the page, the catalogue is read again. It waits while something is being
 * sent, so that the page does not change while an order is placed from it.
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
