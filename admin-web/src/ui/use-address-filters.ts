import { useSearchParams } from 'react-router-dom'
import { readPaging, writePaging } from './pager.ts'

/** Filters of a list that live in the address, beside its page. `names` are the filters of this list. */
export function useAddressFilters(names: readonly string[]) {
  const [params, setParams] = useSearchParams()
  const paging = readPaging(params)
  return {
    params,
    paging,
    isFiltered: names.some(name => params.has(name)),
    /** Sets some filters (null, '' or [] takes one away) and starts at the first page. */
    filter: (values: Record<string, string | readonly string[] | null | undefined>) => {
      const kept = names.flatMap(name =>
        name in values ? [] : params.getAll(name).map((value): [string, string] => [name, value]),
      )
      const set = Object.entries(values).flatMap(([name, value]) =>
        [value ?? []].flat().flatMap((each): [string, string][] => (each === '' ? [] : [[name, each]])),
      )
      setParams(new URLSearchParams([...kept, ...set, ...writePaging({ ...paging, page: 1 })]), { replace: true })
    },
    turnTo: (page: number, pageSize: number) => {
      const kept = [...params].filter(([name]) => name !== 'page' && name !== 'pageSize')
      setParams(new URLSearchParams([...kept, ...writePaging({ page, pageSize })] as [string, string][]))
    },
    reset: () => setParams(new URLSearchParams(writePaging({ ...paging, page: 1 })), { replace: true }),
  }
}
