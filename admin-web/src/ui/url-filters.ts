import { isOneOf } from '@shop/shared/table.ts'
import { bangkokMonthOf } from '@shop/shared/time.ts'
import { useEffect, useMemo, useRef } from 'react'
import { type Location, type NavigateOptions, useLocation, useSearchParams } from 'react-router-dom'

/** How one filter is read from the address and written to it; the default is written as nothing. */
export interface Field<T> {
  read: (values: string[]) => T
  write: (value: T) => string[]
}

/** The largest id that the database has. */
const LAST_ID = 2 ** 31 - 1

const positive = (text: string | undefined): number | null => {
  const number = Number(text)
  return Number.isInteger(number) && number > 0 && number <= LAST_ID ? number : null
}

/** What no search box takes, so that an address with it is no search that the server refuses. */
const UNTYPED = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu

/** A text of so many characters, as the server takes it; what an address has beyond them is left out. */
export const textUpTo = (length: number): Field<string> => ({
  read: ([text = '']) => text.replaceAll(UNTYPED, '').slice(0, length).trim(),
  write: text => (text ? [text] : []),
})

export const textField = textUpTo(100)

/** Off, unless the address says "true". */
export const flagField: Field<boolean> = { read: ([text]) => text === 'true', write: isOn => (isOn ? ['true'] : []) }

const ALL = 'all'
const isMonth = (text: string | undefined): text is string => /^20\d\d-(0[1-9]|1[0-2])$/.test(text ?? '')

/** Tells whether the calendar has this day "YYYY-MM-DD". */
export const isDay = (text: string | undefined): text is string =>
  /^20\d\d-\d\d-\d\d$/.test(text ?? '') && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text

/** A month "YYYY-MM"; null means every month. */
export const monthField: Field<string | null> = {
  read: ([month]) => (isMonth(month) ? month : null),
  write: month => (month ? [month] : []),
}

/** The same, but without a word in the address it is the current month in Bangkok. */
export const currentMonthField: Field<string | null> = {
  read: ([month]) => (month === ALL ? null : isMonth(month) ? month : bangkokMonthOf(new Date())),
  write: month => (month === bangkokMonthOf(new Date()) ? [] : [month ?? ALL]),
}

/** A Bangkok day "YYYY-MM-DD"; null means no day. */
export const dayField: Field<string | null> = {
  read: ([day]) => (isDay(day) ? day : null),
  write: day => (day ? [day] : []),
}

export const idsField: Field<number[]> = {
  read: values => values.flatMap(value => positive(value) ?? []),
  write: ids => ids.map(String),
}

/** Several of some known words. Where there is a default, choosing none is written as "all". */
export function choicesField<T extends string>(known: readonly T[], standard: readonly T[] = []): Field<T[]> {
  return {
    read: values => {
      if (values.includes(ALL)) return []
      const chosen = values.filter((value): value is T => isOneOf(known, value))
      return chosen.length > 0 ? chosen : [...standard]
    },
    write: chosen => {
      if (chosen.join() === standard.join()) return []
      return chosen.length > 0 ? chosen : [ALL]
    },
  }
}

/** A field of any type. Its type is not known here, but only what it has read is written back. */
interface AnyField {
  read: (values: string[]) => unknown
  write: (value: never) => string[]
}
type Fields = Record<string, AnyField>
type Values<F extends Fields> = { [K in keyof F]: ReturnType<F[K]['read']> }

export interface Paging {
  page: number
  pageSize: number
}
/** The values of some fields, and the page. */
export type Filters<F extends Fields> = Values<F> & Paging

export const PAGE_SIZES = [10, 20, 50, 100]
const LAST_PAGE = 1000

/** The parameters last written for a location, so that a second change before the next render keeps the first. */
const written = new WeakMap<Location, URLSearchParams>()

/** Says whether the page is gone: an answer that comes late must not lead whoever went on back to it. */
function useIsLeft(): () => boolean {
  const isLeft = useRef(false)
  useEffect(() => {
    isLeft.current = false
    return () => {
      isLeft.current = true
    }
  }, [])
  return () => isLeft.current
}

/** The address's parameters as the page shows them and as they were last written, and the way to write them. */
function useParams() {
  const [shown, setParams] = useSearchParams()
  const location = useLocation()
  const isLeft = useIsLeft()
  const write = (next: URLSearchParams, options: NavigateOptions) => {
    if (isLeft()) return
    written.set(location, next)
    setParams(next, options)
  }
  return { shown, latest: () => written.get(location) ?? shown, write }
}

function readFilters<F extends Fields>(params: URLSearchParams, fields: F, standardPageSize: number): Filters<F> {
  const read = Object.entries(fields).map(([name, field]) => [name, field.read(params.getAll(name))])
  const page = Math.min(positive(params.get('page') ?? '') ?? 1, LAST_PAGE)
  const pageSize = positive(params.get('pageSize') ?? '') ?? standardPageSize
  return {
    ...Object.fromEntries(read),
    page,
    pageSize: PAGE_SIZES.includes(pageSize) ? pageSize : standardPageSize,
  } as Filters<F>
}

/** Keeps a list's filters and page in the address; `fields` must be the same at every render. */
export function useUrlFilters<F extends Fields>(fields: F, standardPageSize = 10) {
  const params = useParams()
  const { shown } = params
  const filters = useMemo(() => readFilters(shown, fields, standardPageSize), [fields, shown, standardPageSize])
  const latest = () => readFilters(params.latest(), fields, standardPageSize)

  const write = (next: Filters<F>) => {
    const kept = new URLSearchParams(params.latest())
    for (const name of [...Object.keys(fields), 'page', 'pageSize']) kept.delete(name)
    for (const [name, field] of Object.entries(fields)) {
      for (const value of field.write(next[name] as never)) kept.append(name, value)
    }
    if (next.page > 1) kept.set('page', String(next.page))
    if (next.pageSize !== standardPageSize) kept.set('pageSize', String(next.pageSize))
    params.write(kept, { replace: true })
  }
  const standard = () =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.read([])])) as Values<F>
  return {
    filters,
    isFiltered: Object.keys(fields).some(name => shown.has(name)),
    /** Changing a filter leads back to the first page. */
    change: (some: Partial<Filters<F>>) => write({ ...latest(), page: 1, ...some }),
    reset: () => write({ ...standard(), page: 1, pageSize: latest().pageSize } as Filters<F>),
  }
}

/** Writes addresses of the page that is shown, with some of its parameters changed; null leaves one out. */
export function useAddressWith(): (some: Record<string, string | null>) => string {
  const [shown] = useSearchParams()
  return some => {
    const params = new URLSearchParams(shown)
    for (const [name, value] of Object.entries(some)) {
      if (value === null) params.delete(name)
      else params.set(name, value)
    }
    return `?${params}`
  }
}

/** Keeps the id of one open thing in the address. Back closes it; opening another one adds no step to the history. */
export function useUrlChoice(name: string): [string | null, (id: string | null) => void] {
  const { shown, latest, write } = useParams()
  const open = (id: string | null) => {
    const next = new URLSearchParams(latest())
    const replace = id === null || next.has(name)
    if (id) next.set(name, id)
    else next.delete(name)
    write(next, { replace })
  }
  return [shown.get(name), open]
}
