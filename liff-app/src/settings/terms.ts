import type { Reply } from '@shop/shared/endpoint.ts'
import { getTerms } from '@shop/shared/settings/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

/** The terms of service as they are on the screen. */
export type ShownTerms = Reply<typeof getTerms>

export const TERMS_QUERY = api.query(getTerms)

export const useTerms = () => useQuery(TERMS_QUERY)
