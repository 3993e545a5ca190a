import { useSearchParams } from 'react-router-dom'

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/
const LAST_PAGE = 1000

/**
 * The filters of a list and its page number, which live in the address of the page. A changed filter starts at the first
 * page again. A month or page number that makes no sense counts as not given.
 */
export function useListFilter<Name extends string>() {
  const [search, setSearch] = useSearchParams()
  const get = (name: Name | 'month') => search.get(name) ?? ''
  const change = (name: Name | 'month', value: string) => {
    const next = new URLSearchParams(search)
    if (value) next.set(name, value)
    else next.delete(name)
    next.delete('page')
    setSearch(next, { replace: true })
  }
  const getHref = (page: number) => {
    const next = new URLSearchParams(search)
    next.set('page', String(page))
    return `?${next}`
  }
  const page = Number(search.get('page'))
  return {
    get,
    change,
    getHref,
    /** "YYYY-MM"; empty for every month. */
    month: MONTH.test(get('month')) ? get('month') : '',
    page: Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1,
    isSet: [...search.keys()].some(name => name !== 'page'),
    clear: () => setSearch({}, { replace: true }),
  }
}
