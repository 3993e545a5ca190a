import { useSearchParams } from 'react-router-dom'

type FilterName = 'month' | 'game' | 'status' | 'orderNo'

/** The filters in the page's address, one value each. */
export function useHistoryFilter() {
  const [search, setSearch] = useSearchParams()
  const get = (name: FilterName) => search.get(name) ?? ''
  const change = (name: FilterName, value: string) => {
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
  const page = Math.max(1, Number(search.get('page')) || 1)
  return { get, change, getHref, page, isSet: search.size > 0, clear: () => setSearch({}, { replace: true }) }
}
export type HistoryFilter = ReturnType<typeof useHistoryFilter>
