import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSteadyRows } from './use-steady-rows.ts'

interface Row {
  id: string
  status: string
}
const row = (id: string, status = 'waiting'): Row => ({ id, status })
const keyOf = ({ id }: Row) => id

function read(first: Row[]) {
  return renderHook(
    ({ latest, isHeld, scope }: { latest: Row[]; isHeld: boolean; scope: string }) =>
      useSteadyRows(latest, { keyOf, scope, isHeld }),
    { initialProps: { latest: first, isHeld: true, scope: 'a' } },
  )
}

test('while somebody reads, rows change in place but none comes, goes or moves', () => {
  const { result, rerender } = read([row('1'), row('2')])
  rerender({ latest: [row('3'), row('2', 'paid')], isHeld: true, scope: 'a' })
  expect(result.current.waiting).toBe(true)
  expect(result.current.rows).toEqual([
    { row: row('1'), isGone: true },
    { row: row('2', 'paid'), isGone: false },
  ])

  rerender({ latest: [row('3'), row('2', 'paid')], isHeld: false, scope: 'a' })
  expect(result.current.waiting).toBe(false)
  expect(result.current.rows.map(({ row: { id } }) => id)).toEqual(['3', '2'])
})

test('a new question is answered at once', () => {
  const { result, rerender } = read([row('1')])
  rerender({ latest: [row('9')], isHeld: true, scope: 'b' })
  expect(result.current.rows.map(({ row: { id } }) => id)).toEqual(['9'])
})
