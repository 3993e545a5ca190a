import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { expect, test } from 'vitest'
import { useListFilter } from './list-filter.ts'

const readAt = (address: string) => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
  )
  return renderHook(() => useListFilter<'status'>(), { wrapper }).result
}

test('a changed filter stands in the address and starts at the first page again', () => {
  const filter = readAt('/wallet?month=2026-11&page=3')
  expect(filter.current).toMatchObject({ month: '2026-11', page: 3, isSet: true })
  act(() => filter.current.change('status', 'reject'))
  expect(filter.current).toMatchObject({ month: '2026-11', page: 1 })
  expect(filter.current.getHref(2)).toBe('?month=2026-11&status=reject&page=2')
  act(() => filter.current.clear())
  expect(filter.current.isSet).toBe(false)
  expect(filter.current.get('status')).toBe('')
})

test('a month or page number that makes no sense counts as not given; a page alone is no filter', () => {
  expect(readAt('/wallet?month=2026-13&page=-2').current).toMatchObject({ month: '', page: 1 })
  expect(readAt('/wallet?page=2').current).toMatchObject({ page: 2, isSet: false })
})
