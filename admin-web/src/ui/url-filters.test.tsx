import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter, Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import { expect, test } from 'vitest'
import { choicesField, dayField, idsField, textField, useUrlChoice, useUrlFilters } from './url-filters.ts'

const fields = { name: textField, tier: idsField, status: choicesField(['new', 'done'] as const, ['new']) }

function open(path: string) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={[path]}>{children}</MemoryRouter>
  )
  const { result } = renderHook(
    () => ({ list: useUrlFilters(fields), open: useUrlChoice('order'), search: useLocation().search }),
    { wrapper },
  )
  return result
}

test('an address that says nothing means the standard filters, and nonsense is nothing', () => {
  const standard = { name: '', tier: [], status: ['new'], page: 1, pageSize: 10 }
  expect(open('/').current.list).toMatchObject({ filters: standard, isFiltered: false })
  expect(open('/?tier=x&tier=-1&status=odd&page=0&pageSize=7').current.list.filters).toEqual(standard)
})

test('filters are written to the address and read back, the standard ones are left out', () => {
  const result = open('/?page=3&other=1')
  act(() => result.current.list.change({ name: 'a b', tier: [2, 5] }))
  expect(result.current.search).toBe('?other=1&name=a+b&tier=2&tier=5')
  expect(result.current.list.filters).toMatchObject({ name: 'a b', tier: [2, 5], status: ['new'], page: 1 })
})

test('none of the choices is another wish than the standard ones', () => {
  const result = open('/')
  act(() => result.current.list.change({ status: [] }))
  expect(result.current).toMatchObject({ search: '?status=all', list: { filters: { status: [] }, isFiltered: true } })
  act(() => result.current.list.reset())
  expect(result.current.search).toBe('')
})

test('what is open stands beside the filters', () => {
  const result = open('/?name=a')
  act(() => result.current.open[1]('KT1'))
  expect(result.current).toMatchObject({ search: '?name=a&order=KT1', open: ['KT1', expect.anything()] })
  act(() => result.current.open[1](null))
  expect(result.current.search).toBe('?name=a')
})

test('a second change before the page follows keeps the first', () => {
  const result = open('/?other=1')
  const { list, open: choice } = result.current
  act(() => {
    list.change({ name: 'a' })
    list.change({ tier: [2] })
    choice[1]('KT1')
    list.change({ status: ['done'] })
  })
  expect(result.current.search).toBe('?other=1&order=KT1&name=a&tier=2&status=done')
  act(() => result.current.list.change({ name: '' }))
  expect(result.current.search).toBe('?other=1&order=KT1&tier=2&status=done')
})

test('what no search box takes is left out of an address, and a day that no calendar has is none', () => {
  expect(textField.read([`\u0000\u202e${'ก'.repeat(10_000)}`])).toBe('ก'.repeat(100))
  expect(['2026-02-30', '2026-13-01', '2026-02-28'].map(day => dayField.read([day]))).toEqual([
    null,
    null,
    '2026-02-28',
  ])
  expect(idsField.read(['99999999999', '-1', '1.5', '7'])).toEqual([7])
})

test('an answer that comes after its page was left leads nobody back', () => {
  let late: (id: string | null) => void = () => undefined
  const Queue = () => {
    late = useUrlChoice('order')[1]
    return null
  }
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={['/queue?order=KT1']}>
      <Routes>
        <Route path="/queue" element={<Queue />} />
      </Routes>
      {children}
    </MemoryRouter>
  )
  const { result } = renderHook(() => ({ at: useLocation(), go: useNavigate() }), { wrapper })
  act(() => late('KT2'))
  expect(result.current.at.search).toBe('?order=KT2')
  act(() => result.current.go('/history'))
  act(() => late(null))
  expect(result.current.at).toMatchObject({ pathname: '/history', search: '' })
})
