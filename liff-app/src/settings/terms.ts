import type { Reply } from '@shop/shared/endpoint.ts'
import { getTerms } from '@shop/shared/settings/endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

/** The terms of service as they are on the screen. */
export type ShownTerms = Reply<typeof getTerms>

export const TERMS_QUERY = api.query(getTerms)

export const useTerms = () => useQuery(TERMS_QUERY)

export interface TermsSection {
  title: string
  lines: string[]
}

const ITEM = /^[-•]\s*/

/** The text in sections: empty lines part them, and one whose first line is no "- " item begins with its title. */
export function termsSectionsOf(body: string): TermsSection[] {
  return body
    .split(/\n\s*\n/)
    .map(section =>
      section
        .split('\n')
        .map(each => each.trim())
        .filter(Boolean),
    )
    .filter(([first]) => first)
    .map(([first = '', ...rest]) => {
      const hasTitle = rest.length > 0 && !ITEM.test(first)
      const lines = hasTitle ? rest : [first, ...rest]
      return { title: hasTitle ? first : '', lines: lines.map(each => each.replace(ITEM, '')) }
    })
}
