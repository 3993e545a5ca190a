import { getPublicConfig, listPaymentMethods, listReceivingAccounts } from '@shop/shared/catalogue/endpoints.ts'
import { useEffect, useRef } from 'react'
import { api } from '../api.ts'
import { useIsSending, useQueries, useQuery } from '../query.tsx'

/** With the time for the answers, a change is on an open page within ten seconds. */
const EVERY_MS = 8000

/** How the paths of what the shop sells and says begin: games, packages, banners and terms, ways to pay. */
const CATALOGUE = [
  '/romons.game/',
  '/romons.package/',
  '/romons.configuration/',
  listPaymentMethods.path,
  listReceivingAccounts.path,
]

export const isOfCatalogue = (path: string): boolean => CATALOGUE.some(beginning => path.startsWith(beginning))

/**
 * Keeps what is open as the shop has it now. One small answer is asked for again and again while the page is seen and
 * online; when it names another version of the catalogue, what was read of it is read again. Not while something is
 * being sent: an order that is being placed keeps the page it was placed from.
 */
export function useCatalogueWatch(): void {
  const queries = useQueries()
  const isSending = useIsSending()
  const { data: version } = useQuery({
    ...api.query(getPublicConfig),
    select: ({ catalogueVersion }) => catalogueVersion,
    refetchInterval: EVERY_MS,
  })
  const known = useRef(version)
  useEffect(() => {
    if (version === undefined || isSending) return
    if (known.current !== undefined && known.current !== version) {
      void queries.invalidateQueries({ predicate: ({ queryKey }) => isOfCatalogue(String(queryKey[0])) })
    }
    known.current = version
  }, [version, isSending, queries])
}
