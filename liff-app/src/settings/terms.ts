import type { Reply } from '@shop/shared/endpoint.ts'
import { getTerms } from '@shop/shared/settings/endpoints.ts'
import { api } from '../api.ts'

/** The terms of service that the screen shows. */
export type ShownTerms = Reply<typeof getTerms>

export const TERMS_QUERY = api.query(getTerms)
